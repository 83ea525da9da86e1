import { describe, expect, it } from "vitest";
import { bytes, count, numberText, show, showEstimate, showInterval, showP } from "./numbers.ts";

describe("numbers for readers", () => {
  it.each([
    [0, "0"],
    [1234567.8, "1,234,568"],
    [18530.4, "18,530"],
    [181.4, "181"],
    [1.0849, "1.08"],
    [0.012345, "0.0123"],
    [-42.5, "−42.5"],
    [-0.0000001, "−1.0e−7"],
    [Number.POSITIVE_INFINITY, "∞"],
  ])("%f reads %s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  it("does not show a minus before nothing", () => {
    expect(numberText(-0.001, 1)).toBe("0.0");
  });

  it("gives value and bounds as many places as the width deserves", () => {
    const estimate = { value: 1.08123, low: 1.0219, high: 1.1388, count: 10 };
    expect(showEstimate(estimate)).toEqual({ value: "1.08", low: "1.02", high: "1.14" });
    expect(showInterval({ value: 181, low: 170.2, high: 192.8, count: 9 })).toBe("170 to 193");
    expect(showInterval({ value: 181, low: null, high: null, count: 1 })).toBeNull();
  });

  it("writes bytes with their unit, once for an interval", () => {
    expect(bytes(0)).toBe("0 B");
    expect(bytes(999)).toBe("999 B");
    expect(bytes(999_900)).toBe("1.00 MB");
    expect(bytes(4321)).toBe("4.32 kB");
    expect(showInterval({ value: 4000, low: 3370, high: 5580, count: 9 }, "bytes")).toBe("3.4 to 5.6 kB");
    expect(showInterval({ value: 4e6, low: 3.2e6, high: 40e6, count: 9 }, "bytes")).toBe("3.20 to 40.0 MB");
  });

  it("writes shares, small p and counts", () => {
    expect(show(0.9534, "share")).toBe("95.3 %");
    expect(showP(0.0004)).toBe("< 0.001");
    expect(showP(0.0312)).toBe("0.031");
    expect(showP(0.5)).toBe("0.50");
    expect(count(1, "seed")).toBe("1 seed");
    expect(count(2000, "policy", "policies")).toBe("2,000 policies");
  });
});
