import { count, listed, percent, whole } from "../model/words.ts";

/** What is said of the company a tab's peer keeps. */
export interface Company {
  readonly title: string;
  readonly lead: string;
  readonly detail: string;
}

/** What there is to go by. */
export interface Standing {
  /** The person's own ratings, and all that choices rest on. */
  readonly own: number;
  readonly evidence: number;
  /** What those are called whose ratings count too. */
  readonly lenders: readonly string[];
  /** How many ratings the peer knew of when it was opened. */
  readonly remembered: number;
  /** The largest share that was borrowed since the first rating. */
  readonly peak: number;
}

/** With fewer ratings whom a person resembles is a guess. */
const GUESS = 5;

/** The share of the evidence that is not the person's own. */
export const borrowedShare = ({ own, evidence }: Pick<Standing, "own" | "evidence">): number =>
  evidence > 0 ? Math.max(0, evidence - own) / evidence : 0;

/** Says no more than the ratings bear: before the first one nobody is anybody's kind. */
export function companyOf(standing: Standing): Company {
  const { own, evidence, lenders, remembered, peak } = standing;
  const share = borrowedShare(standing);
  if (own === 0) {
    return {
      title: "Whom you resemble",
      lead: "Nobody can know yet: you have rated nothing.",
      detail:
        evidence > 0
          ? "0 ratings of your own. Until then it goes by what others in the room like."
          : "0 ratings of your own, and nothing heard of others yet: it shows any poster.",
    };
  }
  const known = remembered > 0 ? `; it remembered ${remembered} when it was opened` : "";
  const borrowed = `${percent(share)} of the evidence borrowed`;
  const fell = peak - share > 0.02 ? ` (${percent(peak)} at most)` : "";
  const detail = `${count(own, "rating")} of your own, ${borrowed}${fell}${known}.`;
  if (lenders.length === 0)
    return { title: "Whom you resemble", lead: "Nobody so far: it chooses by your own ratings.", detail };
  if (own < GUESS) {
    const lead = `A first guess: you may be like ${listed(lenders, 5)}. It takes some more ratings to tell.`;
    return { title: "Whom you resemble", lead, detail };
  }
  const lead = `It takes ${listed(lenders)} for your kind, and counts ${whole(evidence - own)} of their ratings beside yours.`;
  return { title: "Your kind", lead, detail };
}

/** Why the share falls; true at any time. */
export const WHY_IT_FALLS =
  "The share falls as you rate. Your own ratings count in full; those of others count only as far as they fit yours, and the more you have said, the fewer fit by chance.";

/** How often what was shown was liked: "8 of your last 10 were hits". `ratings` are newest first. */
export function hitsOf(ratings: readonly number[]): string | null {
  if (ratings.length === 0) return null;
  const hits = (list: readonly number[]): number => list.filter((rating) => rating > 0).length;
  const last = ratings.slice(0, 10);
  const were = (n: number): string => (n === 1 ? "was a hit" : "were hits");
  if (ratings.length === 1) return `Your first one was ${hits(last) === 1 ? "a hit" : "no hit"}`;
  if (ratings.length <= 10) return `${hits(last)} of your first ${last.length} ${were(hits(last))}`;
  const first = ratings.length >= 20 ? `; of your first 10, ${hits(ratings.slice(-10))}` : "";
  return `${hits(last)} of your last 10 ${were(hits(last))}${first}`;
}
