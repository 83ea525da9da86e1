import fc from "fast-check";
import { expect, it } from "vitest";
import { assert, ConfigError, InvariantError, ProtocolViolation, show, within } from "./errors.ts";
import { thousands } from "./testing/thousands.ts";

it("an error names the field, the bound and the value in one sentence", () => {
  const error = new ConfigError("radius.alpha", -1, "be at least 0");
  expect(error.message).toBe("radius.alpha must be at least 0, but is -1");
  expect(new ProtocolViolation("version", "frame.version", 9, "be 1").message).toBe(
    "frame.version must be 1, but is 9",
  );
});

it("each fault has its own name, so that a host can tell whose it is", () => {
  expect(new ConfigError("a", 1, "b").name).toBe("ConfigError");
  expect(new ProtocolViolation("version", "a", 1, "b").name).toBe("ProtocolViolation");
  expect(() => assert(false, "one is two")).toThrow(new InvariantError("broken invariant: one is two"));
  expect(() => assert(true, "one is one")).not.toThrow();
});

it("a number is within its bounds, both of them included, or refused; what is no number is refused", () => {
  expect([1, 2, 3].map((value) => within("a", value, 1, 3))).toEqual([1, 2, 3]);
  for (const value of [0.99, 3.01, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => within("a", value, 1, 3)).toThrow(
      new ProtocolViolation("out-of-range", "a", value, "lie from 1 to 3"),
    );
  }
});

it.each<[unknown, string]>([
  [Number.NaN, "NaN"],
  [undefined, "missing"],
  [null, "null"],
  [12n, "12"],
  [[1, 2, 3], "a list of 3"],
  [new Float64Array(2), "16 bytes"],
  [{ alpha: 1, beta: 2 }, "an object with alpha, beta"],
  [{}, "an object with no field"],
  [() => 1, "a function"],
  [Symbol("x"), "a symbol"],
  ['say "no"', '"say \\"no\\""'],
])("shows %o as %s", (value, text) => {
  expect(show(value)).toBe(text);
});

it("shows anything at all in one short line", () => {
  const property = fc.property(
    fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true }),
    (value) => {
      const text = show(value);
      expect(text.length).toBeGreaterThan(0);
      expect(text).not.toContain("\n");
      if (typeof value !== "bigint") expect(text.length).toBeLessThanOrEqual(60);
    },
  );
  fc.assert(property, thousands);
});
