import { ConfigError, Reader, Writer } from "@coterie/core";
import { carryHeritage } from "@coterie/core/internal";
import { coordinatesOf } from "../features/coordinates.ts";
import { match } from "../features/match.ts";
import type { Admitted, Annex, Earlier, Written } from "../host/host.ts";
import type { Entry } from "../store/store.ts";
import { otherTerms } from "./agreement.ts";
import { Ledger } from "./ledger.ts";
import { Rewards } from "./rewards.ts";
import { differences, type FullTerms, parseTerms } from "./terms.ts";

/** What was made of a state that was written under other terms. */
export interface Migration {
  /** What differs, field by field: `features.words.max: 3000, was 2000`. */
  readonly changes: readonly string[];
  /** Coordinates of arms by name: those with what was known of them, those of which nothing is known, and old ones. */
  readonly kept: readonly string[];
  readonly fresh: readonly string[];
  readonly gone: readonly string[];
}

const FULL_TERMS = "terms-in-full";

/** What the SDK keeps beside a peer: the choices, and what all numbers mean. */
export class Papers implements Annex {
  readonly ledger: Ledger;
  readonly #terms: string;
  readonly #full: FullTerms;
  #migrated: Migration | null = null;

  /** `terms`: as `termsOf` gives them, the digest of `full`. */
  constructor(dimension: number, terms: string, full: FullTerms, mostPending?: number) {
    this.ledger = new Ledger(dimension, terms, mostPending);
    this.#terms = terms;
    this.#full = full;
  }

  /** The entries that say whose store this is; none where that is written down. */
  title(): Entry[] {
    if (!this.ledger.isNew) return [];
    const out = new Writer();
    out.text(JSON.stringify(this.#full));
    return [this.ledger.title(), { kind: FULL_TERMS, body: out.bytes() }];
  }

  /** What was made of another state since this was last asked; null where nothing was. */
  migrated(): Migration | null {
    const migrated = this.#migrated;
    this.#migrated = null;
    return migrated;
  }

  relive(entry: Entry): boolean {
    // Read before all others, by `earlier`.
    return entry.kind === FULL_TERMS || this.ledger.relive(entry);
  }

  admit(entries: readonly Entry[]): Admitted {
    return this.ledger.admit(entries);
  }

  clear(): void {
    this.ledger.clear();
  }

  save(): Uint8Array {
    const out = new Writer();
    out.text(JSON.stringify(this.#full));
    out.raw(this.ledger.save());
    return out.bytes();
  }

  load(saved: Uint8Array, format: number): void {
    this.ledger.load(choicesIn(saved, format));
  }

  earlier(written: Written, field: "store" | "import"): Earlier | null {
    const found = termsIn(written);
    if (found === null || found.terms === this.#terms) return null;
    const [was, now] = [found.full, this.#full];
    if (was === null || was.room !== now.room) throw otherTerms(field, found.terms, this.#terms);
    const changes = differences(was, now);
    const refusal = (why: string): ConfigError => unlike(field, changes, why);
    if (was.policy.kind !== now.policy.kind) throw refusal(`be of policy ${now.policy.kind}`);
    // The learner's 1 was so much of ours.
    const reward = new Rewards({ range: was.range }).unit / new Rewards({ range: now.range }).unit;
    const [old, ours] = [was, now].map(({ features, names }) => coordinatesOf(features, names));
    const { carry, arm, kept, fresh, gone } = match(old!, ours!, reward);
    if (!kept.some((name) => name !== "bias")) throw refusal("have a feature in common with this peer's");
    const before = new Papers(old!.length, found.terms, was, this.ledger.most);
    return {
      dimension: old!.length,
      samePolicy: JSON.stringify(was.policy.options) === JSON.stringify(now.policy.options),
      annex: before,
      carry: (heritage) => carryHeritage(heritage, carry),
      refusal: () => refusal(`have the terms that it was written under, because ${now.policy.kind} averages`),
      adopt: () => {
        this.ledger.adopt(before.ledger, arm);
        this.#migrated = { changes, kept, fresh, gone };
      },
    };
  }
}

/** For a state that cannot be gone on from. What differs stands in the bound: a value is clipped in messages. */
function unlike(field: string, changes: readonly string[], why: string): ConfigError {
  const what = `${why}, or be empty (what differs: ${changes.join("; ")})`;
  return new ConfigError(field, "written by another version of this app", what);
}

/** Before format 4 the choices were kept alone. */
function choicesIn(saved: Uint8Array, format: number): Uint8Array {
  if (format < 4) return saved;
  const from = reader(saved);
  from.text("terms");
  return from.raw("choices", from.left);
}

/** Under which terms something was written; `full` is null where that was not kept yet. */
function termsIn({ annex, entries, format }: Written): { terms: string; full: FullTerms | null } | null {
  if (annex !== null) {
    const terms = reader(choicesIn(annex, format)).text("terms");
    return { terms, full: format < 4 ? null : parseTerms(reader(annex).text("terms")) };
  }
  const said = (kind: string): string | undefined => {
    const entry = entries.find((each) => each.kind === kind);
    return entry && reader(entry.body).text("terms");
  };
  const [terms, full] = [said("terms"), said(FULL_TERMS)];
  return terms === undefined ? null : { terms, full: full === undefined ? null : parseTerms(full) };
}

const reader = (bytes: Uint8Array): Reader =>
  new Reader(bytes, (_, field, value, bound) => new ConfigError(`choices: ${field}`, value, bound));
