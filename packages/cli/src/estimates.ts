import type { Estimate, Evaluation, ShadowReport, TargetReport, VariantsReport } from "@coterie/core";

/** What a log says, as text for people. */

export function evaluationText(evaluation: Evaluation): string {
  const { choices, rewarded, unrewarded, waiting, strangers, units, earned, targets, confidence } = evaluation;
  const counts = [
    `${choices} choices of ${units} units: ${rewarded} rewarded, ${unrewarded} expired without a reward, ${waiting} waiting`,
    ...(strangers > 0 ? [`${strangers} rewards of choices that are not in the log`] : []),
  ];
  const head = ["", "choices", "agreed", "effective", "IPS", "SNIPS", "doubly robust", "more than earned"];
  const rows = targets.map((one) => [
    one.target,
    `${one.choices}`,
    share(one.agreement),
    one.effective.toFixed(0),
    ...three(one),
    shown(one.gain),
  ]);
  return [
    ...counts,
    `Reward per choice, with ${interval(confidence)}:`,
    `earned  ${earned === null ? "nothing is known" : shown(earned)}`,
    ...(targets.length === 0 ? [] : columns([head, ...rows])),
    ...targets.flatMap(({ target, notes }) => notes.map((note) => `${target}: ${note}`)),
  ].join("\n");
}

export function variantsText({ variants, confidence, notes }: VariantsReport): string {
  const [first] = variants;
  const rows = variants.map(({ variant, choices, units, earned, difference }) => [
    variant,
    `${choices}`,
    `${units}`,
    shown(earned),
    difference === null ? "" : `${shown(difference)}  ${verdict(difference)}`,
  ]);
  return [
    `Reward per choice, with ${interval(confidence)}:`,
    ...columns([["variant", "choices", "units", "earned", `more than ${first?.variant}`], ...rows]),
    ...notes,
  ].join("\n");
}

export function shadowText({
  choices,
  agreed,
  earned,
  earnedWhereAgreed,
  would,
  why,
  confidence,
}: ShadowReport): string {
  const rows = [
    ["earned by the app", shown(earned)],
    ["  where both agree", earnedWhereAgreed === null ? "they never do" : shown(earnedWhereAgreed)],
    ["the peer would have earned", would === null ? "not known" : shown(would.dr)],
    ...(would === null ? [] : [["  more than the app", `${shown(would.gain)}  ${verdict(would.gain)}`]]),
  ];
  return [
    `${choices} rewarded choices of the app were watched; in ${share(agreed)} the peer would have chosen the same.`,
    `Reward per choice, with ${interval(confidence)}:`,
    ...columns(rows),
    ...(why === null ? [] : [why]),
    ...(would?.notes ?? []),
  ].join("\n");
}

const three = ({ ips, snips, dr }: TargetReport): string[] => [ips, snips, dr].map(shown);
const interval = (confidence: number): string => `${Number((100 * confidence).toFixed(3))} % intervals`;
const share = (part: number): string => `${(100 * part).toFixed(1)} %`;

/** What an interval allows to say. */
function verdict({ low, high }: Estimate): string {
  return low > 0 ? "(more)" : high < 0 ? "(less)" : "(no difference shown)";
}

/** "0.512 ± 0.022", with as many digits as the half width has two of. */
function shown({ value, low, high }: Estimate): string {
  const half = (high - low) / 2;
  if (!Number.isFinite(half)) return `${value.toPrecision(3)} ± ?`;
  const digits = half === 0 ? 3 : Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(half))));
  return `${value.toFixed(digits)} ± ${half.toFixed(digits)}`;
}

/** Rows as aligned lines: the first column to the left, numbers to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, k) => Math.max(...rows.map((row) => row[k]?.length ?? 0)));
  const padded = (cell: string, k: number): string => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!));
  return rows.map((row) => row.map(padded).join("  ").trimEnd());
}
