import { percent, short, table, whole } from "./text.mjs";

const HEAD = ["", "measured"];

/** Hundreds of outcomes as what they come to. */
export function keepStorm({ outcomes, story }) {
  const totals = {};
  const policies = {};
  for (const { counts, policy } of outcomes) {
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
    policies[policy] = (policies[policy] ?? 0) + 1;
  }
  const failed = outcomes.filter(({ failure }) => failure !== null).map(({ seed }) => seed);
  const [peers, rounds] = [outcomes.map((it) => it.peers), outcomes.map((it) => it.rounds)].map((all) => [
    Math.min(...all),
    Math.max(...all),
  ]);
  return { peers, rounds, seeds: outcomes.length, policies, failed, totals, story };
}

const range = ([least, most]) => (least === most ? whole(least) : `${whole(least)} to ${whole(most)}`);

export function stormTable({ peers, rounds, seeds, failed, totals }, { processorSeconds }) {
  return table([
    HEAD,
    ["rooms", `${whole(seeds)} seeds of ${range(peers)} peers and ${range(rounds)} rounds`],
    ["seeds in which a check failed", failed.length === 0 ? "none" : `${failed.length}: ${failed.join(", ")}`],
    ["rewards acknowledged", whole(totals.rewards)],
    ["crashes, disks repaired", `${whole(totals.crashes)}, ${whole(totals.repairs)}`],
    ["messages, of them lost", `${whole(totals.messages)}, ${percent(totals.lost / totals.messages)}`],
    ["exchanges given up in doubt", whole(totals.givenUp)],
    ["times the mass was weighed, exchanges compared", `${whole(totals.weighed)}, ${whole(totals.compared)}`],
    ["processor time of a seed", `${(processorSeconds / seeds).toFixed(2)} s`],
  ]);
}

export function fuzzTable({ inputs, read, refused, findings }) {
  return table([
    HEAD,
    ["inputs", whole(inputs)],
    ["read", whole(read)],
    ["refused with a typed error", whole(refused)],
    ["taken badly", findings.length === 0 ? "none" : whole(findings.length)],
  ]);
}

export function damageTable({ seeds, running, refused, lostNothing, kept, byKind, failures }) {
  const share = ({ seeds, kept }) => `${whole(kept)} of ${whole(seeds)} (${((100 * kept) / seeds).toFixed(1)} %)`;
  return table([
    HEAD,
    ["single damages", whole(seeds)],
    ["peers that went on; typed refusals", `${whole(running)}; ${whole(refused)}`],
    [
      "ends of the process, untyped errors, losses that nobody told of, peers that did not go on",
      failures.length === 0 ? "none" : whole(failures.length),
    ],
    ["lost nothing at all", share({ seeds, kept: lostNothing })],
    ["lost nothing acknowledged before the last snapshot", `**${share({ seeds, kept })}**`],
    ...Object.entries(byKind).map(([kind, it]) => [`of files that were ${kind}`, share(it)]),
  ]);
}

/** A row for each attack; what reaches its bar is bold. */
export function attackTable({ attacks }) {
  const names = [...new Set(attacks.map(({ attack }) => attack))];
  const row = (name) => {
    const of = attacks.filter(({ attack }) => attack === name);
    const figures = of.map(({ defence, figure, reach }) => {
      const text = figure.toFixed(3);
      return `${defence} ${isReached(figure, reach) ? `**${text}**` : text}`;
    });
    return [name, figures.join("; "), of[0].reach || "–"];
  };
  return table([["attack", "by defence", "to be reached"], ...names.map(row)]);
}

function isReached(figure, reach) {
  const [, way, bound] = /^at (most|least) ([\d.]+)$/.exec(reach) ?? [];
  return way === "most" ? figure <= Number(bound) : way === "least" && figure >= Number(bound);
}

/** What was logged, and when each fault came, can be had again from the seed. */
export const keepChaos = ({ logged: _, faults, ...report }) => ({ ...report, faults: faults.length });

export function chaosTable(report) {
  const { seed, peers, seconds, policy, ground, loss, death, heal, failures, massOff } = report;
  const span = ({ count, medianMs, p99Ms, mostMs }) =>
    count === 0
      ? "not measured"
      : `median ${short(medianMs / 1000)} s, p99 ${short(p99Ms / 1000)} s, most ${short(mostMs / 1000)} s (${whole(count)} times)`;
  return table([
    HEAD,
    ["run", `seed ${seed}: ${peers} processes of \`${policy}\` for ${seconds} s, ${ground}, loss of ${loss}`],
    ["checks that failed", failures.length === 0 ? "none" : failures.join("; ")],
    ["faults, restarts", `${whole(report.faults)}, ${whole(report.restarts)}`],
    ["rewards acknowledged", whole(report.rewards)],
    ["exchanges given up in doubt", whole(report.givenUp)],
    // A given-up exchange may have left two peers uneven, so that there is nothing to weigh.
    ["sums of all peers", massOff === null ? "not weighed" : `off by ${massOff.toExponential(1)}`],
    ["until a dead peer is no longer a partner", span(death)],
    ["until all see each other again", span(heal)],
    ["most memory of a process", `${whole(report.mostMemoryMb)} MB`],
  ]);
}

export function soakTable(report) {
  const { rounds, peers, policy, hours, flooded, failures } = report;
  return table([
    HEAD,
    ["run", `${whole(rounds)} rounds of ${peers} peers of \`${policy}\`: ${short(hours)} hours at a peer's own pace`],
    ["checks that failed", failures.length === 0 ? "none" : failures.join("; ")],
    [
      "growth of memory",
      `${report.slopeMbPerHour.toFixed(2)} ± ${report.plusMinus.toFixed(2)} MB per peer and hour, in a flood`,
    ],
    [
      "the flood",
      `${whole(flooded.messages)} messages and ${whole(flooded.connections)} connections of garbage under ${whole(flooded.names)} names`,
    ],
    ["meetings per tick, before and in it", `${report.calmRate.toFixed(3)} and ${report.floodRate.toFixed(3)}`],
  ]);
}
