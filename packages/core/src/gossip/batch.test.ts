import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialPeer, type Peer, step } from "../peer/peer.ts";
import { fromSnapshot, snapshot } from "../peer/snapshot.ts";
import { type DcbOffer, dcb } from "../policies/dcb.ts";
import { type DccbOffer, dccb } from "../policies/dccb.ts";
import { kindred } from "../policies/kindred.ts";
import type { KindredOffer } from "../policies/kindredOffer.ts";

const D = 2;
/** How many observations each of some rounds brings. */
const rounds = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 });
const batches = fc.integer({ min: 2, max: 9 });

const observe = (peer: Peer, k: number): void => {
  step(peer, { kind: "observe", arm: Float64Array.of(Math.sin(k) / 2, Math.cos(k) / 2), reward: (k % 7) / 7 });
};

/** Lives through the rounds, and looks at the peer after each. */
function live(peer: Peer, counts: readonly number[], look: (made: number) => void): void {
  let made = 0;
  for (const count of counts) {
    for (let k = 0; k < count; k++) observe(peer, made++);
    step(peer, { kind: "close" });
    look(made);
  }
}

describe("a batch of observations", () => {
  it("leaves a dcb peer once it is full, and nothing is lost on the way", () => {
    fc.assert(
      fc.property(rounds, batches, (counts, batch) => {
        const peer = initialPeer({ id: "a", dimension: D, peers: 2, policy: dcb({ delay: { rounds: 100 }, batch }) });
        live(peer, counts, (made) => {
          const { slots } = peer.learner.offer() as DcbOffer;
          const sizes = Array.from({ length: slots.length }, (_, position) => slots.count(position));
          for (const size of sizes) expect(size === 0 || size >= batch).toBe(true);
          const left = sizes.reduce((sum, size) => sum + size, 0);
          expect(made - left).toBeGreaterThanOrEqual(0);
          expect(made - left).toBeLessThan(batch);
          expect(peer.learner.view.own).toBe(made);
        });
      }),
    );
  });

  it("of one is none: bit for bit what a peer without does", () => {
    for (const bridge of [false, true]) {
      fc.assert(
        fc.property(rounds, (counts) => {
          const options = { delay: { rounds: 5 }, bridge };
          const peers = [dcb(options), dcb({ ...options, batch: 1 })].map((policy) =>
            initialPeer({ id: "a", dimension: D, peers: 2, policy }),
          );
          for (const peer of peers) live(peer, counts, () => {});
          const [plain, one] = peers.map(({ learner }) => learner.view);
          expect([...one!.estimate]).toEqual([...plain!.estimate]);
          expect([...one!.active]).toEqual([...plain!.active]);
        }),
      );
    }
  });

  it("is not shown by a dccb peer before, not even in its estimate", () => {
    const policy = dccb({ delay: { rounds: 100 }, batch: 3 });
    const peer = initialPeer({ id: "a", dimension: D, peers: 2, policy });
    const shown: number[] = [];
    live(peer, [1, 1, 1, 0, 1, 2, 0], () => shown.push((peer.learner.offer() as DccbOffer).count));
    expect(shown).toEqual([0, 0, 3, 3, 3, 6, 6]);
  });

  it("is published by a kindred peer in one version", () => {
    const peer = initialPeer({ id: "a", dimension: D, peers: 2, policy: kindred({ growth: 1.01, batch: 4 }) });
    const newcomer = kindred().create(D, 1, "b").offer() as KindredOffer;
    const published: (number | undefined)[] = [];
    live(peer, [1, 2, 0, 1, 3, 2, 1], () => {
      const records = (peer.learner.offer() as KindredOffer).recordsFor(newcomer.greeting);
      published.push(records.find(({ origin }) => origin === "a")?.count);
    });
    expect(published).toEqual([undefined, undefined, undefined, 4, 4, 8, 8]);
  });

  it("counts in the peer's own choices at once where own observations do", () => {
    const policy = dcb({ delay: { rounds: 100 }, bridge: true, batch: 10 });
    const peer = initialPeer({ id: "a", dimension: D, peers: 2, policy });
    live(peer, [1, 1, 1], (made) => expect(peer.learner.view.evidence).toBe(made));
  });

  it("survives a restart half full", () => {
    const config = { id: "a", dimension: D, peers: 2, policy: dcb({ delay: { rounds: 4 }, batch: 5 }) };
    const peer = initialPeer(config);
    live(peer, [2, 1], () => {});
    const again = fromSnapshot(config, snapshot(peer));
    for (const one of [peer, again]) live(one, [1, 2, 1, 0, 0, 0, 0, 3], () => {});
    expect(snapshot(again)).toEqual(snapshot(peer));
  });

  it("is a whole number from 1", () => {
    for (const batch of [0, 1.5, -1, Number.NaN]) {
      expect(() => dcb({ batch })).toThrow(/batch must be a whole number from 1/);
      expect(() => kindred({ batch })).toThrow(/batch must be a whole number from 1/);
    }
  });
});
