import { ConfigError } from "@coterie/core";
import { assert, ln, type OfferedTurn, type Radius, REFRESH_EVERY, slotSize } from "@coterie/core/internal";
import { type ContextValues, createKernels, type Kernels, writeContext } from "@coterie/kernels";
import { checkSize, type EngineLayout, type EngineShape, layoutOf, operands } from "./layout.ts";

/** Kernels that work on a range of groups or columns; some say what went wrong, as bits. */
type Task =
  | "choose"
  | "replay"
  | "refresh"
  | "refreshTheory"
  | "addLocal"
  | "addOpen"
  | "endEpoch"
  | "updateLocal"
  | "refreshLocal";

/** The memory of an engine: arms, balls and observations of all peers, and what is done with them. */
export class Machine {
  readonly layout: EngineLayout;
  readonly kernels: Kernels;
  readonly peers: number;
  /** The arm each peer chose last. */
  readonly choices: Int32Array;
  #localUpdates = 0;

  constructor(shape: EngineShape) {
    this.layout = layoutOf(shape);
    checkSize(shape, this.layout);
    const kernels = createKernels(this.layout.bytes);
    if (kernels === null) throw new ConfigError("engine", "batched", "run where WebAssembly supports 128-bit SIMD");
    this.kernels = kernels;
    this.peers = shape.peers;
    const { context, groups } = this.layout;
    this.set(context);
    this.words(context.operandsAt, 2 * context.columns).set(operands(shape.dimension, context.columns));
    this.choices = new Int32Array(this.buffer, context.choicesAt, this.peers);
    if (shape.local) assert(this.run("refreshLocal", 0, groups) === 0, "I is positive definite");
  }

  get buffer(): ArrayBufferLike {
    return this.kernels.memory.buffer;
  }

  run(task: Task, first: number, last: number, ...given: number[]): number {
    const call = this.kernels[task] as (...values: number[]) => number | undefined;
    return call(this.layout.contextAt, first, last, ...(given.length > 0 ? given : [this.layout.scratchAt])) ?? 0;
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
      this.kernels.pairArms(stageAt, stageAt + 8 * size, 8 * d, pair, arms, d);
    }
  }

  choose(first: number, last: number, armsAt: number): void {
    const { dimension, arms } = this.layout.context;
    // Kernels count arms from peer 0 on; addresses are taken modulo 2^32.
    this.set({ armsAt: armsAt - 8 * first * dimension * arms });
    this.run("choose", first / 4, Math.ceil(last / 4));
  }

  /** The practical radius changes with the round, the theoretical one with the ball (`refresh`). */
  setRadius(radius: Radius, round: number): void {
    if (radius.kind === "theory") return;
    this.doubles(this.layout.context.radiusAt, 4 * this.layout.groups).fill(radius.alpha * Math.sqrt(ln(round + 1)));
  }

  /** Balls anew from the active sums. */
  refresh(radius: Radius): void {
    const { groups } = this.layout;
    const bad =
      radius.kind === "practical"
        ? this.run("refresh", 0, groups)
        : this.run("refreshTheory", 0, groups, radius.norm, radius.weight * radius.noise, ln(radius.delta));
    assert(bad === 0, "I + gram is finite and positive definite");
  }

  /** This round's observations join the peers' own sums and balls. */
  observe(): void {
    const { groups } = this.layout;
    this.run("addLocal", 0, groups);
    if (this.#localUpdates >= REFRESH_EVERY) {
      assert(this.run("refreshLocal", 0, groups) === 0, "I + gram is finite and positive definite");
      this.#localUpdates = 0;
      return;
    }
    this.run("updateLocal", 0, groups);
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
    return this.doubles(estimateAt + 8 * dimension * peer, dimension);
  }

  /** A column of the active sums: gram and moment, then the count. */
  active(peer: number, column: number): number {
    const { activeAt, columns } = this.layout.context;
    return this.doubles(activeAt + 32 * ((peer >> 2) * columns + column), 4)[peer & 3]!;
  }

  count(peer: number): number {
    return this.active(peer, slotSize(this.layout.context.dimension));
  }
}
