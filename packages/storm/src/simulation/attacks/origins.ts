import { type Arms, initialPeer, type Peer, type PeerId, type Policy, Random, step } from "@coterie/core";
import { type KindredOffer, type PeerRecord, publish } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";

/** What rewards are: −1 to 1, or 0 to 1 with or without a feature that is the same for every item. */
export type RewardKind = "−1 to 1" | "0 to 1" | "0 to 1, constant";
/** What invented peers claim to have seen: the opposite of what pays, the same of items a tenth as large, or that everything pays. */
export type InventedClaim = "opposite" | "far" | "everything";

export interface OriginsSetting {
  readonly policy: Policy;
  readonly rewards: RewardKind;
  /** How many origins one member of the room speaks for; 0: it is not there. */
  readonly origins: number;
  readonly claim: InventedClaim;
  readonly rounds: number;
  readonly seed: number;
  readonly honest?: number;
}

const LIAR = "liar";
const AGREED = "attack";
const ITEMS = 8;
const TASTES = 2;
const SPACE = 5;
const FAR = 10;
/** Observations that an invented peer claims for each round of the room, and made up ones that they are multiples of. */
const CLAIMED = 50;
const MADE_UP = 40;

/** The regret of honest peers, summed, beside a member that sends records of peers that do not exist. */
export function measureOrigins(setting: OriginsSetting): number {
  return new Attacked(setting).play();
}

interface Drawn {
  readonly arms: Arms;
  readonly means: Float64Array;
  readonly rewards: Float64Array;
}

class Attacked {
  readonly #setting: OriginsSetting;
  readonly #random: Random;
  readonly #dimension: number;
  readonly #tastes: Float64Array[];
  readonly #members: { readonly peer: Peer; readonly exchange: parts.Exchange | null }[];
  #round = 1;
  #sent = 0;
  /** Which of them it told last. */
  #told = 0;
  /** What the liar said last of each. */
  readonly #invented = new Map<number, PeerRecord>();

  constructor(setting: OriginsSetting) {
    const { policy, rewards, seed, honest = 6 } = setting;
    this.#setting = setting;
    this.#random = Random.seeded(seed);
    this.#dimension = SPACE + (rewards === "0 to 1, constant" ? 1 : 0);
    this.#tastes = Array.from({ length: TASTES }, (_, k) => unit(this.#random.fork("taste").fork(k)));
    const limits = { dimension: this.#dimension, most: 1024, reward: 1 };
    this.#members = Array.from({ length: honest }, (_, k) => {
      const peer = initialPeer({ id: `honest ${k}`, dimension: this.#dimension, policy, peers: honest + 1 });
      return { peer, exchange: parts.createExchange({ peer, agreement: AGREED, limits }) };
    });
  }

  play(): number {
    let regret = 0;
    for (; this.#round <= this.#setting.rounds; this.#round++) {
      this.#members.forEach(({ peer }, k) => {
        const { arms, means, rewards } = this.#draw(k);
        const chosen = step(peer, { kind: "choose", arms })[0] as { readonly arm: number };
        step(peer, { kind: "reward", reward: rewards[chosen.arm]! });
        regret += Math.max(...means) - means[chosen.arm]!;
      });
      this.#members.forEach(({ peer }, k) => {
        step(peer, { kind: "settle" });
        step(peer, { kind: "close" });
        this.#call(k);
      });
    }
    return regret;
  }

  #draw(peer: number): Drawn {
    const random = this.#random.fork("round").fork(this.#round).fork(peer);
    const { rewards: kind } = this.#setting;
    const values = new Float64Array(ITEMS * this.#dimension);
    const means = new Float64Array(ITEMS);
    const rewards = new Float64Array(ITEMS);
    for (let k = 0; k < ITEMS; k++) {
      const item = unit(random);
      const at = k * this.#dimension;
      const fit = dot(this.#tastes[peer % TASTES]!, item);
      means[k] = kind === "−1 to 1" ? fit : 0.5 + 0.4 * fit;
      const width = kind === "−1 to 1" ? 0.3 : 0.15;
      rewards[k] = Math.min(1, Math.max(kind === "−1 to 1" ? -1 : 0, means[k]! + width * random.normal()));
      values.set(this.#vector(item), at);
    }
    return { arms: { count: ITEMS, values }, means, rewards };
  }

  /** The item, with the constant where there is one; never longer than 1. */
  #vector(item: Float64Array): Float64Array {
    if (this.#dimension === SPACE) return item;
    return Float64Array.from([...item, 1], (value) => value * Math.SQRT1_2);
  }

  /** One of the others is called: an honest peer answers from what it holds, the liar with what it invents. */
  #call(index: number): void {
    const { peer, exchange } = this.#members[index]!;
    if (exchange === null) return;
    const random = this.#random.fork("call").fork(this.#round).fork(index);
    const others = this.#members.map(({ peer: { config } }) => config.id).filter((id) => id !== peer.config.id);
    if (this.#setting.origins > 0) others.push(LIAR);
    const wished = peer.learner.suggest?.(random) ?? null;
    const partner = wished !== null && others.includes(wished) ? wished : others[random.below(others.length)]!;
    const { proposal } = exchange.propose(partner, this.#id());
    const other = this.#members.find(({ peer: { config } }) => config.id === partner);
    const answer = other === undefined ? this.#lie(proposal) : answerOf(other.exchange!, peer.config.id, proposal);
    const { expired = [] } = exchange.conclude(exchange.arrive(answer));
    for (const origin of expired) step(peer, { kind: "forget", partner: origin });
  }

  #id(): string {
    this.#sent += 1;
    return this.#sent.toString(16).padStart(32, "0");
  }

  /** As many records as an exchange may bring, whatever was asked for, the next ones each time, of the newest version. */
  #lie(proposal: Uint8Array): Uint8Array {
    const { policy, origins } = this.#setting;
    const { id } = parts.decodeProposal(proposal);
    const some = Math.min(origins, policy.budget ?? 0);
    const records = Array.from({ length: some }, (_, k) => this.#inventedBy((this.#told + k) % origins));
    this.#told = (this.#told + some) % origins;
    const greeting = { peer: LIAR, due: true, worst: 0, least: 0, salt: 0, wants: new Map(), profile: null };
    const offer: KindredOffer = { policy: "kindred", dimension: this.#dimension, greeting, recordsFor: () => records };
    const frames = policy.codec!.encode(offer, offer);
    return parts.encodeAnswer({ id, round: this.#round, verdict: "mix", reason: "", frames });
  }

  #inventedBy(origin: number): PeerRecord {
    const known = this.#invented.get(origin);
    if (known?.version === this.#round) return known;
    const record = this.#invent(origin);
    this.#invented.set(origin, record);
    return record;
  }

  /** No check can tell its sums from those of a peer that exists. */
  #invent(origin: number): PeerRecord {
    const { claim, rewards: kind } = this.#setting;
    const random = this.#random.fork("lie").fork(origin);
    const d = this.#dimension;
    const sums = { slot: new Float64Array((d * (d + 1)) / 2 + d), squares: 0, count: 0 };
    const least = kind === "−1 to 1" ? -1 : 0;
    for (let k = 0; k < MADE_UP; k++) {
      const item = unit(random);
      const fit = -dot(this.#tastes[origin % TASTES]!, item);
      const mean = kind === "−1 to 1" ? fit : 0.5 + 0.5 * fit;
      const vector = this.#vector(item).map((value) => (claim === "far" ? value / FAR : value));
      addTo(sums, vector, claim === "everything" ? 1 : Math.min(1, Math.max(least, mean)));
    }
    const count = CLAIMED * this.#round;
    const times = count / MADE_UP;
    const many = { slot: sums.slot.map((value) => value * times), squares: sums.squares * times, count };
    return publish(origin === 0 ? LIAR : `invented ${origin}`, this.#round, many);
  }
}

function answerOf(exchange: parts.Exchange, from: PeerId, proposal: Uint8Array): Uint8Array {
  const { answer, lacked } = exchange.answer(from, proposal);
  return answer(lacked);
}

function addTo(sums: { slot: Float64Array; squares: number; count: number }, x: Float64Array, reward: number): void {
  let at = 0;
  for (let i = 0; i < x.length; i++) for (let j = 0; j <= i; j++) sums.slot[at++]! += x[i]! * x[j]!;
  for (const value of x) sums.slot[at++]! += reward * value;
  sums.squares += reward * reward;
  sums.count += 1;
}

function unit(random: Random): Float64Array {
  const out = random.normals(new Float64Array(SPACE));
  const length = Math.sqrt(dot(out, out)) * 1.000001;
  return out.map((value) => value / length);
}

const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
