import type { PeerConfig, Policy, WireLimits } from "@coterie/core";
import type { Declared } from "../features/schema.ts";
import { type HostEvent, PeerHost } from "../host/host.ts";
import type { Network } from "../link/network.ts";
import { agreementOf, termsOf } from "./agreement.ts";
import { Emitter } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { type PeerOptions, parseOptions, type Settings } from "./options.ts";
import { RoomPeer } from "./roomPeer.ts";

/** Slots that a partner may send: more than any delay holds back, few enough to bound memory. */
const MOST_SLOTS = 1024;

/** Opens a peer: joins the room, takes up what the store has, and begins to tick. */
export async function createPeer<const S extends Declared>(options: PeerOptions<S>): Promise<RoomPeer<S>> {
  const settings = parseOptions(options);
  const { room, features, policy, rewards, signal } = settings;
  signal?.throwIfAborted();
  const terms = termsOf({ room, fingerprint: features.fingerprint, policy, range: rewards.range });
  const network = await settings.network({ name: room, agreement: agreementOf(terms), signal });
  try {
    return await openHost(settings, terms, network);
  } catch (error) {
    await network.close();
    throw error;
  }
}

async function openHost<S extends Declared>(
  settings: Settings<S>,
  terms: string,
  network: Network,
): Promise<RoomPeer<S>> {
  const { features, policy, signal, random, onEvent } = settings;
  const { dimension } = features;
  const ledger = new Ledger(dimension, terms);
  // Others may speak before the peer is whole; it hears of that as soon as it is.
  const early: HostEvent[] = [];
  let heard = (event: HostEvent): unknown => early.push(event);
  // A new peer takes its name on the network; one that the store has keeps the name it was born with.
  const config: PeerConfig = { id: network.self, dimension, policy, peers: 1 };
  const host = await PeerHost.open({
    peer: config,
    store: settings.store(),
    link: network.link,
    agreement: agreementOf(terms),
    limits: limitsOf(dimension, policy),
    random: random.fork("exchanges"),
    annex: ledger,
    onEvent: (event) => heard(event),
    signal,
  });
  try {
    if (ledger.isNew) await host.note([ledger.title()]);
    const peer = await RoomPeer.start({ settings, terms, network, host, ledger, emitter: new Emitter(onEvent) });
    heard = (event) => peer.heard(event);
    for (const event of early) peer.heard(event);
    return peer;
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Rewards on the wire are in units of the range's larger end, so none is beyond 1. */
function limitsOf(dimension: number, { options }: Policy): WireLimits {
  const { delay } = options as { delay?: { rounds?: number } };
  return { dimension, most: Math.max(MOST_SLOTS, (delay?.rounds ?? 0) + 2), reward: 1 };
}
