import type { PeerConfig, Policy, WireLimits } from "@coterie/core";
import { loadKernels } from "@coterie/kernels";
import type { Declared } from "../features/schema.ts";
import { type HostEvent, PeerHost } from "../host/host.ts";
import { agreementOf, termsOf } from "./agreement.ts";
import { Emitter } from "./events.ts";
import { Ledger } from "./ledger.ts";
import { type PeerOptions, parseOptions, type Settings } from "./options.ts";
import { type Parts, RoomPeer } from "./roomPeer.ts";

/** Slots that a partner may send: more than any delay holds back, few enough to bound memory. */
const MOST_SLOTS = 1024;

/** Opens a peer: takes up what the store has, joins the room under the name that is written there, begins to tick. */
export async function createPeer<const S extends Declared>(options: PeerOptions<S>): Promise<RoomPeer<S>> {
  const settings = parseOptions(options);
  const { room, features, policy, rewards, signal, onEvent } = settings;
  // The same choices, sooner, where a peer chooses from a ball; kindred does not.
  if (policy.kind !== "kindred") await loadKernels();
  signal?.throwIfAborted();
  const terms = termsOf({ room, fingerprint: features.fingerprint, policy, range: rewards.range });
  const ledger = new Ledger(features.dimension, terms);
  // Others may speak before the peer is whole; it hears of that as soon as it is.
  const early: HostEvent[] = [];
  const ear = { hear: (event: HostEvent): unknown => early.push(event) };
  const emitter = new Emitter(onEvent);
  const agreement = agreementOf(terms);
  const host = await openHost(settings, agreement, ledger, emitter, (event) => ear.hear(event));
  try {
    if (ledger.isNew) await host.note([ledger.title()]);
    const peer = await join({ settings, terms, host, ledger, emitter }, agreement);
    ear.hear = (event) => peer.heard(event);
    for (const event of early) peer.heard(event);
    return peer;
  } catch (error) {
    await host.close();
    throw error;
  }
}

function openHost<S extends Declared>(
  { features: { dimension }, policy, admits, store, random, drawSeed, clock, signal }: Settings<S>,
  agreement: string,
  annex: Ledger,
  emitter: Emitter,
  onEvent: (event: HostEvent) => void,
): Promise<PeerHost> {
  // A new peer's name is that of its key; one that the store has keeps the name it was born with.
  const peer: PeerConfig = { id: "new", dimension, policy, peers: 1 };
  return PeerHost.open({
    peer,
    drawSeed,
    store: store(),
    agreement,
    limits: limitsOf(dimension, policy),
    random: random.fork("exchanges"),
    annex,
    admits,
    onEvent,
    onRepaired: (why) => emitter.emit({ kind: "repaired", ...why }),
    onUpgraded: (what) => emitter.emit({ kind: "upgraded", ...what }),
    now: () => clock.now(),
    signal,
  });
}

async function join<S extends Declared>(parts: Omit<Parts<S>, "network">, agreement: string): Promise<RoomPeer<S>> {
  const { settings, host } = parts;
  const { room: name, signal } = settings;
  const identity = host.identity ?? undefined;
  const network = await settings.network({ name, agreement, identity, signal });
  try {
    signal?.throwIfAborted();
    host.attach(network.link);
    return await RoomPeer.start({ ...parts, network });
  } catch (error) {
    await network.close();
    throw error;
  }
}

/** Rewards on the wire are in units of the range's larger end, so none is beyond 1. */
function limitsOf(dimension: number, { options }: Policy): WireLimits {
  const { delay } = options as { delay?: { rounds?: number } };
  return { dimension, most: Math.max(MOST_SLOTS, (delay?.rounds ?? 0) + 2), reward: 1 };
}
