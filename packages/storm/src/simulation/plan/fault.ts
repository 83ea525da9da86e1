/** What may go wrong. Times are in rounds since the start of the storm; a fault that is left out changes nothing else. */
export type PlannedFault =
  | { readonly kind: "loss"; readonly rate: number }
  | { readonly kind: "duplicates"; readonly rate: number }
  /** Messages take up to so long, each by itself, and so overtake one another. */
  | { readonly kind: "delay"; readonly mostMs: number }
  /** A write takes up to so long. */
  | { readonly kind: "slow-disk"; readonly mostMs: number }
  /** Nothing passes from one side to the other; both ways unless `oneWay`. */
  | {
      readonly kind: "partition";
      readonly at: number;
      readonly rounds: number;
      readonly side: readonly number[];
      readonly oneWay: boolean;
    }
  /** The power fails at the `write`-th write from then on: before it, in the middle of it, or before anybody is told. */
  | {
      readonly kind: "crash";
      readonly peer: number;
      readonly at: number;
      readonly write: number;
      readonly how: "before" | "torn" | "after";
      readonly rounds: number;
      /** What is found when the peer starts again. */
      readonly damage: Damage | null;
    }
  /** The disk reports an error: of a write that did not arrive, or of one that did. */
  | { readonly kind: "write-error"; readonly peer: number; readonly at: number; readonly how: "fail" | "doubt" }
  | { readonly kind: "clock"; readonly peer: number; readonly at: number; readonly jumpMs: number }
  /** The peer says goodbye and comes back. */
  | { readonly kind: "away"; readonly peer: number; readonly at: number; readonly rounds: number }
  | { readonly kind: "late"; readonly peer: number; readonly at: number }
  | { readonly kind: "liar"; readonly peer: number; readonly style: LiarStyle };

/** A byte turned, a record gone, a record cut short. */
export type Damage = "flip" | "drop" | "cut";
/** Makes up rewards; garbles what it sends; sends what it sent before; hears and never answers; claims late rounds. */
export type LiarStyle = "invents" | "garbles" | "replays" | "mute" | "leads";

const percent = (rate: number): string => `${Math.round(100 * rate)} %`;

/** One line of a story. */
export function describe(fault: PlannedFault): string {
  switch (fault.kind) {
    case "loss":
      return `${percent(fault.rate)} of messages are lost`;
    case "duplicates":
      return `${percent(fault.rate)} of messages come twice`;
    case "delay":
      return `messages take up to ${Math.round(fault.mostMs)} ms and overtake one another`;
    case "slow-disk":
      return `a write takes up to ${Math.round(fault.mostMs)} ms`;
    case "partition":
      return `round ${fault.at}: nothing passes from peers ${fault.side.join(", ")} to the others${fault.oneWay ? "" : ", nor back"}, for ${fault.rounds} rounds`;
    case "crash":
      return `round ${fault.at}: peer ${fault.peer} crashes ${CRASHES[fault.how]} write ${fault.write} from then, and starts again after ${fault.rounds} rounds${fault.damage === null ? "" : ` with ${DAMAGES[fault.damage]}`}`;
    case "write-error":
      return `round ${fault.at}: the disk of peer ${fault.peer} reports an error of a write that ${fault.how === "fail" ? "did not arrive" : "arrived"}`;
    case "clock":
      return `round ${fault.at}: the clock of peer ${fault.peer} jumps by ${Math.round(fault.jumpMs / 1000)} s`;
    case "away":
      return `round ${fault.at}: peer ${fault.peer} leaves and comes back after ${fault.rounds} rounds`;
    case "late":
      return `round ${fault.at}: peer ${fault.peer} joins only now`;
    case "liar":
      return `peer ${fault.peer} ${LIES[fault.style]}`;
  }
}

const CRASHES = { before: "before", torn: "in the middle of", after: "right after" } as const;
const DAMAGES = { flip: "a byte turned", drop: "a record gone", cut: "a record cut short" } as const;
const LIES = {
  invents: "makes up rewards",
  garbles: "garbles what it sends",
  replays: "sends what it sent before",
  mute: "never answers",
  leads: "claims to be in a far later round",
} as const;
