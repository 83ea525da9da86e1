import { numberText } from "../../report/numbers.ts";
import { estimateMean } from "../../report/statistics/interval.ts";
import type { Checkpoint, Result } from "../../results/types.ts";

/** One peer whose taste becomes the opposite for the last third of its rounds. */
export const FLIP = { name: "flip, alone", after: 1000, rounds: 1500 };

/**
 * How kindred does after its taste has flipped: the share of right items from then on, beside that of the same peer over as
 * many rounds from its first on, when it was new. Null where the run has no checkpoints there, or no such world.
 */
export function flipNote(results: readonly Result[]): string | null {
  const shares = results
    .filter(({ row }) => row.world === FLIP.name && row.policy === "kindred")
    .map(({ checkpoints }) => sharesOf(checkpoints))
    .filter((share) => share !== null);
  if (shares.length === 0) return null;
  const after = shown(shares.map((share) => share.after));
  const fresh = shown(shares.map((share) => share.fresh));
  return `${FLIP.name}: kindred is right in ${after} of the choices after the flip, and in ${fresh} of as many when it was new.`;
}

function sharesOf(checkpoints: readonly Checkpoint[]): { after: number; fresh: number } | null {
  const at = (round: number): Checkpoint | undefined => checkpoints.find((checkpoint) => checkpoint.round === round);
  const [first, flip, last] = [at(FLIP.rounds - FLIP.after), at(FLIP.after), at(FLIP.rounds)];
  if (first === undefined || flip === undefined || last === undefined) return null;
  if (first.rightChoices === null || flip.rightChoices === null || last.rightChoices === null) return null;
  return {
    after: (last.rightChoices - flip.rightChoices) / (last.choices - flip.choices),
    fresh: first.rightChoices / first.choices,
  };
}

function shown(shares: readonly number[]): string {
  const { value, low, high } = estimateMean(shares);
  const interval = low === null || high === null ? "" : ` (${numberText(low, 2)} to ${numberText(high, 2)})`;
  return `${numberText(value, 2)}${interval}`;
}
