import type { PeerConfig, PeerId } from "@coterie/core";
import { LEAST_DIMENSION } from "@coterie/core/internal";
import type { Crossed, Declared } from "../features/schema.ts";
import { PeerHost } from "../host/host.ts";
import { LateNetwork } from "../link/late.ts";
import type { Network } from "../link/network.ts";
import { agreementOf, termsOf } from "./agreement.ts";
import { Announcements } from "./announcements.ts";
import { Emitter } from "./events.ts";
import { type PeerOptions, parseOptions, type Settings } from "./options.ts";
import { Papers } from "./papers.ts";
import { type Parts, RoomPeer } from "./roomPeer.ts";
import { fullTermsOf } from "./terms.ts";

/** Slots that a partner may send: more than any delay holds back, few enough to bound memory. */
const MOST_SLOTS = 1024;

/** Opens a peer: takes up what the store has, joins the room under the name that is written there, begins to tick. */
export async function createPeer<const S extends Declared>(
  options: PeerOptions<S> & { readonly features: Crossed<S> },
): Promise<RoomPeer<S>> {
  const settings = parseOptions<S>(options);
  const { room, features, policy, rewards, onEvent, clock } = settings;
  accelerate(features.dimension).catch(() => {});
  const terms = termsOf({ room, fingerprint: features.fingerprint, policy, range: rewards.range });
  const full = fullTermsOf(room, features, policy, rewards.range);
  const papers = new Papers(features.dimension, terms, full, rewards.pending);
  const emitter = new Emitter(onEvent);
  const announcements = new Announcements(emitter, clock);
  const agreement = agreementOf(terms);
  await clock.pause?.();
  const host = await openHost(settings, agreement, papers, announcements);
  try {
    const migrated = papers.migrated();
    if (migrated !== null) emitter.emit({ kind: "migrated", ...migrated });
    if (!host.follows) await host.note(papers.title());
    await clock.pause?.();
    const peer = await join({ settings, terms, host, papers, announcements }, agreement);
    announcements.begin(host);
    return peer;
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** The same choices, sooner: loaded beside whatever else happens, and done without where it cannot be loaded. */
async function accelerate(dimension: number): Promise<void> {
  if (dimension < LEAST_DIMENSION) return;
  const { loadKernels } = await import("@coterie/kernels");
  await loadKernels();
}

function openHost<S extends Declared>(
  { features: { dimension }, warily: policy, admits, store, random, drawSeed, clock, signal }: Settings<S>,
  agreement: string,
  annex: Papers,
  announcements: Announcements,
): Promise<PeerHost> {
  const { emitter } = announcements;
  // A new peer's name is that of its key; one that the store has keeps the name it was born with.
  const peer: PeerConfig = { id: "new", dimension, policy, peers: 1 };
  return PeerHost.open({
    peer,
    drawSeed,
    store: store(),
    agreement,
    // Rewards on the wire are in units of the range's larger end, so none is beyond 1.
    limits: { dimension, most: Math.max(MOST_SLOTS, policy.slots), reward: 1 },
    random: random.fork("exchanges"),
    annex,
    admits,
    onEvent: (event) => announcements.heard(event),
    onFailure: (error) => announcements.failed(error),
    onRepaired: (why) => emitter.emit({ kind: "repaired", ...why }),
    onUpgraded: (what) => emitter.emit({ kind: "upgraded", ...what }),
    now: () => clock.now(),
    pause: clock.pause === undefined ? undefined : () => clock.pause!(),
    signal,
  });
}

async function join<S extends Declared>(parts: Omit<Parts<S>, "network">, agreement: string): Promise<RoomPeer<S>> {
  const { settings, host } = parts;
  const { room: name, signal } = settings;
  const onMisfit = (who: PeerId, count: number): void => parts.announcements.misfit(who, count);
  const enter = (): Promise<Network> => {
    const identity = host.identity ?? undefined;
    return settings.network({ name, agreement, identity, signal, node: host.driver.node, onMisfit });
  };
  const named = (): PeerId => host.identity?.id ?? host.peer.config.id;
  const network = host.follows ? new LateNetwork(named, enter) : await enter();
  try {
    signal?.throwIfAborted();
    host.driver.attach(network.link);
    return await RoomPeer.start({ ...parts, network });
  } catch (error) {
    await network.close();
    throw error;
  }
}
