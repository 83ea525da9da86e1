import { Reader, Writer } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { AnsweredExchanges } from "./answered.ts";

const id = (k: number): string => k.toString(16).padStart(32, "0");
const large = (k: number): Uint8Array => new Uint8Array(60_000).fill(k);
const small = Uint8Array.of(1, 2, 3);

const written = (answered: AnsweredExchanges): Uint8Array => {
  const out = new Writer();
  answered.write(out);
  return out.bytes();
};

describe("what was answered", () => {
  it("is told again until its proposer proposes again; then only that it is over", () => {
    const answered = new AnsweredExchanges();
    expect(answered.find(id(1))).toBeUndefined();
    answered.remember(id(1), "a", large(1));
    answered.remember(id(2), "b", large(2));
    expect(answered.find(id(1))).toEqual(large(1));
    answered.remember(id(3), "a", large(3));
    expect(answered.find(id(1))).toBeNull();
    expect(answered.find(id(2))).toEqual(large(2));
    answered.heard("b");
    expect(answered.find(id(2))).toBeNull();
  });

  it("is kept where it only put off: an older answer of its proposer proves nothing about it", () => {
    const answered = new AnsweredExchanges();
    answered.remember(id(1), "a", small);
    answered.heard("a");
    expect(answered.find(id(1))).toEqual(small);
  });

  it("has a bound, however many ask", () => {
    const answered = new AnsweredExchanges();
    const last = large(9);
    for (let k = 1; k <= 1500; k++) answered.remember(id(k), `peer ${k}`, k % 5 === 0 ? last : small);
    expect(written(answered).length).toBeLessThan(9 * 1024 * 1024);
    expect(answered.find(id(1500))).toBe(last);
    expect(answered.find(id(600))).toBeNull();
    expect(answered.find(id(1))).toBeUndefined();
  });

  it("comes back from a snapshot as it was", () => {
    const answered = new AnsweredExchanges();
    for (let k = 1; k <= 40; k++) answered.remember(id(k), `peer ${k % 9}`, k % 5 === 0 ? small : large(k));
    const again = new AnsweredExchanges();
    again.read(new Reader(written(answered), (reason) => new Error(reason)));
    for (let k = 0; k <= 41; k++) expect(again.find(id(k))?.[0]).toBe(answered.find(id(k))?.[0]);
    expect(Buffer.compare(written(again), written(answered))).toBe(0);
  });
});
