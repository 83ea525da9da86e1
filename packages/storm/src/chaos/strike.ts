import { setTimeout as sleep } from "node:timers/promises";
import type { SmallDisk } from "./disk.ts";
import type { ChaosFault } from "./plan.ts";
import type { Processes } from "./processes.ts";
import type { PeerResident, Resident } from "./resident.ts";
import type { Testbed } from "./testbed.ts";

/** How often others are asked whether they still take a dead peer for a partner. */
const LOOK_MS = 400;
/** A peer that is dead for less than this is not looked for. */
const LEAST_DEAD_MS = 6000;

/** Does to processes and their network what a plan says. */
export class Striker {
  /** From the kill of a peer until another one no longer takes it for a partner, in ms. */
  readonly deaths: number[] = [];
  /** How many faults of a kind the network has now: some overlap. */
  readonly #network = new Map<string, number>();

  constructor(
    readonly processes: Processes,
    readonly testbed: Testbed,
    readonly disk: SmallDisk | null,
    readonly signal: AbortSignal,
  ) {}

  /** Resolves once the fault is over and whoever it struck is up again. */
  async strike(fault: ChaosFault): Promise<void> {
    const { kind, forMs } = fault;
    const peers = fault.peers.flatMap((index) => this.processes.peers[index] ?? []);
    const each = (work: (peer: PeerResident) => Promise<void>) =>
      Promise.all(peers.map((peer) => this.#have(peer, work)));
    if (kind === "kill") await each((peer) => this.#kill(peer, forMs));
    else if (kind === "pause") await each((peer) => this.#pause(peer, forMs));
    else if (kind === "disk") await each((peer) => this.#fillDisk(peer, forMs));
    else if (kind === "hub") await this.#have(this.processes.hub, (hub) => this.#killHub(hub, forMs));
    else await this.#roughen(kind, forMs);
  }

  /** Does something to a process that nothing is being done to, and has it up again in the end. */
  async #have<R extends Resident>(resident: R, work: (resident: R) => Promise<void>): Promise<void> {
    // On a slow machine a process may still be starting when the plan strikes it again.
    if (resident.struck || resident.url === null) return;
    resident.struck = true;
    await work(resident);
    // One that does not come up has noted that itself.
    if (resident.program === null) await resident.start().catch(() => {});
    resident.struck = false;
  }

  async #kill(peer: PeerResident, forMs: number): Promise<void> {
    await peer.end("SIGKILL");
    const watching = forMs >= LEAST_DEAD_MS ? this.#watchDeath(peer, forMs) : null;
    await this.#wait(forMs);
    await watching;
  }

  async #pause({ program }: PeerResident, forMs: number): Promise<void> {
    program?.signal("SIGSTOP");
    await this.#wait(forMs).finally(() => program?.signal("SIGCONT"));
  }

  /** With a full disk a peer can keep nothing more, says so, and needs another start once there is room. */
  async #fillDisk(peer: PeerResident, forMs: number): Promise<void> {
    if (this.disk === null) return;
    this.disk.fill();
    await this.#wait(forMs).finally(() => this.disk?.free());
    const code = await peer.end("SIGTERM", true);
    if (code !== 0) peer.failures.push(`ended with ${code} when it was asked to stop after its disk had been full`);
  }

  async #killHub(hub: Resident, forMs: number): Promise<void> {
    await hub.end("SIGKILL");
    await this.#wait(forMs);
  }

  async #roughen(kind: "cut" | "loss" | "stall", forMs: number): Promise<void> {
    const turn = (on: boolean): void => {
      const before = this.#network.get(kind) ?? 0;
      const after = before + (on ? 1 : -1);
      this.#network.set(kind, after);
      if (before > 0 && after > 0) return;
      if (kind === "cut") this.testbed.cut(on);
      else if (kind === "loss") this.testbed.lossy(on);
      else this.testbed.stall(on);
    };
    turn(true);
    await this.#wait(forMs).finally(() => turn(false));
  }

  async #watchDeath(dead: PeerResident, forMs: number): Promise<void> {
    const died = performance.now();
    const watching = new Set(this.processes.peers.filter((peer) => peer !== dead && !peer.struck));
    while (watching.size > 0 && performance.now() - died < forMs) {
      await this.#wait(LOOK_MS);
      await Promise.all(
        Array.from(watching, async (peer) => {
          const state = await peer.state();
          if (peer.struck) watching.delete(peer);
          else if (state !== null && !state.alive.includes(dead.self)) {
            watching.delete(peer);
            this.deaths.push(performance.now() - died);
          }
        }),
      );
    }
    // Who has not noticed by now has not: the time so far stands for one that is longer.
    for (const peer of watching) if (!peer.struck) this.deaths.push(performance.now() - died);
  }

  async #wait(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }
}
