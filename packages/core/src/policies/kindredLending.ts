import type { PeerId } from "../gossip/neighbourhood.ts";
import { alike, anyNew } from "../kindred/alike.ts";
import { countCode } from "../kindred/countCode.ts";
import { type Greeting, recordsFor, wantsOf } from "../kindred/greeting.ts";
import type { KindredOptions } from "../kindred/options.ts";
import type { OwnSums } from "../kindred/own.ts";
import type { Posterior } from "../kindred/posterior.ts";
import { profileOf } from "../kindred/profile.ts";
import type { Published } from "../kindred/published.ts";
import type { PeerRecord } from "../kindred/record.ts";
import type { Schedule } from "../kindred/schedule.ts";
import type { RecordView } from "../kindred/view.ts";
import { hashText } from "../numbers/hash.ts";
import type { KindredOffer } from "./kindredOffer.ts";

const NOBODY: ReadonlySet<PeerRecord> = new Set();
const NOTHING: ReadonlyMap<number, number> = new Map();

/** The parts of a peer that it speaks of. */
export interface LendingParts {
  readonly self: PeerId;
  readonly dimension: number;
  readonly options: KindredOptions;
  readonly own: OwnSums;
  readonly published: Published;
  readonly records: RecordView;
  readonly schedule: Schedule;
  readonly posterior: Posterior;
  /** Observations that choices rest on. */
  readonly evidence: () => number;
}

/** What a kindred peer says to others: a greeting with the records it wants, and records that another one's greeting wants. */
export class KindredLending {
  readonly #parts: LendingParts;
  /** Whether others are asked for my own last record. Not part of the state: it says what to ask, not what is known. */
  #lost = false;
  /** The greeting, and what was last lent to whom, until something changes them. */
  #greets: Greeting | null = null;
  #lent: { readonly to: Greeting; readonly mine: PeerRecord | null; readonly records: PeerRecord[] } | null = null;
  /** As everything is when it is read. */
  readonly offer: KindredOffer;

  constructor(parts: LendingParts) {
    this.#parts = parts;
    const greeting = (): Greeting => this.greeting();
    const due = (): boolean => this.#due;
    this.offer = {
      policy: "kindred",
      dimension: parts.dimension,
      get due() {
        return due();
      },
      get greeting() {
        return greeting();
      },
      get reply() {
        return { peer: parts.self, due: due(), worst: 0, least: 0, salt: 0, wants: NOTHING, profile: null };
      },
      recordsFor: (to) => this.#lendsNow(to),
      held: (origin) => parts.records.groups.entries.get(origin)?.record ?? null,
    };
  }

  /** Greeting and records as they are now; who reads it later gets what it would have got now. */
  copyOffer(): KindredOffer {
    const { dimension } = this.#parts;
    return { policy: "kindred", dimension, greeting: this.greeting(), recordsFor: this.lends(true) };
  }

  recall(lost: boolean): void {
    this.#lost = lost;
    this.changed();
  }

  /** The greeting, and what is lent, may be others now. */
  changed(): void {
    this.#greets = null;
    this.#lent = null;
  }

  get #due(): boolean {
    return this.#parts.schedule.due || this.#lost;
  }

  greeting(): Greeting {
    if (this.#greets !== null) return this.#greets;
    const { options, records, schedule, posterior, evidence } = this.#parts;
    const profile = options.seek ? profileOf(posterior.mean, countCode(evidence())) : null;
    const greeting = records.greeting(this.#due, schedule.wide, profile, this.#salt());
    this.#greets = this.#lost ? { ...greeting, lost: true } : greeting;
    return this.#greets;
  }

  /** What I would send to whoever greets; `kept` as it is now. */
  lends(kept: boolean): (to: Greeting) => PeerRecord[] {
    const { published, records, options } = this.#parts;
    const { shelf } = records.groups;
    const [mine, others, census] = [published.record, kept ? shelf.copy() : shelf, kept ? records.census(true) : null];
    return (to) => {
      const said = wantsOf(to, others);
      // Only who seeks kin is told of those like it, and soon it holds something of everybody.
      const some = to.profile !== null && anyNew(to, others, said);
      const like = some ? alike(to, census ?? records.census(false), said) : NOBODY;
      return recordsFor(to, mine, others, like, options.budget, said);
    };
  }

  /** Whoever counts the bytes of an exchange asks for the same records as whoever takes them. */
  #lendsNow(to: Greeting): PeerRecord[] {
    const mine = this.#parts.published.record;
    if (this.#lent?.to !== to || this.#lent.mine !== mine) {
      this.#lent = { to, mine, records: this.lends(false)(to) };
    }
    return this.#lent.records;
  }

  /** Another one for every observation and every version of me: nobody else knows the sums it is made of before it is said. */
  #salt(): number {
    const { self, own, evidence } = this.#parts;
    return hashText(`${self} ${own.count} ${own.squares} ${evidence()}`);
  }
}
