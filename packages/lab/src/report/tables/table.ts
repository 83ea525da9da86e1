import type { Measure } from "../measures.ts";
import { count, numberText, show, showEstimate, showInterval, showP } from "../numbers.ts";
import { leastP, type Paired } from "../statistics/paired.ts";
import { type PolicySummary, tabled, type WorldSummary } from "../summary.ts";
import { plain } from "../text.ts";

/** A table before it is HTML, text or CSV. */
export interface Table {
  readonly name: string;
  /** Peers, rounds and seeds. */
  readonly caption: string;
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly (readonly TableCell[])[];
  readonly notes: readonly string[];
}

export interface ReportColumn {
  readonly title: string;
  /** Numbers stand to the right. */
  readonly numeric: boolean;
  /** What to leave out last where room is short: 0 stays always. */
  readonly rank: number;
}

export interface TableCell {
  readonly text: string;
  /** The interval. */
  readonly detail: string | null;
  /** "9 of 10" seeds where not all have a value: never left out, for such a mean is over the lucky ones. */
  readonly part: string | null;
  readonly best: boolean;
  /** What to sort by; null goes last. */
  readonly order: number | string | null;
}

const NOTHING: TableCell = { text: "–", detail: null, part: null, best: false, order: null };

/** Policies of a world, one each row. Columns without any value are left out. */
export function tableOf(world: WorldSummary): Table {
  const shown = tabled.filter(({ name }) => world.policies.some(({ values }) => values.get(name)!.estimate !== null));
  const compared = world.policies.some(({ against }) => against !== null);
  const columns: ReportColumn[] = [{ title: "policy", numeric: false, rank: 0 }];
  const rows: TableCell[][] = world.policies.map(({ policy }) => [nameCell(policy)]);
  const add = (column: ReportColumn, cellOf: (policy: PolicySummary) => TableCell): void => {
    columns.push(column);
    for (const [index, policy] of world.policies.entries()) rows[index]!.push(cellOf(policy));
  };
  for (const measure of shown) {
    add({ title: measure.title, numeric: true, rank: measure === world.primary ? 1 : RANKS[measure.name]! }, (policy) =>
      valueCell(policy, measure),
    );
    if (measure === world.primary && compared) addComparison(world, add);
  }
  return { name: plain(world.world), caption: captionOf(world), columns, rows, notes: notesOf(world, compared) };
}

const RANKS: Readonly<Record<string, number>> = {
  regret: 2,
  rewardOverRandom: 3,
  bytes: 4,
  exactAtRound: 5,
  exchanges: 7,
  reward: 8,
};

function addComparison(
  world: WorldSummary,
  add: (column: ReportColumn, of: (policy: PolicySummary) => TableCell) => void,
): void {
  const reference = plain(world.reference);
  const against =
    (cellOf: (paired: Paired) => TableCell) =>
    (policy: PolicySummary): TableCell =>
      policy.against === null ? NOTHING : cellOf(policy.against);
  add({ title: `minus ${reference}'s`, numeric: true, rank: 6 }, against(differenceCell));
  if (world.policies.some((policy) => policy.against?.ratio)) {
    add({ title: `times ${reference}'s`, numeric: true, rank: 2 }, against(ratioCell));
  }
  if (world.policies.some((policy) => policy.against?.p)) {
    add(
      { title: "p", numeric: true, rank: 2 },
      against(({ p }) => (p === null ? NOTHING : cell(showP(p), null, p))),
    );
  }
}

const cell = (text: string, detail: string | null, order: number | string): TableCell => ({
  text,
  detail,
  part: null,
  best: false,
  order,
});

const nameCell = (policy: string): TableCell => cell(plain(policy), null, plain(policy));

function valueCell(policy: PolicySummary, measure: Measure): TableCell {
  const { estimate, known, of, best } = policy.values.get(measure.name)!;
  if (estimate === null) return NOTHING;
  const { value } = showEstimate(estimate, measure.unit);
  // An interval without width is said by the value alone.
  const detail = estimate.low === estimate.high ? null : showInterval(estimate, measure.unit);
  const part = known < of ? `${known} of ${of}` : null;
  return { text: value, detail, part, best, order: estimate.value };
}

function differenceCell({ difference }: Paired): TableCell {
  const { value } = showEstimate(difference);
  const signed = difference.value > 0 ? `+${value}` : value;
  return cell(signed, showInterval(difference), difference.value);
}

function ratioCell({ ratio }: Paired): TableCell {
  if (ratio === null) return NOTHING;
  const shown = ratio.low === null ? numberText(ratio.value, 3) : showEstimate(ratio).value;
  return cell(shown, showInterval(ratio), ratio.value);
}

function captionOf({ peers, rounds, seeds }: WorldSummary): string {
  return `${count(peers, "peer")}, ${count(rounds, "round")}, ${count(seeds, "seed")}`;
}

function notesOf(world: WorldSummary, compared: boolean): string[] {
  const notes: string[] = [];
  if (world.seeds === 1)
    notes.push("One seed only: there are no intervals, and no difference can be told from chance.");
  const fewer = world.policies.filter(({ seeds }) => seeds < world.seeds);
  for (const { policy, seeds } of fewer)
    notes.push(`${plain(policy)} has finished ${show(seeds)} of ${world.seeds} seeds.`);
  if (compared && world.seeds > 1) {
    notes.push(
      `${world.primary.title === "regret" ? "Regret" : "Reward"} is compared with ${plain(world.reference)}'s over the seeds both have.`,
    );
    notes.push(...fewSeeds(world.seeds));
  }
  return notes;
}

/** p ≤ 0.05 is out of reach for so few: then p says nothing about a difference, and the reader must be told. */
const SIGNIFICANT = 0.05;

function fewSeeds(seeds: number): string[] {
  const least = leastP(seeds);
  if (least <= SIGNIFICANT) return [];
  let enough = seeds;
  while (leastP(enough) > SIGNIFICANT) enough++;
  return [
    `With ${count(seeds, "seed")} p cannot be below ${showP(least)}, however large the difference is. p can reach ${SIGNIFICANT} with ${count(enough, "seed")} or more.`,
  ];
}
