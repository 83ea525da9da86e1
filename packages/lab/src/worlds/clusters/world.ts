import { type Arms, Random } from "@coterie/core";
import type { SphereDrawing } from "../../engine/drawing.ts";
import type { World } from "../world.ts";
import { addConstant, armsOf, type FillArms, plainArms } from "./arms.ts";
import { type ClustersConfig, realFeatures } from "./config.ts";
import { isOf, Presence } from "./presence.ts";
import { expectedReward, type Pay, payOf } from "./rewards.ts";
import { Tastes } from "./tastes.ts";

/** Draws for many peers at once, with the same bits; null where it cannot. It needs kernels. */
export type DrawMany = (...size: Parameters<typeof SphereDrawing.of>) => TurnDrawing | null;

/** What is drawn for many peers in a turn: first the arms, then the noise of what they pay. */
export type TurnDrawing = Pick<SphereDrawing, "arms" | "means" | "payments" | "drawArms" | "drawNoise">;

/** A made-up world: each cluster has its own θ, arms and noise are drawn, and everything about it is known. */
export class ClustersWorld implements World {
  readonly peers: number;
  readonly dimension: number;
  readonly knowsMeans = true;
  readonly fixedMenu: boolean;
  readonly late: number;
  /** Absent where peers are away while idle: then each begins when it first acts, as a user does that first opens an app. */
  readonly newcomer?: (peer: number) => boolean;
  readonly #config: ClustersConfig;
  readonly #tastes: Tastes;
  readonly #presence: Presence;
  readonly #fill: FillArms;
  readonly #payFor: Pay;
  readonly #random: { readonly arms: Random; readonly noise: Random };
  readonly #turnDraw = Random.seeded(0);
  readonly #draw = Random.seeded(0);
  /** What is offered in this turn: arms [peer][arm][feature], means and payments [peer][arm]. */
  readonly #arms: readonly Arms[];
  readonly #means: Float64Array;
  readonly #payments: Float64Array;
  readonly #drawing: TurnDrawing | null;
  /** One peer's arms without the constant feature, where there is one. */
  readonly #real: Float64Array | null;
  readonly #best: Float64Array;
  #turn = 0;

  /** Without `drawMany` peer by peer, wherever this runs. */
  constructor(config: ClustersConfig, seed: number, drawMany: DrawMany | null = null) {
    const { peers, dimension, arms } = config;
    const random = Random.seeded(seed).fork("clusters world");
    this.#config = config;
    this.peers = peers;
    this.dimension = dimension;
    this.late = config.late ?? 0;
    if (config.activity?.idle !== "away" || config.newcomers !== undefined) this.newcomer = isNewcomer(config);
    this.fixedMenu = config.catalogue !== undefined && config.catalogue.show === undefined;
    this.#tastes = new Tastes(config, random);
    this.#presence = new Presence(config, random);
    this.#fill = armsOf(config, random);
    this.#payFor = payOf(config);
    this.#random = { arms: random.fork("arms"), noise: random.fork("noise") };
    const drawing =
      drawMany === null || !manyAtOnce(config) ? null : drawMany(peers, arms, dimension, this.clusters, this.thetas);
    this.#drawing = drawing;
    this.#arms = drawing?.arms ?? roomFor(peers, arms, dimension);
    this.#means = drawing?.means ?? new Float64Array(peers * arms);
    this.#payments = drawing?.payments ?? new Float64Array(peers * arms);
    this.#real = config.constant === undefined ? null : new Float64Array(arms * realFeatures(config));
    this.#best = new Float64Array(peers);
  }

  /** Of each peer, now. */
  get clusters(): Int32Array {
    return this.#tastes.clusters;
  }

  /** [cluster][feature], without the constant one; now. */
  get thetas(): Float64Array {
    return this.#tastes.thetas;
  }

  advance(): void {
    const { turns = 1 } = this.#config;
    if (this.#turn % turns === 0) {
      const round = this.#turn / turns + 1;
      this.#presence.nextRound(round);
      this.#tastes.nextRound(round);
    }
    this.#turn += 1;
    this.#presence.nextTurn(this.#turn);
    this.#drawArms();
    this.#drawNoise();
  }

  get lastTurn(): boolean {
    return this.#turn % (this.#config.turns ?? 1) === 0;
  }

  present(peer: number): boolean {
    return this.#presence.present(peer);
  }

  acts(peer: number): boolean {
    return this.#presence.acts(peer);
  }

  visitor(peer: number): number {
    return this.#presence.visitor(peer);
  }

  arms(peer: number): Arms {
    return this.#arms[peer]!;
  }

  pay(peer: number, arm: number): number {
    return this.#payments[peer * this.#config.arms + arm]!;
  }

  mean(peer: number, arm: number): number {
    return this.#means[peer * this.#config.arms + arm]!;
  }

  bestMean(peer: number): number {
    return this.#best[peer]!;
  }

  #drawArms(): void {
    const { arms } = this.#config;
    const turn = this.#random.arms.forkInto(this.#turnDraw, this.#turn);
    if (this.#drawing !== null) this.#drawing.drawArms(turn, this.thetas);
    else for (let peer = 0; peer < this.peers; peer++) this.#offer(peer, turn.forkInto(this.#draw, peer));
    for (let peer = 0; peer < this.peers; peer++) this.#best[peer] = largest(this.#means, peer * arms, arms);
  }

  #offer(peer: number, draw: Random): void {
    const { arms, rewards, constant, dimension } = this.#config;
    const { values } = this.#arms[peer]!;
    const real = this.#real ?? values;
    this.#fill(real, draw);
    const features = real.length / arms;
    for (let arm = 0; arm < arms; arm++) {
      const score = this.#tastes.score(peer, real, arm * features);
      this.#means[peer * arms + arm] = expectedReward(rewards, score);
    }
    if (constant !== undefined) addConstant(values, real, dimension, constant);
  }

  #drawNoise(): void {
    const { arms, noise } = this.#config;
    const turn = this.#random.noise.forkInto(this.#turnDraw, this.#turn);
    if (this.#drawing !== null) {
      this.#drawing.drawNoise(turn, noise);
      return;
    }
    for (let peer = 0; peer < this.peers; peer++) {
      const draw = turn.forkInto(this.#draw, peer);
      for (let at = peer * arms; at < (peer + 1) * arms; at++) {
        this.#payments[at] = this.#payFor(peer, this.#means[at]!, draw);
      }
    }
  }
}

const isNewcomer =
  ({ newcomers }: ClustersConfig) =>
  (peer: number): boolean =>
    newcomers !== undefined && isOf(newcomers, peer);

/** Plain arms, one θ for each cluster whose members stay, and one noise for all: then many peers are drawn at once. */
const manyAtOnce = (config: ClustersConfig): boolean =>
  plainArms(config) &&
  config.rewards?.kind !== "clicks" &&
  config.noises === undefined &&
  config.spread === undefined &&
  !(config.jump !== undefined && "share" in config.jump);

const roomFor = (peers: number, arms: number, dimension: number): Arms[] =>
  Array.from({ length: peers }, () => ({ count: arms, values: new Float64Array(arms * dimension) }));

function largest(values: Float64Array, from: number, count: number): number {
  let best = -Infinity;
  for (let k = from; k < from + count; k++) if (values[k]! > best) best = values[k]!;
  return best;
}
