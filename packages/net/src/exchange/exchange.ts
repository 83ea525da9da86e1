import {
  ConfigError,
  type Offer,
  type Peer,
  type PeerId,
  type ProtocolViolation,
  type Reader,
  type WireLimits,
  type Writer,
} from "@coterie/core";
import type { PeerRecord } from "@coterie/core/internal";
import { AverageExchange } from "./averageExchange.ts";
import type { Answer, ExchangeId, Verdict } from "./message.ts";
import type { Proof } from "./proofs.ts";
import { RecordExchange } from "./recordExchange.ts";

export interface ExchangeConfig {
  readonly peer: Peer;
  /** What both sides must agree on; see `Proposal`. */
  readonly agreement: string;
  readonly limits: WireLimits;
  /** Times in a row that averages are asked for without an answer before the exchange is given up. */
  readonly patience?: number | undefined;
}

/** The exchange that this peer proposed and does not know the end of. */
export interface Flight {
  readonly id: ExchangeId;
  readonly partner: PeerId;
}

/** What must be on the disk before the message beside it leaves. */
export type ExchangeRecord =
  | { readonly kind: "flight"; readonly id: ExchangeId; readonly partner: PeerId }
  | { readonly kind: "landed"; readonly id: ExchangeId; readonly answer: Uint8Array }
  | { readonly kind: "answered"; readonly id: ExchangeId; readonly partner: PeerId; readonly proposal: Uint8Array }
  | { readonly kind: "given-up"; readonly id: ExchangeId }
  /** It never left this peer. */
  | { readonly kind: "withdrawn"; readonly id: ExchangeId }
  /** An origin was caught: a frame with what it signed (proofs.ts). */
  | { readonly kind: "caught"; readonly id: ExchangeId; readonly proofs: Uint8Array };

/** What came of a proposal of another peer. */
export interface Answered {
  readonly records: ExchangeRecord[];
  readonly verdict: Verdict;
  /** What the other side did wrong, though it gets an answer. */
  readonly complaint: ProtocolViolation | null;
  /** The proposal came before, and so did its answer. */
  readonly repeated: boolean;
  /** The answer may leave only when everything written down so far is on the disk. */
  readonly waits: boolean;
  /** What the other side lacks, before it is known which of it may leave. */
  readonly lacked: readonly PeerRecord[];
  /** The answer, with those of `lacked` that may leave. */
  readonly answer: (lacked: readonly PeerRecord[]) => Uint8Array;
}

/** An answer to a proposal of ours that was read and not yet believed. */
export interface Arrival {
  readonly bytes: Uint8Array;
  readonly answer: Answer;
  /** With `mix`: what the partner sent. */
  readonly offer: Offer | null;
  /** What it brings that its origins must have signed. */
  readonly records: readonly PeerRecord[];
  /** And what shows that an origin said two different things; its records count as little as theirs. */
  readonly proofs?: readonly Proof[];
}

/** What came of one of our own. */
export interface Concluded {
  readonly records: ExchangeRecord[];
  /** Null where the answer was to an older one. */
  readonly verdict: Verdict | null;
  readonly complaint: ProtocolViolation | null;
  /** Origins of the records that were taken in. */
  readonly taken?: readonly PeerId[];
  /** Origins that were caught just now. Nothing is to be kept of them. */
  readonly caught?: readonly PeerId[];
  /** Origins that nobody was able to meet for long: nothing is to be kept of them either. */
  readonly expired?: readonly PeerId[];
}

/** Nobody answered: the partner is asked again, or the exchange is given up. */
export interface Unanswered {
  readonly records: ExchangeRecord[];
  readonly verdict: "in-doubt" | "given-up";
}

/**
 * The pure machine of an exchange, by its kind of delivery. No clock, no IO. Whatever it returns as `records` the host
 * writes down first; `restore` plays them back.
 */
export interface Exchange {
  readonly flight: Flight | null;
  /** Exchanges given up while in doubt: each may have left the two sides uneven by one exchange. */
  readonly massAtRisk: number;
  /** Begins an exchange, if none is in flight. The proposal may be sent again and again until it is answered. */
  propose(partner: PeerId, id: ExchangeId): { records: ExchangeRecord[]; proposal: Uint8Array };
  /** The proposal in flight, to be sent again. */
  again(): Uint8Array;
  /** Answers a proposal. Throws a ProtocolViolation, with nothing changed, for what no correct peer sends. */
  answer(partner: PeerId, bytes: Uint8Array): Answered;
  /** Reads an answer, so that what it brings can be checked before `conclude`. Changes nothing. */
  arrive(bytes: Uint8Array): Arrival;
  /**
   * Takes the answer to the proposal in flight; one to an older proposal changes nothing. Records of origins that are not
   * admitted are left out, as if they had never been sent, for the log too.
   */
  conclude(arrived: Arrival, admits?: (origin: PeerId) => boolean): Concluded;
  /** The proposal in flight got no answer. `unsent`: for sure because it did not leave, this time. */
  unanswered(unsent: boolean, patience?: number): Unanswered;
  /** Plays back what was written down, in order, on a peer restored from the snapshot before it. */
  restore(record: ExchangeRecord): void;
  /** What a snapshot keeps beside the peer's own. */
  write(out: Writer): void;
  read(from: Reader): void;
}

/** The exchange of a peer's policy; null where its peers meet nobody. */
export function createExchange(config: ExchangeConfig): Exchange | null {
  const { codec, kind, ownClock } = config.peer.config.policy;
  if (codec === null) return null;
  if (!ownClock) throw new ConfigError("policy", kind, "be one whose peers count rounds each by themselves: no epochs");
  return codec.records === undefined
    ? new AverageExchange(config, codec)
    : new RecordExchange(config, codec, codec.records);
}
