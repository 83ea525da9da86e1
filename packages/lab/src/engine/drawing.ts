import type { Arms, Random } from "@coterie/core";
import { createKernels, type Kernels, MOST_BYTES } from "@coterie/kernels";

/**
 * What a made-up world draws in a round, four peers at a time: unit arms, their means and what they would pay. The same
 * bits as drawing peer by peer from `random.fork(round).fork(peer)`.
 */
export class SphereDrawing {
  readonly arms: Arms[];
  /** [peer][arm]. */
  readonly means: Float64Array;
  readonly payments: Float64Array;
  /** All that is drawn in a turn: arms, means and payments, one behind the other. */
  readonly turn: Float64Array;
  readonly #kernels: Kernels;
  readonly #thetas: Float64Array;
  readonly #at: { arms: number; means: number; payments: number; thetas: number; clusters: number; scratch: number };
  readonly #padded: number;

  /** Null where the kernels cannot run or all of it does not fit into one memory. */
  static of(
    peers: number,
    arms: number,
    dimension: number,
    clusters: Int32Array,
    thetas: Float64Array,
  ): SphereDrawing | null {
    const { bytes } = placesOf(peers, arms, dimension, thetas.length);
    const kernels = bytes <= MOST_BYTES ? createKernels(bytes) : null;
    return kernels && new SphereDrawing(kernels, peers, arms, dimension, clusters, thetas.length);
  }

  private constructor(
    kernels: Kernels,
    readonly peers: number,
    readonly armCount: number,
    readonly dimension: number,
    clusters: Int32Array,
    thetas: number,
  ) {
    const { buffer } = kernels.memory;
    const { at, padded } = placesOf(peers, armCount, dimension, thetas);
    this.#kernels = kernels;
    this.#at = at;
    this.#padded = padded;
    this.#thetas = new Float64Array(buffer, at.thetas, thetas);
    this.means = new Float64Array(buffer, at.means, peers * armCount);
    this.payments = new Float64Array(buffer, at.payments, peers * armCount);
    this.turn = new Float64Array(buffer, at.arms, (at.thetas - at.arms) / 8);
    const size = armCount * dimension;
    this.arms = Array.from({ length: peers }, (_, peer) => ({
      count: armCount,
      values: new Float64Array(buffer, at.arms + 8 * peer * size, size),
    }));
    new Int32Array(buffer, at.clusters, peers).set(clusters);
  }

  /** `random` is the round's stream. */
  drawArms(random: Random, thetas: Float64Array): void {
    const { arms, means, thetas: at, clusters, scratch } = this.#at;
    this.#thetas.set(thetas);
    random.copyKey(new Uint32Array(this.#kernels.memory.buffer, 0, 4));
    this.#kernels.drawArms(0, 0, this.#padded, this.armCount, this.dimension, arms, means, at, clusters, scratch);
  }

  drawNoise(random: Random, noise: number): void {
    const { means, payments, scratch } = this.#at;
    random.copyKey(new Uint32Array(this.#kernels.memory.buffer, 0, 4));
    this.#kernels.drawNoise(0, 0, this.#padded, this.armCount, noise, means, payments, scratch);
  }
}

/** Bytes of memory that a world of this size draws into. */
export const drawingBytes = (peers: number, arms: number, dimension: number, clusters: number): number =>
  placesOf(peers, arms, dimension, clusters * dimension).bytes;

function placesOf(peers: number, arms: number, d: number, thetas: number) {
  const padded = 4 * Math.ceil(peers / 4);
  let bytes = 64; // the key of a round's stream stands first
  const take = (size: number): number => {
    const at = bytes;
    bytes += 16 * Math.ceil(size / 16);
    return at;
  };
  const at = {
    arms: take(8 * padded * arms * d),
    means: take(8 * padded * arms),
    payments: take(8 * padded * arms),
    thetas: take(8 * thetas),
    clusters: take(4 * padded),
    scratch: take(64 + 32 * (arms * d + 2 + d)),
  };
  return { at, padded, bytes };
}
