import { groupsOf, NetworkModel, parseBeat, toLine } from "@coterie/studio";
import { describe, expect, it } from "vitest";
import { Gatherer } from "./gatherer.ts";
import type { Glance, PeerReport } from "./protocol.ts";

const GLANCE: Glance = {
  round: 5,
  own: 10,
  evidence: 10,
  buffered: 0,
  drift: 0.1,
  sentBytes: 50,
  sees: 3,
  size: 4,
  lenders: [],
  near: null,
};
const report = (slot: number, more: Partial<PeerReport> = {}): PeerReport => ({
  slot,
  earned: [],
  met: [],
  pruned: [],
  troubles: [],
  ...more,
});

/** Four peers, and the model that hears of them through the feed's own text. */
function network() {
  const gatherer = new Gatherer();
  const model = new NetworkModel();
  let at = 0;
  const beat = (): void => {
    at += 250;
    model.apply(parseBeat(toLine(gatherer.beat(at))));
  };
  for (const slot of [0, 1, 2, 3]) gatherer.join(slot, `id${slot}`, `Name ${slot}`, slot % 2);
  const take = (...reports: PeerReport[]): void => {
    gatherer.take(reports, [], at);
    beat();
  };
  beat();
  take(...[0, 1, 2, 3].map((slot) => report(slot, { glance: GLANCE })));
  return { gatherer, model, take, beat };
}

describe("what is gathered", () => {
  it("counts choices and exchanges, and whom a peer borrows from", () => {
    const { model, take } = network();
    const met = [{ partner: "id2", outcome: "mix" as const, sentBytes: 7, receivedBytes: 9 }];
    take(report(0, { earned: [0.5, 0.4, 0.1, 0.2, 1, 1, 0, 0], met }));
    expect(model.value(0, "choices")).toBe(2);
    expect(model.value(0, "reward")).toBeCloseTo(1.5, 9);
    expect([model.value(0, "exchanges"), model.value(2, "exchanges")]).toEqual([1, 1]);
    take(
      report(0, {
        glance: {
          ...GLANCE,
          evidence: 30,
          lenders: [
            ["id2", 9],
            ["id1", 1],
            ["nobody", 9],
          ],
        },
      }),
      report(2, { glance: { ...GLANCE, lenders: [["id0", 10]] } }),
    );
    expect([...model.pool(0)]).toEqual([2]);
    expect([...model.lent(0)]).toEqual([
      [2, 9],
      [1, 1],
    ]);
    expect(model.borrowed(0)).toBeCloseTo(2 / 3, 9);
    expect(groupsOf(model).list).toEqual([[0, 2]]);
  });

  it("lets a lender go only when hardly anything is borrowed, and says why", () => {
    const { gatherer, model, take } = network();
    const lend = (observations: number) => take(report(0, { glance: { ...GLANCE, lenders: [["id2", observations]] } }));
    lend(5);
    lend(3);
    expect([...model.pool(0)]).toEqual([2]);
    lend(1);
    expect([...model.pool(0)]).toEqual([]);
    lend(5);
    gatherer.leave(2, "killed");
    take();
    expect([...model.pool(0)]).toEqual([]);
    expect(model.isPresent(2)).toBe(false);
    expect(model.lent(0).size).toBe(0);
  });

  it("takes the neighbourhood where a policy knows no lenders", () => {
    const { model, take } = network();
    take(report(1, { glance: { ...GLANCE, lenders: null, near: ["id0", "id2", "id3"] } }));
    expect([...model.pool(1)]).toEqual([0, 2, 3]);
    take(report(1, { pruned: ["id0"], glance: { ...GLANCE, lenders: null, near: ["id2", "id3"] } }));
    expect([...model.pool(1)]).toEqual([2, 3]);
  });

  it("knows guests from the hub, and forgets those who went", () => {
    const { gatherer, model } = network();
    gatherer.ignore("hub");
    gatherer.take([], ["id1", "hub", "tab"], 1000);
    model.apply(gatherer.beat(1250));
    expect(model.peers.map(({ name }) => name).slice(4)).toEqual(["Guest 1"]);
    expect(model.peers[4].cluster).toBeNull();
    model.apply(gatherer.beat(20_000));
    expect(model.isPresent(4)).toBe(false);
    expect(model.present).toBe(4);
  });
});
