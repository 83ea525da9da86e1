import { type Beat, eachRow, type Fault, REASONS } from "../feed/format.ts";
import { countKin } from "./kin.ts";
import { Liars } from "./liars.ts";
import type { NetworkModel } from "./network.ts";
import { Newcomers } from "./newcomers.ts";
import { count, listed, REASON_TEXT } from "./words.ts";

/** Something that happened, in a sentence. */
export interface Told {
  readonly at: number;
  readonly text: string;
}

/** Those who come within so long of each other come together. */
const TOGETHER_MS = 10_000;
/** The same trouble is told again only after so long. */
const AGAIN_MS = 30_000;

/**
 * What happened, told as what it means: who found its kind, who set a liar aside, how newcomers were served, and what was done to the
 * network. Pools change many times a minute; that is told of one peer on its own page, and here only what comes of it.
 */
export class Chronicle {
  readonly #told: Told[] = [];
  readonly #liars = new Liars();
  readonly #newcomers = new Newcomers();
  readonly #troubles = new Map<string, number>();
  #arrived: { at: number; names: string[]; peers: Set<number> } = {
    at: Number.NEGATIVE_INFINITY,
    names: [],
    peers: new Set(),
  };
  #firstPair = false;
  #half = false;
  #all = false;

  /** Up to a moment, newest first. */
  until(at: number, most = 60): Told[] {
    const those = this.#told.filter((one) => one.at <= at);
    return [...this.#arrivals(at), ...those]
      .reverse()
      .sort((a, b) => b.at - a.at)
      .slice(0, most);
  }

  /** `model` is the network after the beat. */
  push(beat: Beat, model: NetworkModel): void {
    const tell = (text: string): void => {
      this.#told.push({ at: beat.at, text });
    };
    const name = (peer: number): string => model.peers[peer]?.name ?? `peer ${peer}`;
    this.#arrive(beat);
    for (const fault of beat.faults ?? []) this.#fault(fault, tell, name);
    eachRow(beat, "left", (rows, at) => tell(`${name(rows[at])} ${REASON_TEXT[REASONS[rows[at + 1]]]}`));
    if (beat.pool !== undefined) this.#kin(beat, model, tell, name);
    this.#liars.push(beat, model, tell, name);
    this.#newcomers.push(model, tell);
    for (const { peer, text } of beat.troubles ?? []) {
      if (beat.at - (this.#troubles.get(text) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) continue;
      this.#troubles.set(text, beat.at);
      tell(`${name(peer)}: ${text}`);
    }
  }

  #arrive({ at, joined = [] }: Beat): void {
    if (joined.length === 0) return;
    if (at - this.#arrived.at > TOGETHER_MS) {
      this.#told.push(...this.#arrivals(at));
      this.#arrived = { at, names: [], peers: new Set() };
    }
    this.#arrived.at = at;
    for (const { peer, name } of joined) {
      this.#arrived.names.push(name);
      this.#arrived.peers.add(peer);
    }
  }

  /** Those who came last, as long as more may come with them. */
  #arrivals(until: number): Told[] {
    const { at, names } = this.#arrived;
    if (names.length === 0 || at > until) return [];
    return [{ at, text: `${names.length > 4 ? count(names.length, "peer") : listed(names)} joined` }];
  }

  #fault(fault: Fault, tell: (text: string) => void, name: (peer: number) => string): void {
    const { what, peers } = fault;
    // Whatever is done, the kind has to be found anew.
    this.#all = false;
    if (what === "add") {
      tell(`${count(peers.length, "peer")} ${peers.length === 1 ? "was" : "were"} added: ${listed(peers.map(name))}`);
      this.#newcomers.expect(peers);
      if (peers.every((peer) => this.#arrived.peers.has(peer)) && peers.length === this.#arrived.peers.size)
        this.#arrived.names = [];
    }
    if (what === "cut") tell("the network was cut in two: each half goes on by itself");
    if (what === "heal") tell("the cut was healed");
    if (what === "truth") tell(`${listed(peers.map(name))} tells the truth again`);
    // Who was killed is told when it is gone; who lies, with those who believe it.
  }

  #kin(beat: Beat, model: NetworkModel, tell: (text: string) => void, name: (peer: number) => string): void {
    if (!this.#firstPair) {
      eachRow(beat, "pool", (rows, at) => {
        const [peer, other, pools] = [rows[at], rows[at + 1], rows[at + 2]];
        const kind = model.peers[peer]?.cluster ?? null;
        if (this.#firstPair || pools !== 1 || kind === null || model.peers[other]?.cluster !== kind) return;
        this.#firstPair = true;
        tell(`${name(peer)} is the first to find one of its kind: ${name(other)}`);
      });
    }
    if (this.#all) return;
    const { known, settled } = countKin(model);
    if (!this.#half && known > 3 && 2 * settled >= known && settled < known) {
      this.#half = true;
      tell(`half of the peers, ${settled} of ${known}, have found their kind and pool with nobody else`);
    }
    if (known > 1 && settled === known) {
      this.#all = true;
      tell(`all ${known} have found their kind and pool with nobody else`);
    }
  }
}
