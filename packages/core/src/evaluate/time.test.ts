import { expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { isoTime, timeOf } from "./time.ts";

it("times read as the calendar has them, leap years and all", () => {
  const random = Random.seeded(4);
  const some = Array.from({ length: 3000 }, () => Math.floor(random.uniform() * 8e12) - 2e12);
  for (const at of [0, 951_825_600_500, -1, 4_107_542_400_000, ...some]) {
    const spelled = new Date(at).toISOString();
    expect(isoTime(at)).toBe(spelled);
    expect(timeOf("t", spelled)).toBe(at);
  }
  expect(isoTime(1.9)).toBe("1970-01-01T00:00:00.001Z");
});

it("other programs' digits are read, other forms are not", () => {
  expect(timeOf("t", "2019-08-13T20:40:28.7880000Z")).toBe(1_565_728_828_788);
  expect(timeOf("t", "1970-01-01T00:00:01Z")).toBe(1000);
  for (const bad of ["2019-08-13 20:40:28Z", "yesterday", "2019-08-13T20:40:28+02:00", 5]) {
    expect(() => timeOf("Timestamp", bad)).toThrow("Timestamp must");
  }
});
