import { ConfigError } from "@coterie/core";
import { assert, ln, type OfferedTurn, type Radius, REFRESH_EVERY, slotSize } from "@coterie/core/internal";
import { type ContextValues, writeContext } from "@coterie/kernels";
import { checkSize, type EngineLayout, type EngineShape, layoutOf, operands, type Replay } from "./layout.ts";
import { type StartHelper, Team } from "./team.ts";

/** The memory of an engine and the threads on it: arms, balls and observations of all peers, and what is done with them. */
export class Machine {
  readonly layout: EngineLayout;
  readonly team: Team;
  readonly peers: number;
  readonly replay: Replay;
  /** The arm each peer chose last. */
  readonly choices: Int32Array;
  #localUpdates = 0;

  constructor(shape: EngineShape, start?: StartHelper) {
    this.layout = layoutOf(shape);
    checkSize(shape, this.layout);
    this.team = new Team(this.layout, start);
    this.peers = shape.peers;
    this.replay = shape.replay;
    const { context, groups } = this.layout;
    this.set(context);
    this.words(context.operandsAt, 2 * context.columns).set(operands(shape.dimension, context.columns));
    this.choices = new Int32Array(this.buffer, context.choicesAt, this.peers);
    if (shape.local) assert(this.team.run("refreshLocal", 0, groups) === 0, "I is positive definite");
  }

  get buffer(): ArrayBufferLike {
    return this.team.kernels.memory.buffer;
  }

  set(values: Partial<ContextValues>): void {
    writeContext(this.buffer, this.layout.contextAt, values);
  }

  doubles(at: number, count: number): Float64Array {
    return new Float64Array(this.buffer, at, count);
  }

  words(at: number, count: number): Uint32Array {
    return new Uint32Array(this.buffer, at, count);
  }

  /** Where the arms of a round stand that were put in place number `place`. */
  placeAt(place: number): number {
    const { context, padded } = this.layout;
    return context.armsAt + 8 * place * padded * context.dimension * context.arms;
  }

  /** Arms of peers first .. last (first a multiple of 4) to [pair][feature][arm][2]. */
  place(offered: OfferedTurn, first: number, last: number, armsAt: number): void {
    const { context, stageAt } = this.layout;
    const { dimension: d, arms } = context;
    const size = arms * d;
    const stage = this.doubles(stageAt, 2 * size);
    for (let i = first; i < last; i++) {
      const { count, values } = offered.arms(i);
      if (count !== arms) throw new ConfigError(`arms of ${i}`, count, `be ${arms} in every round`);
      const odd = i & 1;
      stage.set(values.length === size ? values : values.subarray(0, size), odd * size);
      // Where the last peer has no other beside it, the other lane holds what nobody reads.
      if (odd === 0 && i + 1 < last) continue;
      const pair = armsAt + 8 * (i - odd - first) * size;
      this.team.kernels.pairArms(stageAt, stageAt + 8 * size, 8 * d, pair, arms, d);
    }
  }

  choose(first: number, last: number, armsAt: number): void {
    const { dimension, arms } = this.layout.context;
    // Kernels count arms from peer 0 on; addresses are taken modulo 2^32.
    this.set({ armsAt: armsAt - 8 * first * dimension * arms });
    this.team.run("choose", first / 4, Math.ceil(last / 4));
  }

  /** The practical radius changes with the round, the theoretical one with the ball (`refresh`). */
  setRadius(radius: Radius, round: number): void {
    if (radius.kind === "theory") return;
    this.doubles(this.layout.context.radiusAt, 4 * this.#ballGroups).fill(radius.alpha * Math.sqrt(ln(round + 1)));
  }

  /** All peers have one ball where slots are taken for their mean. */
  get #ballGroups(): number {
    return this.replay === "collapse" ? 1 : this.layout.groups;
  }

  /** Balls anew from the active sums. */
  refresh(radius: Radius): void {
    const groups = this.#ballGroups;
    const bad =
      radius.kind === "practical"
        ? this.team.run("refresh", 0, groups)
        : this.team.run("refreshTheory", 0, groups, radius.norm, radius.weight * radius.noise, ln(radius.delta));
    assert(bad === 0, "I + gram is finite and positive definite");
  }

  /** This round's observations join the peers' own sums and balls. */
  observe(): void {
    const { groups } = this.layout;
    this.team.run("addLocal", 0, groups);
    if (this.#localUpdates >= REFRESH_EVERY) {
      assert(this.team.run("refreshLocal", 0, groups) === 0, "I + gram is finite and positive definite");
      this.#localUpdates = 0;
      return;
    }
    this.team.run("updateLocal", 0, groups);
    this.#localUpdates += 1;
  }

  /** Local estimates as they stood when the last round closed, [peer][feature]; empty where there are none. */
  get shown(): Float64Array {
    const { shownAt, shownCount } = this.layout;
    return this.doubles(shownAt, shownCount);
  }

  show(): void {
    const { context, shownCount } = this.layout;
    this.shown.set(this.doubles(context.localEstimateAt, shownCount));
  }

  estimate(peer: number): Float64Array {
    const { estimateAt, dimension } = this.layout.context;
    return this.doubles(estimateAt + 8 * dimension * this.#ball(peer), dimension);
  }

  /** A column of the active sums: gram and moment, then the count. */
  active(peer: number, column: number): number {
    const { activeAt, columns } = this.layout.context;
    const ball = this.#ball(peer);
    return this.doubles(activeAt + 32 * ((ball >> 2) * columns + column), 4)[ball & 3]!;
  }

  count(peer: number): number {
    return this.active(peer, slotSize(this.layout.context.dimension));
  }

  #ball(peer: number): number {
    return this.replay === "collapse" ? 0 : peer;
  }
}
