import { describe, expect, it } from "vitest";
import { Random } from "../numbers/random.ts";
import { look, recordOf } from "../testing/kin.ts";
import { range } from "../testing/play.ts";
import { allOf } from "../work.ts";
import { alike } from "./alike.ts";
import { countCode } from "./countCode.ts";
import { ANY_RANK, type Greeting } from "./greeting.ts";
import { Population } from "./population.ts";
import { distanceTo, profileOf } from "./profile.ts";
import { calledBy, type PeerRecord } from "./record.ts";
import { RecordView } from "./view.ts";

const D = 3;
const SALT = 7;
const KINDS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Peer i, of kind i mod 3. */
const record = (i: number, count = 40): PeerRecord =>
  recordOf(`p${i}`, 1, look(Random.seeded(i), KINDS[i % 3], count, 0.2), D);

function viewOf(records: PeerRecord[]): RecordView {
  const population = new Population(D);
  const view = new RecordView("sender", D, population, { view: 64 });
  for (let round = 0; round < 20; round++) {
    view.take(records);
    allOf(population.fitting(view.records(), 3));
    view.groups.revalue();
    view.tidy(8, round);
  }
  return view;
}

const seeks = (theta: number[], evidence: number, more: Partial<Greeting> = {}): Greeting => ({
  peer: "p0",
  due: true,
  worst: 0,
  least: 0,
  salt: SALT,
  wants: new Map(),
  profile: profileOf(Float64Array.from(theta), countCode(evidence)),
  ...more,
});

const kindsOf = (found: ReadonlySet<PeerRecord>): number[] =>
  [...found].map(({ origin }) => Number(origin.slice(1)) % 3);

describe("alike", () => {
  const records = range(30).map((i) => record(i));
  const view = viewOf(records);

  it("finds those of the reader's kind, eight at most, live or kept", () => {
    for (const kind of range(3)) {
      for (const kept of [false, true]) {
        const found = alike(seeks(KINDS[kind], 20), view.census(kept));
        expect(kindsOf(found)).toEqual(Array(8).fill(kind));
      }
    }
  });

  it("is kept as it was, or is live", () => {
    const changing = viewOf(records.slice(0, 6));
    const [kept, live] = [changing.census(true), changing.census(false)];
    const [copied, lent] = [kept.groups[0], live.groups[0]];
    const before = copied.centre[copied.from];
    for (const group of changing.groups.all[0].list) group.take(0, new Float64Array(D).fill(before + 1));
    expect(copied.centre[copied.from]).toBe(before);
    expect(lent.centre[lent.from]).toBe(before + 1);
  });

  it("leaves out the reader and those it knows", () => {
    const wants = new Map(records.slice(0, 27).map((record) => [calledBy(record, SALT), 1]));
    const found = alike(seeks(KINDS[0], 20, { wants }), view.census(true));
    expect([...found].map(({ origin }) => origin)).toEqual(["p27"]);
    expect([...alike(seeks(KINDS[0], 20), view.census(true))].some(({ origin }) => origin === "p0")).toBe(false);
  });

  it("finds nobody for one that is like none of them, or that does not seek", () => {
    expect(alike(seeks([-1, -1, -1], 40), view.census(true)).size).toBe(0);
    expect(alike(seeks(KINDS[0], 20, { worst: ANY_RANK, profile: null }), view.census(true)).size).toBe(0);
  });
});

describe("a profile", () => {
  it("is the estimate to within a hundredth of its largest coordinate", () => {
    const random = Random.seeded(2);
    for (const scale of [1e-9, 1, 1e9]) {
      const estimate = Float64Array.from(range(7), () => scale * random.normal());
      const most = Math.max(...estimate.map(Math.abs));
      const off = Math.sqrt(distanceTo(profileOf(estimate, 3), estimate, new Float64Array(7)));
      expect(off).toBeLessThan(0.01 * Math.sqrt(7) * most);
      expect(off).toBeGreaterThan(0);
    }
    expect(distanceTo(profileOf(new Float64Array(2), 0), new Float64Array(2), Float64Array.of(3, 4))).toBe(25);
  });
});
