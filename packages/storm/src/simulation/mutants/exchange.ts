import * as parts from "@coterie/net/internal";
import type { Mutant } from "./mutant.ts";
import { replaceMethod } from "./replace.ts";

const { AverageExchange } = parts;
type AverageExchange = parts.AverageExchange;

/** Where the id of an exchange lies in its messages. */
const [ID_AT, ID_BYTES] = [4, 16];

/** Bugs in the machine of an exchange and in what it has written down. */
export const EXCHANGE_MUTANTS: readonly Mutant[] = [
  {
    name: "no-refusal-record",
    brief: "refusals are not written down, so that a late duplicate is applied after a restart",
    plant: () =>
      replaceMethod(AverageExchange.prototype, "answer", (_self, original, partner, bytes) => {
        const given = original(partner, bytes);
        return given.verdict === "busy" || given.verdict === "behind" ? { ...given, records: [] } : given;
      }),
  },
  {
    name: "no-deduplication",
    brief: "a proposal that comes again is taken for a new one",
    plant: () => {
      let made = 0;
      return replaceMethod(AverageExchange.prototype, "answer", (_self, original, partner, bytes) => {
        const other = bytes.slice();
        new DataView(other.buffer).setUint32(ID_AT, made++);
        const given = original(partner, other);
        const answer = given.answer([]).slice();
        answer.set(bytes.subarray(ID_AT, ID_AT + ID_BYTES), ID_AT);
        return { ...given, answer: () => answer };
      });
    },
  },
  {
    name: "no-answer-record",
    brief: "what was answered is not written down, so that a crash undoes one side of an exchange",
    plant: () =>
      replaceMethod(AverageExchange.prototype, "answer", (_self, original, partner, bytes) => {
        return { ...original(partner, bytes), records: [] };
      }),
  },
  {
    name: "no-flight-record",
    brief: "a proposal is not written down before it leaves, so that a restart forgets that it is in doubt",
    plant: () =>
      replaceMethod(AverageExchange.prototype, "propose", (_self, original, partner, id) => {
        return { ...original(partner, id), records: [] };
      }),
  },
  {
    name: "forgets-doubt",
    brief: "an exchange without an answer is given up at once and not counted, and the peer mixes on",
    plant: () => {
      const shipped = Object.getOwnPropertyDescriptor(AverageExchange.prototype, "flight")!;
      Object.defineProperty(AverageExchange.prototype, "flight", {
        configurable: true,
        get(this: AverageExchange) {
          if (this.giveUp().length > 0) this.massAtRisk -= 1;
          return null;
        },
      });
      return () => Object.defineProperty(AverageExchange.prototype, "flight", shipped);
    },
  },
  {
    name: "applies-twice-after-restart",
    brief: "an answer that was written down is applied twice when the log is lived through again",
    plant: () =>
      replaceMethod(AverageExchange.prototype, "restore", (_self, original, record) => {
        original(record);
        if (record.kind !== "landed") return;
        original({ kind: "flight", id: record.id, partner: "p00" });
        original(record);
      }),
  },
  {
    name: "unbounded-leap",
    brief: "a peer follows a partner into any round it claims",
    plant: () => replaceMethod(parts.Leaps.prototype, "allows", () => true),
  },
  {
    name: "half-an-exchange",
    brief: "now and then the proposing side gives its statistics and does not take in the other's",
    plant: () => {
      let count = 0;
      return replaceMethod(AverageExchange.prototype, "conclude", (self, original, arrived) => {
        const { answer } = arrived;
        count += 1;
        if (answer.verdict !== "mix" || count % 20 !== 0) return original(arrived);
        return original(self.arrive(parts.encodeAnswer({ ...answer, verdict: "keep", frames: [] })));
      });
    },
  },
  {
    name: "prune-one-side",
    brief: "a peer that is told that the other one parted does not part",
    plant: () =>
      replaceMethod(AverageExchange.prototype, "conclude", (self, original, arrived) => {
        const { answer } = arrived;
        if (answer.verdict !== "prune") return original(arrived);
        return original(self.arrive(parts.encodeAnswer({ ...answer, verdict: "keep" })));
      }),
  },
];
