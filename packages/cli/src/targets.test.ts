import { describe, expect, it } from "vitest";
import { parseTarget } from "./targets.ts";

describe("--target", () => {
  it.each([
    ["logged", null],
    ["uniform", "uniform"],
    ["first", "first"],
    ["linear", "linear"],
    ["shadow", "shadow"],
    ["item=a cup", { item: "a cup" }],
  ])("%s", (given, spec) => {
    expect(parseTarget(given)).toEqual(spec);
  });

  it("is a policy by its name, or with options as JSON", () => {
    expect(parseTarget("kindred")).toMatchObject({ kind: "kindred" });
    expect(parseTarget('{"kind":"solo","choice":"thompson"}')).toMatchObject({ options: { choice: "thompson" } });
  });

  it.each(["best", "item=", "oracle", "round-robin", "{", "{}", '{"kind":"pooled"}'])("refuses %s", (given) => {
    expect(() => parseTarget(given)).toThrow(
      "--target must be logged, uniform, first, linear, shadow, item=NAME, or a policy: random, solo, dcb, dccb, kindred",
    );
  });

  it("names the option of a policy that is wrong", () => {
    expect(() => parseTarget('{"kind":"solo","alpha":1}')).toThrow("--target.alpha must not be there");
  });
});
