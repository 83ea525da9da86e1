import { expect, it } from "vitest";
import { rough, withInterval } from "./words.ts";

it("large numbers are rough, others as they are", () => {
  expect(rough(310_462_000)).toBe("3.1·10⁸");
  expect(rough(1e12)).toBe("1.0·10¹²");
  expect(rough(9_253)).toBe("9,253");
  expect(rough(20.04)).toBe("20.0");
});

it("an interval stands beside its value where there is one", () => {
  expect(withInterval({ value: 0.5234, low: 0.481, high: 0.562, count: 8 })).toBe("0.523 (0.481 to 0.562)");
  expect(withInterval({ value: 0.5234, low: null, high: null, count: 1 })).toBe("0.523");
  expect(withInterval({ value: 2, low: 2, high: 2, count: 8 })).toBe("2");
  expect(withInterval({ value: 34_040, low: 34_040 * (1 - 1e-15), high: 34_040, count: 8 }, "bytes")).toBe("34.0 kB");
});
