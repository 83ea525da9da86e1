import { type PeerId, Random } from "@coterie/core";
import * as parts from "@coterie/net/internal";
import { Evenness } from "../checks/evenness.ts";
import type { Mutant } from "../mutants/mutant.ts";
import type { LiarStyle, PlannedFault } from "../plan/fault.ts";
import type { Plan } from "../plan/plan.ts";
import { policyOf } from "../settings.ts";
import type { CheckName } from "../storm.ts";
import { App } from "./app.ts";
import { Device, DIMENSION, PERIOD_MS } from "./device.ts";
import { QUICK_MS } from "./disk.ts";
import type { Surroundings } from "./driver.ts";
import { quickHash } from "./hash.ts";
import { tamperer } from "./liar.ts";
import { type Partition, SimulatedNetwork } from "./network.ts";
import { RunDigest } from "./runDigest.ts";
import { Scheduler } from "./scheduler.ts";

export interface Inhabitant {
  readonly device: Device;
  readonly app: App;
}

/** All devices of a plan, the network between them, and the faults as they come. */
export class StormRoom {
  readonly scheduler = new Scheduler();
  readonly trace = new RunDigest();
  readonly network: SimulatedNetwork;
  readonly devices: Inhabitant[];
  /** Those that send what they mean. */
  readonly honest: Inhabitant[];
  /** How often a peer took in another's statistics; and how often two met at all, each counted on both sides. */
  mixes = 0;
  meetings = 0;
  /** What one side of an exchange gives the other one takes. */
  readonly evenness = new Evenness(
    (exchange, partner) => this.#pair(exchange, partner),
    (message) => this.fail("mass", message),
  );
  readonly #random: Random;
  readonly #places = new Map<PeerId, number>();

  constructor(
    readonly plan: Plan,
    readonly mutant: Mutant | null,
    readonly fail: (check: CheckName, message: string) => void,
  ) {
    this.#random = Random.seeded(plan.seed).fork("colony");
    this.network = new SimulatedNetwork(this.scheduler, this.#random.fork("air"), this.trace);
    const styles = new Map(plan.faults.flatMap((fault) => (fault.kind === "liar" ? [[fault.peer, fault.style]] : [])));
    const thetas = Array.from({ length: plan.setting.clusters }, (_, k) => [k === 0 ? 0.8 : -0.8, 0.3]);
    const surroundings = this.#surroundings();
    const policy = policyOf(plan.setting);
    const limits = { dimension: DIMENSION, most: 1024, reward: 1 };
    this.devices = Array.from({ length: plan.peers }, (_, index) => {
      const style = styles.get(index) as LiarStyle | undefined;
      const random = this.#random.fork("device").fork(index);
      const device: Device = new Device({
        index,
        name: nameOf(index),
        policy: this.evenness.watched(mutant?.policy?.(policy, index) ?? policy),
        random,
        scheduler: this.scheduler,
        trace: this.trace,
        surroundings,
        tamper: style === undefined ? null : tamperer(style, random.fork("lies"), policy, limits),
        store: (backend) => this.#store(backend),
        onUp: () => app.again(),
        onEvent: (verdict) => this.#count(verdict),
        onCaught: (origin) => {
          if (this.isHonest(origin)) fail("surprise", `${nameOf(index)}: takes an honest peer, ${origin}, for a cheat`);
        },
        onSurprise: (error) => fail("surprise", `${nameOf(index)}: ${error.name}: ${error.message}`),
      });
      const complain = ({ config }: Device, what: string): void => fail("rewards", `${config.name}: ${what}`);
      const theta = thetas[index % thetas.length]!;
      const carrier = (): Device | null => this.#carrier(index, random);
      const app: App = new App(device, theta, style === "invents", random.fork("app"), carrier, complain);
      return { device, app };
    });
    this.honest = this.devices.filter((_, index) => !this.#isLiar(index));
  }

  /**
   * One that hands on what it was told: any other that runs, from and to those who send what they mean. Not to one whose clock
   * jumps: it calls a reward too late, and may still learn what another device took in time.
   */
  #carrier(index: number, random: Random): Device | null {
    const others = this.honest.filter(({ device }) => device.up && device.config.index !== index);
    const jumps = this.plan.faults.some((fault) => fault.kind === "clock" && fault.peer === index);
    if (jumps || this.#isLiar(index) || others.length === 0) return null;
    return others[random.below(others.length)]!.device;
  }

  /** Who meets in an exchange; null unless both send what they mean, and what was answered is still on the disk. */
  #pair(exchange: parts.Exchange, partner: PeerId): string | null {
    const one = this.honest.find(({ device }) => device.peer?.host.exchange === exchange);
    const other = this.honest.find(({ device }) => device.id === partner);
    if (one === undefined || other === undefined || other.device.repairs > 0) return null;
    return `${one.device.config.name} and ${other.device.config.name}`;
  }

  /** Who answers; null unless it sends what it means and its disk is whole. */
  answering(exchange: parts.Exchange): PeerId | null {
    const found = this.honest.find(({ device }) => device.peer?.host.exchange === exchange);
    return found === undefined || found.device.repairs > 0 ? null : found.device.id;
  }

  isHonest(peer: PeerId): boolean {
    return !this.#isLiar(this.#indexOf(peer));
  }

  #isLiar(index: number): boolean {
    return this.plan.faults.some((fault) => fault.kind === "liar" && fault.peer === index && fault.style !== "invents");
  }

  /** A peer that lost its disk comes back under another name. */
  #indexOf(peer: PeerId): number {
    const known = this.#places.get(peer);
    if (known !== undefined && this.devices[known]!.device.id === peer) return known;
    const found = this.devices.findIndex(({ device }) => device.id === peer);
    if (found >= 0) this.#places.set(peer, found);
    return found;
  }

  begin(): void {
    const late = new Map(this.plan.faults.flatMap((fault) => (fault.kind === "late" ? [[fault.peer, fault.at]] : [])));
    for (const { device } of this.devices) {
      this.scheduler.after((late.get(device.config.index) ?? 0) * PERIOD_MS + device.config.index, () =>
        device.start(),
      );
    }
  }

  /** Faults of the rounds from `from` to `to` come from now on, in the same order and distance. */
  roughen(faults: readonly PlannedFault[], from: number, to: number): void {
    this.network.rough = true;
    this.apps(true);
    for (const fault of faults) {
      if (fault.kind === "loss") this.network.loss = fault.rate;
      if (fault.kind === "duplicates") this.network.duplicates = fault.rate;
      if (fault.kind === "delay") this.network.mostDelayMs = fault.mostMs;
      if (fault.kind === "slow-disk") for (const { device } of this.devices) device.disk.mostMs = fault.mostMs;
      if (!("at" in fault) || fault.at < from || fault.at >= to) continue;
      this.scheduler.after((fault.at - from) * PERIOD_MS, () => this.#strike(fault));
    }
  }

  smooth(): void {
    this.network.rough = false;
    this.network.cuts.clear();
    this.apps(false);
    for (const { device } of this.devices) {
      device.forgetPlans();
      device.disk.mostMs = QUICK_MS;
      device.start();
    }
  }

  apps(on: boolean): void {
    for (const { app } of this.devices) app.on = on;
  }

  freeze(): void {
    for (const { device } of this.devices) device.freeze();
  }

  thaw(): void {
    for (const { device } of this.devices) device.thaw();
  }

  /** So that all observations are in the buffers. Twice: a peer that was taken along closes nothing the first time. */
  async closeRounds(): Promise<void> {
    for (let time = 0; time < 2; time++) {
      for (const { device } of this.devices) {
        device.peer?.tick({ partner: null }).catch((error: unknown) => device.report(error));
      }
      await this.scheduler.run(this.scheduler.now + PERIOD_MS);
    }
  }

  #strike(fault: PlannedFault): void {
    if (!this.network.rough || !("at" in fault)) return;
    this.trace.add(fault.kind, fault.at, 0);
    if (fault.kind === "partition") {
      const cut: Partition = { side: new Set(fault.side), oneWay: fault.oneWay };
      this.network.cuts.add(cut);
      this.scheduler.after(fault.rounds * PERIOD_MS, () => this.network.cuts.delete(cut));
      return;
    }
    const { device } = this.devices[fault.peer]!;
    if (fault.kind === "crash") {
      if (fault.damage !== null) device.damageLater(fault.damage);
      device.crashLater(fault.write, fault.how, fault.rounds);
    }
    if (fault.kind === "write-error") device.disk.plan(1, fault.how);
    if (fault.kind === "clock") device.skewMs += fault.jumpMs;
    if (fault.kind === "away") void device.leave(fault.rounds);
  }

  #store(backend: parts.Backend): parts.Store {
    const hash = this.mutant?.hash ?? quickHash;
    const store = parts.durable(this.mutant?.backend?.(backend) ?? backend, hash);
    return this.mutant?.store?.(store) ?? store;
  }

  #count(verdict: string): void {
    if (verdict === "mix") this.mixes += 1;
    if (verdict === "mix" || verdict === "keep" || verdict === "prune") this.meetings += 1;
  }

  #surroundings(): Surroundings {
    return {
      network: this.network,
      coded: this.plan.setting.coded,
      index: (peer) => this.#indexOf(peer),
      find: (peer) => this.devices[this.#indexOf(peer)]?.device.driver ?? null,
      bootstrap: range(Math.min(3, this.plan.peers)).map(String),
      at: (address) => this.devices[Number(address)]?.device.id || null,
    };
  }
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const nameOf = (index: number): string => `peer ${index}`;
