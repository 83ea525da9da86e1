import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PeerState } from "@coterie/net";
import { SmallDisk } from "./disk.ts";
import { describeFault, SMALL_DISK } from "./plan.ts";
import { makeProcesses, moveIn, type Processes, ROOM } from "./processes.ts";
import type { PeerResident, Resident } from "./resident.ts";
import { reunion } from "./reunion.ts";
import { Striker } from "./strike.ts";
import { type ChaosReport, type ChaosTask, timesOf } from "./task.ts";
import { loopbackTestbed, namespaceTestbed, type Testbed } from "./testbed.ts";

/** How long healing, and settling what users are owed, may take at most. */
const HEAL_MS = 120_000;
const SETTLE_MS = 30_000;
const LOOK_MS = 300;
/** A process that holds more than this leaks. */
const MOST_MEMORY = 400 * 1024 * 1024;
const HUB_PORT = 4001;

export type Tell = (line: string) => void;

/** One run, on the ground that was prepared for it. Ends every process it started, whatever happens. */
export async function chaos(task: ChaosTask, tell: Tell, signal: AbortSignal): Promise<ChaosReport> {
  const { plan, namespacesOf, folder } = task;
  const disk = SmallDisk.mount(join(folder, `peer-${SMALL_DISK}`));
  if (disk === null) tell("no disk of its own can be mounted here: nobody's disk will be full");
  const testbed =
    namespacesOf === null
      ? await loopbackTestbed(plan.peers, await freePort(), plan.seed)
      : await namespaceTestbed(namespacesOf, plan.peers, HUB_PORT, plan.seed);
  if (testbed.whyStalls !== null)
    tell(`packets cannot be dropped here (${testbed.whyStalls}): loss is stalls of the proxy`);
  const processes = makeProcesses(task, testbed, folder);
  try {
    return await live(task, testbed, processes, new Striker(processes, testbed, disk, signal), tell);
  } finally {
    await Promise.all([processes.hub, ...processes.peers].map((resident) => resident.end("SIGKILL")));
    testbed.close();
    disk?.unmount();
  }
}

async function live(
  task: ChaosTask,
  testbed: Testbed,
  processes: Processes,
  striker: Striker,
  tell: Tell,
): Promise<ChaosReport> {
  const { plan } = task;
  const { peers } = processes;
  const failures: string[] = [];
  await moveIn(processes, (count) => count % 5 === 0 && tell(`${count} of ${plan.peers} peers are up`), striker.signal);
  await meetAll(processes, failures, "at the start", striker.signal);
  for (const { user } of peers) user.start();
  const sampling = setInterval(() => sample(processes), 2000);
  try {
    await strikeAll(task, striker, tell);
    tell("all faults are over");
    const heal = await meetAll(processes, failures, "after the last fault", striker.signal);
    await Promise.all(peers.map(({ user }) => user.stop()));
    await settle(peers, failures, striker.signal);
    await compare(peers, failures);
    await sayGoodbye(processes, failures);
    tell("all processes have ended; their stores are looked at");
    const left = peers.map(({ config, store, user }) => ({
      name: config.name,
      store,
      acknowledged: user.acknowledged,
    }));
    const weighed = await reunion(ROOM, task.policy, left);
    failures.push(...weighed.failures, ...blames(processes));
    return report(task, testbed, processes, { striker, heal, ...weighed, failures });
  } finally {
    clearInterval(sampling);
    await Promise.all(peers.map(({ user }) => user.stop()));
  }
}

async function strikeAll({ plan }: ChaosTask, striker: Striker, tell: Tell): Promise<void> {
  const began = performance.now();
  const over: Promise<void>[] = [];
  for (const fault of plan.faults) {
    const waitMs = Math.max(0, fault.atMs - (performance.now() - began));
    await sleep(waitMs, undefined, { signal: striker.signal });
    tell(describeFault(fault));
    const struck = striker.strike(fault);
    struck.catch(() => {}); // heard of below
    over.push(struck);
  }
  await Promise.all(over);
}

/** Meetings that took place. */
const met = ({ exchanges }: PeerState): number => (exchanges.mix ?? 0) + (exchanges.keep ?? 0) + (exchanges.prune ?? 0);

/** Waits until every peer has met somebody from now on, and sees everybody; answers how long each took, in ms. */
async function meetAll({ peers }: Processes, failures: string[], when: string, signal: AbortSignal): Promise<number[]> {
  const began = performance.now();
  const times = peers.map(async (peer) => {
    let before: number | null = null;
    for (;;) {
      const state = await peer.state();
      if (state !== null) before ??= met(state);
      const tookMs = performance.now() - began;
      if (state !== null && met(state) > (before ?? 0) && state.alive.length === peers.length - 1) return tookMs;
      if (tookMs > HEAL_MS) {
        const seen =
          state === null ? "does not answer" : `sees ${state.alive.length}, met ${met(state) - (before ?? 0)}`;
        failures.push(`${peer.config.name} ${seen} ${Math.round(tookMs / 1000)} s ${when}`);
        return tookMs;
      }
      await sleep(LOOK_MS, undefined, { signal });
    }
  });
  return Promise.all(times);
}

/** Every reward gets its answer. */
async function settle(peers: readonly PeerResident[], failures: string[], signal: AbortSignal): Promise<void> {
  const end = performance.now() + SETTLE_MS;
  await Promise.all(
    peers.map(async ({ user, config }) => {
      while (user.owes > 0) {
        await user.settle().catch(() => {});
        if (performance.now() > end) {
          failures.push(`${config.name} does not answer ${user.owes} rewards`);
          return;
        }
        if (user.owes > 0) await sleep(LOOK_MS, undefined, { signal });
      }
    }),
  );
}

async function compare(peers: readonly PeerResident[], failures: string[]): Promise<void> {
  for (const peer of peers) {
    const { user, config } = peer;
    const state = await peer.state();
    for (const complaint of user.complaints) failures.push(`${config.name}: ${complaint}`);
    if (state === null) failures.push(`${config.name} does not say what it knows`);
    else if (state.own + state.outdated !== user.acknowledged.size) {
      const learnt = `${state.own} rewards, and ${state.outdated} before its taste changed`;
      failures.push(`${config.name} has learnt ${learnt}; it acknowledged ${user.acknowledged.size}`);
    }
  }
}

async function sayGoodbye({ hub, peers }: Processes, failures: string[]): Promise<void> {
  sample({ hub, peers });
  await Promise.all(
    [hub, ...peers].map(async (resident) => {
      const code = await resident.end("SIGTERM");
      if (code !== 0) failures.push(`${resident.config.name} ended with ${code} when it was asked to stop`);
    }),
  );
}

function sample({ hub, peers }: Processes): void {
  for (const resident of [hub, ...peers]) resident.sample();
}

const blames = ({ hub, peers }: Processes): string[] =>
  [hub, ...peers].flatMap(({ config, failures, mostMemory }) => [
    ...failures.map((failure) => `${config.name} ${failure}`),
    ...(mostMemory > MOST_MEMORY ? [`${config.name} held ${Math.round(mostMemory / 2 ** 20)} MB`] : []),
  ]);

function report(
  { plan, policy }: ChaosTask,
  { kind, loss, packets }: Testbed,
  { hub, peers }: Processes,
  found: Pick<ChaosReport, "failures" | "givenUp" | "outdated" | "massOff"> & {
    striker: Striker;
    heal: readonly number[];
  },
): ChaosReport {
  const { striker, heal, failures, givenUp, outdated, massOff } = found;
  const sum = (of: (peer: PeerResident) => number): number => peers.reduce((total, peer) => total + of(peer), 0);
  return {
    seed: plan.seed,
    peers: plan.peers,
    seconds: plan.seconds,
    policy,
    ground: kind,
    loss,
    packets,
    faults: plan.faults.map(describeFault),
    rewards: sum(({ user }) => user.acknowledged.size),
    forgotten: sum(({ user }) => user.forgotten),
    unanswered: sum(({ user }) => user.unanswered),
    restarts: sum(({ starts }) => starts - 1) + hub.starts - 1,
    death: timesOf(striker.deaths),
    heal: timesOf(heal),
    mostMemoryMb: Math.round(Math.max(...[hub, ...peers].map(({ mostMemory }) => mostMemory)) / 2 ** 20),
    givenUp,
    outdated,
    massOff,
    logged: loggedBy([hub, ...peers]),
    failures,
  };
}

function loggedBy(residents: readonly Resident[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { messages } of residents) {
    for (const [message, count] of messages) counts[message] = (counts[message] ?? 0) + count;
  }
  return counts;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return address !== null && typeof address === "object" ? address.port : 0;
}
