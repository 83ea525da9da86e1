import { type Beat, type ExchangeOutcome, eachRow, type Fault, OUTCOMES } from "@coterie/studio";

export interface SeenExchange {
  readonly peer: number;
  readonly partner: number;
  readonly outcome: ExchangeOutcome;
  readonly receivedBytes: number;
}

const NO_ANSWER: readonly ExchangeOutcome[] = ["in-doubt", "given-up"];
export const isAnswered = ({ outcome }: SeenExchange): boolean => !NO_ANSWER.includes(outcome);

/** The exchanges of some beats. */
export function exchangesIn(beats: readonly Beat[]): SeenExchange[] {
  const found: SeenExchange[] = [];
  for (const beat of beats) {
    eachRow(beat, "met", (rows, at) => {
      const [peer, partner, code, , receivedBytes] = rows.slice(at, at + 5);
      found.push({ peer, partner, outcome: OUTCOMES[code], receivedBytes });
    });
  }
  return found;
}

/** When something was first done to the network, as the place of its beat, and to whom; place -1 where it was not. */
export function deedIn(beats: readonly Beat[], what: Fault["what"]): { place: number; peers: readonly number[] } {
  const place = beats.findIndex(({ faults }) => faults?.some((fault) => fault.what === what));
  return { place, peers: beats[place]?.faults?.find((fault) => fault.what === what)?.peers ?? [] };
}

/** Since when each peer has not pooled with `other`, in ms; those who do are left out. */
export function partedFrom(beats: readonly Beat[], other: number): Map<number, number> {
  const parted = new Map<number, number>();
  for (const beat of beats) {
    eachRow(beat, "pool", (rows, at) => {
      if (rows[at + 1] !== other) return;
      if (rows[at + 2] === 1) parted.delete(rows[at]);
      else parted.set(rows[at], beat.at);
    });
  }
  return parted;
}
