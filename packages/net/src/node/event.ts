import type { PeerId, Random } from "@coterie/core";
import type { PeerRecord, ViolationReason } from "@coterie/core/internal";
import type { Verdict } from "../exchange/message.ts";
import type { ChoiceReport, ReportAnswer, ReportKind } from "../exchange/report.ts";
import type { Claim, MembershipEvent, News, Occasion, SignedEntry } from "../membership/entry.ts";
import type { Grant } from "../membership/ticket.ts";
import type { Entry } from "../store/store.ts";
import type { Connection } from "./connections.ts";
import type { Remembered } from "./places.ts";
import type { QueuedReport } from "./reportQueue.ts";
import type { Cause } from "./scores.ts";

/** What a tick came to: the verdict of the exchange, `in-doubt` where nobody answered, null where nobody was met. */
export type TickOutcome = Verdict | "in-doubt" | null;

/** What happens to a peer that meets others. */
export type MeetingEvent =
  /** The peer's own clock begins; without `tick` somebody else's ticks it. */
  | { readonly kind: "start"; readonly tick: OwnClock | null; readonly random: Random }
  /** The time of a tick has come; and all that followed from it is done, or has failed. */
  | { readonly kind: "due" | "rested" }
  /** Nobody joins or leaves any more, as far as this peer is concerned. */
  | { readonly kind: "stop" }
  /** The state is another one now: whoever is there is a member of it. */
  | { readonly kind: "gather" }
  /** Meet `partner` now, or nobody where it is null, or whoever is drawn; first close the round, unless `close` is false. */
  | { readonly kind: "tick"; readonly partner?: PeerId | null | undefined; readonly close?: boolean | undefined }
  /** The round is closed: meet `partner`, or nobody where it is null. */
  | { readonly kind: "closed-round"; readonly partner: PeerId | null }
  | MembershipEvent
  | Remember
  /** What came of our proposal: an answer, or none. */
  | { readonly kind: "replied"; readonly answer: Uint8Array }
  /** `unsent`: the proposal never left. */
  | { readonly kind: "unanswered"; readonly unsent: boolean }
  /** Somebody is gone for good: nothing of it need be kept. */
  | { readonly kind: "gone"; readonly peer: PeerId }
  /** What is wrong with the records that an answer brought; null where their origins signed them. */
  | { readonly kind: "checked"; readonly error: unknown }
  /** Somebody proposes an exchange. */
  | { readonly kind: "proposal"; readonly call: number; readonly from: PeerId; readonly proposal: Uint8Array }
  /** Those of the records for a call that may leave. */
  | { readonly kind: "sealed"; readonly call: number; readonly records: readonly PeerRecord[] }
  /** The app says something of another peer's choice. */
  | { readonly kind: "report"; readonly report: QueuedReport }
  /** The time has come to tell others what waits for them. `date`: ms since 1970. */
  | { readonly kind: "report-due"; readonly date: number }
  /** What a chooser answered; null where it did not. */
  | {
      readonly kind: "report-answered";
      readonly to: PeerId;
      readonly answer: Uint8Array | null;
      readonly date: number;
    }
  /** Somebody reports of choices of this peer; and what was made of that, which survives a crash. */
  | { readonly kind: "reports"; readonly call: number; readonly from: PeerId; readonly message: Uint8Array }
  | { readonly kind: "judged"; readonly call: number; readonly answers: readonly ReportAnswer[] };

/** How long a round lasts, and by what part of that it may be longer or shorter. */
export interface OwnClock {
  readonly periodMs: number;
  readonly jitter: number;
}

/** What a peer tells of its meetings. */
export type HostEvent =
  | {
      readonly kind: "exchange";
      /** Who began it. */
      readonly side: "proposed" | "answered";
      readonly partner: PeerId;
      readonly verdict: Verdict | "in-doubt" | "given-up";
    }
  | {
      readonly kind: "violation";
      readonly partner: PeerId;
      readonly reason: ViolationReason;
      readonly message: string;
    }
  /** A member of the room has another agreement: nothing is exchanged with it. */
  | { readonly kind: "misfit"; readonly partner: PeerId }
  /** Somebody is refused from now on, or names from an address prefix are left alone for a while (`scores.ts`). */
  | { readonly kind: "distrust"; readonly what: "peer" | "prefix"; readonly who: string }
  /** Own observations that were lost with the store came back from a partner: how many there are now, and were before. */
  | { readonly kind: "regained"; readonly own: number; readonly before: number }
  /** What became of a report for another peer. */
  | {
      readonly kind: "reported";
      readonly what: ReportKind;
      readonly chooser: PeerId;
      readonly token: string;
      readonly value: number;
      readonly answer: ReportAnswer;
    }
  /** How many others are in the room, as far as is known, and how many of those in view are near. */
  | { readonly kind: "neighbourhood"; readonly members: number; readonly near: number };

/** What a driver does for it, in this order and at once, so that what is written down has the order of what happened. */
export type MeetingEffect =
  /** When the entries, or with `settled` all entries so far, are on the disk, `then`; with `later` at once, and the entries may wait for others. */
  | {
      readonly kind: "write";
      readonly entries: readonly Entry[];
      readonly settled: boolean;
      readonly later?: boolean;
      readonly then: readonly MeetingEffect[];
    }
  /** Ends in `replied` or `unanswered`; after `withinMs` in the latter, where that is given. */
  | { readonly kind: "propose"; readonly to: PeerId; readonly proposal: Uint8Array; readonly withinMs?: number }
  | { readonly kind: "check"; readonly records: readonly PeerRecord[] }
  | { readonly kind: "seal"; readonly call: number; readonly records: readonly PeerRecord[] }
  | { readonly kind: "reply"; readonly call: number; readonly answer: Uint8Array }
  | { readonly kind: "reject"; readonly call: number; readonly error: unknown }
  | { readonly kind: "tell"; readonly event: HostEvent }
  /** Ends in `report-answered`. */
  | { readonly kind: "tell-reports"; readonly to: PeerId; readonly message: Uint8Array }
  /** Whoever has the choices decides; ends in `judged`. */
  | { readonly kind: "judge"; readonly call: number; readonly reports: readonly ChoiceReport[] }
  /** `report-due`, from now, in place of the one waited for. */
  | { readonly kind: "report-in"; readonly ms: number }
  /** The tick is over. */
  | { readonly kind: "ticked"; readonly outcome: TickOutcome }
  /** To be handed in when everything before it is done; with `work` also what the peer has left undone, with pauses for whatever else there is to do. */
  | { readonly kind: "next"; readonly event: MeetingEvent; readonly work?: boolean }
  /** The next tick, from now, in place of the one waited for. */
  | { readonly kind: "tick-in"; readonly ms: number };

export type NodeEvent = GossipEvent | MeetingEvent;
export type NodeEffect = GossipEffect | MeetingEffect;

/** What happens to a node in a room. */
export type GossipEvent =
  /** The time of the round has come. `addresses`: where we can be reached now. */
  | { readonly kind: "round"; readonly addresses: readonly string[] }
  /** What we say of ourselves has changed: we are reached at other addresses, or answer exchanges from now on. */
  | { readonly kind: "moved" | "serves"; readonly addresses: readonly string[] }
  | { readonly kind: "leaving"; readonly addresses: readonly string[] }
  /** The page goes out of sight and may never run again: nothing can be waited for. And it is back. */
  | { readonly kind: "hidden" }
  | { readonly kind: "shown"; readonly addresses: readonly string[] }
  /** A peer says over its own connection that it goes. */
  | { readonly kind: "goodbye"; readonly peer: PeerId }
  /** A hub gave us a ticket. */
  | { readonly kind: "granted"; readonly grant: Grant }
  /** A claim of ours was signed. */
  | { readonly kind: "signed"; readonly entry: SignedEntry }
  | { readonly kind: "opened"; readonly connection: Connection }
  /** The other side is about to close a connection, to make room: that says nothing against it. */
  | { readonly kind: "parting"; readonly id: string }
  | { readonly kind: "closed"; readonly id: string }
  /** A message came, with genuine entries among all that it told. */
  | {
      readonly kind: "heard";
      readonly from: PeerId;
      readonly occasion: Occasion;
      readonly news: readonly News[];
      readonly told: readonly News[];
      /** Whether it is from a hub. */
      readonly hub?: boolean | undefined;
    }
  /** A request to a peer, or one of its own, begins; the latter ends. */
  | { readonly kind: "asking" | "asked" | "served"; readonly peer: PeerId }
  /** What came of a request of ours. `work`: it was an effect of this machine. */
  | { readonly kind: "answered" | "failed"; readonly peer: PeerId; readonly work: boolean }
  /** Who answered at an address, and whether it is a hub that holds a place for us. */
  | { readonly kind: "reached"; readonly address: string; readonly hub: PeerId | null; readonly held: boolean }
  | { readonly kind: "missed"; readonly address: string; readonly hub: PeerId | null; readonly refused: boolean }
  /** Somebody did what no correct peer does, as far as messages show. */
  | { readonly kind: "offended"; readonly peer: PeerId; readonly cause: Cause; readonly times: number }
  /** A way without a hub was looked for. */
  | { readonly kind: "improved" }
  /** Somebody is at an address nearby. */
  | { readonly kind: "discovered"; readonly peer: PeerId; readonly address: string };

/** What the next start needs to find others: the room finds it out, and the peer writes it down. */
export interface Remember {
  readonly kind: "remember";
  readonly places: Remembered;
}

/** What a driver does for it. Each of `call`, `contact` and `improve` ends in one event with `work`, or its own. */
export type GossipEffect =
  | { readonly kind: "sign"; readonly claim: Claim }
  /** A swap of entries. */
  | { readonly kind: "call"; readonly peer: PeerId }
  | { readonly kind: "contact"; readonly address: string; readonly mayBeHub: boolean }
  | { readonly kind: "improve"; readonly peer: PeerId }
  /** A surplus connection: its other end is told first. */
  | { readonly kind: "close"; readonly id: string }
  /** The word that we go, over a connection: at once, and whatever becomes of it. */
  | { readonly kind: "farewell"; readonly id: string }
  /** One whose other end is refused, or that is beyond what its address prefix may have: it ends without a word. */
  | { readonly kind: "drop"; readonly id: string }
  /** The next round, from now. */
  | { readonly kind: "round-in"; readonly ms: number }
  | MembershipEvent;

/** Entries to be written down, and what may happen once they are on the disk; with `settled`, once all entries so far are. */
export const write = (entries: readonly Entry[], then: MeetingEffect[] = [], settled = false): MeetingEffect[] =>
  entries.length === 0 && !settled ? then : [{ kind: "write", entries, settled, then }];

/** Entries that may wait for others to be written down with, and what happens at once. */
export const writeLater = (entries: readonly Entry[], then: MeetingEffect[] = []): MeetingEffect[] =>
  entries.length === 0 ? then : [{ kind: "write", entries, settled: false, later: true, then }];

/** Calls at addresses that a hub may be at, unless told. */
export const contacts = (addresses: readonly string[], mayBeHub = true): GossipEffect[] =>
  addresses.map((address) => ({ kind: "contact", address, mayBeHub }));
