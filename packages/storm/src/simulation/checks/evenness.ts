import type { Learner, Offer, Policy } from "@coterie/core";
import type { DcbOffer } from "@coterie/core/internal";
import * as parts from "@coterie/net/internal";
import { replaceMethod } from "../mutants/replace.ts";

/** What one mixing changed, slot behind slot, the newest first. */
type Shift = Float64Array;

/** Both sides of an exchange, as the storm knows them; null where one of them does not send what it means. */
export type WhoMeets = (exchange: parts.Exchange, partner: string) => string | null;

const TOLERANCE = 1e-9;
/** Where the id of an exchange lies in its messages. */
const [ID_AT, ID_END] = [4, 20];
/** Exchanges remembered: many more than can be under way at once. */
const MOST_KNOWN = 4096;

/**
 * Watches every exchange of averages: what one side gives in a slot the other one takes, once. So a fault shows in the
 * exchange in which it happens, and in rooms too whose sum says nothing, because some lie or a disk was damaged.
 */
export class Evenness {
  /** By exchange: what each answer to it changed; null for an answer that changed nothing. */
  readonly #answers = new Map<string, (Shift | null)[]>();
  readonly #applied = new WeakMap<parts.Exchange, Set<string>>();
  #last: Shift | null = null;
  checked = 0;

  constructor(
    readonly who: WhoMeets,
    readonly fail: (message: string) => void,
  ) {}

  /** The same policy, with an eye on what mixing changes. */
  watched(policy: Policy): Policy {
    if (policy.delivery !== "once") return policy;
    return {
      ...policy,
      create: (dimension, peers, self) => this.#watchMixing(policy.create(dimension, peers, self)),
    };
  }

  /** Looks at all exchanges of this process from now on; returns a way to stop. */
  begin(): () => void {
    const undo = [
      replaceMethod(parts.AverageExchange.prototype, "answer", (self, original, partner, bytes) => {
        this.#last = null;
        const given = original(partner, bytes);
        this.#answered(self, idIn(bytes), partner, given.verdict);
        return given;
      }),
      replaceMethod(parts.AverageExchange.prototype, "conclude", (self, original, arrived) => {
        this.#last = null;
        const partner = self.flight?.partner ?? null;
        const concluded = original(arrived);
        if (concluded.verdict !== null && partner !== null) this.#concluded(self, idIn(arrived.bytes), partner);
        return concluded;
      }),
    ];
    return () => {
      for (const back of undo) back();
    };
  }

  #watchMixing(learner: Learner): Learner {
    const mix = learner.mix.bind(learner);
    learner.mix = (offer: Offer) => {
      const before = slotsOf(learner);
      mix(offer);
      this.#last = changeOf(before, learner);
    };
    return learner;
  }

  #answered(exchange: parts.Exchange, id: string, partner: string, verdict: parts.Verdict): void {
    const shift = this.#last;
    // Told again: that changes nothing, and takes nothing back.
    if (shift === null && verdict === "mix") return;
    const known = this.#answers.get(id);
    if (known === undefined) this.#answers.set(id, [shift]);
    else known.push(shift);
    if (this.#answers.size > MOST_KNOWN) this.#answers.delete(this.#answers.keys().next().value!);
    if (shift === null) return;
    const applied = this.#applied.get(exchange) ?? new Set();
    this.#applied.set(exchange, applied);
    const names = this.who(exchange, partner);
    if (applied.has(id) && names !== null) this.fail(`an exchange of ${names} was mixed twice by one side`);
    applied.add(id);
  }

  #concluded(exchange: parts.Exchange, id: string, partner: string): void {
    const taken = this.#last;
    const names = this.who(exchange, partner);
    if (names === null) return;
    this.checked += 1;
    // A peer that crashed before its answer was on the disk answers anew; whichever left was the proposer's.
    const answers = this.#answers.get(id) ?? [];
    if (answers.some((given) => even(given, taken))) return;
    this.fail(`an exchange of ${names} gave one side what the other one did not give`);
  }
}

/** All slots one behind the other, the newest first. */
function slotsOf(learner: Learner): Float64Array {
  const { slots } = learner.offer() as DcbOffer;
  const { size, length, values } = slots;
  const all = new Float64Array(size * length);
  for (let age = 0, at = 0; age < length; age++) {
    const from = slots.offset(length - 1 - age);
    for (let k = 0; k < size; k++) all[at++] = values[from + k]!;
  }
  return all;
}

/** What the slots are now, less what they were; in the place of that. Where mixing made or lost slots, nothing is even. */
function changeOf(before: Float64Array, learner: Learner): Shift {
  const { slots } = learner.offer() as DcbOffer;
  const { size, length, values } = slots;
  if (before.length !== size * length) return before.fill(Number.NaN);
  for (let age = 0, at = 0; age < length; age++) {
    const from = slots.offset(length - 1 - age);
    for (let k = 0; k < size; k++, at++) before[at] = values[from + k]! - before[at]!;
  }
  return before;
}

/** Slots that only one side has are mixed by nobody. */
function even(given: Shift | null, taken: Shift | null): boolean {
  if (given === null || taken === null) return given === taken;
  for (let k = 0; k < Math.max(given.length, taken.length); k++) {
    const x = k < given.length ? given[k]! : 0;
    const y = k < taken.length ? taken[k]! : 0;
    if (!(Math.abs(x + y) <= TOLERANCE * Math.max(1, Math.abs(x)))) return false;
  }
  return true;
}

const idIn = (bytes: Uint8Array): string => String.fromCharCode(...bytes.subarray(ID_AT, ID_END));
