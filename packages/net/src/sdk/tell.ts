import type { ExplanationReason } from "./explain.ts";

/** What an explanation tells in words. */
export interface ToldExplanation {
  readonly mean: number;
  readonly spread: number | null;
  readonly reasons: readonly ExplanationReason[];
  readonly evidence: number;
  readonly own: number;
  readonly borrowed: number;
  readonly neighbours: number;
  readonly explored: boolean;
}

/** Reasons that are named one by one. */
const MOST = 4;

/** An explanation for people: what is expected, why, and what that rests on. */
export function tell({
  mean,
  spread,
  reasons,
  evidence,
  own,
  borrowed,
  neighbours,
  explored,
}: ToldExplanation): string {
  const expected = `Expected reward ${rounded(mean)}${spread === null ? "" : `, give or take ${rounded(spread)}`}`;
  const drawn = explored ? " Drawn at random, to keep exploring." : "";
  if (evidence === 0) return `${expected}: nothing is known yet.${drawn}`;
  const why = reasons.length === 0 ? "" : `: ${reasons.slice(0, MOST).map(named).join(", ")}`;
  const more = reasons.length > MOST ? ` and ${reasons.length - MOST} more` : "";
  const [all, mine] = [Math.round(own + borrowed), Math.round(own)];
  const others = borrowed < 0.5 ? "" : `, ${Math.round(borrowed)} borrowed from ${peers(neighbours)}`;
  return `${expected}${why}${more}. From ${all} observation${all === 1 ? "" : "s"}: ${mine} of its own${others}.${drawn}`;
}

const named = ({ name, share }: ExplanationReason): string =>
  `${name} ${share < 0 ? "−" : "+"}${rounded(Math.abs(share))}`;

const peers = (count: number): string => (count === 1 ? "one peer" : `${count} peers`);

/** Three digits that count, and no more. */
const rounded = (value: number): string => String(Number(value.toPrecision(3))).replace("-", "−");
