import { Random } from "@coterie/core";
import { describe, expect, it } from "vitest";
import { DECK_ARMS, makeDeck } from "../deck/cards.ts";
import { Dealer } from "./dealer.ts";
import { companyOf, hitsOf, type Standing } from "./told.ts";

describe("what is dealt", () => {
  const stream = Random.seeded(7);
  const random = (): number => stream.uniform();

  it("was not shown before, whatever the peer picks of it, until the deck is through", () => {
    const dealer = new Dealer(makeDeck(40), DECK_ARMS);
    const shown: number[] = [];
    for (let k = 0; k <= 40 - DECK_ARMS; k++) {
      const hand = dealer.deal(random);
      expect(hand.length).toBe(DECK_ARMS);
      const pick = hand.reduce((best, card) => (card.id < best.id ? card : best));
      shown.push(pick.id);
      dealer.show(pick);
    }
    expect(new Set(shown).size).toBe(shown.length);
    // Then those shown longest ago come again.
    expect(dealer.deal(random).map(({ id }) => id)).toContain(shown[0]);
  });

  it("goes on where a tab left off, and minds nothing that it did not keep itself", () => {
    const seen = [3, 5, 5, 900, ...Array.from({ length: 40 }, (_, k) => k)];
    const dealer = new Dealer(makeDeck(40), DECK_ARMS, seen);
    expect(dealer.deal(random).length).toBe(DECK_ARMS);
    expect(new Dealer(makeDeck(40), DECK_ARMS, [1, 2]).deal(random).every(({ id }) => id !== 1 && id !== 2)).toBe(true);
  });
});

describe("what is said of company", () => {
  const standing = (more: Partial<Standing>): Standing => ({
    own: 0,
    evidence: 2348,
    lenders: ["Wren", "Kite"],
    remembered: 0,
    peak: 0,
    ...more,
  });

  it("is nothing before the first rating, however much was heard of others", () => {
    const { title, lead, detail } = companyOf(standing({}));
    expect(lead).toBe("Nobody can know yet: you have rated nothing.");
    expect(`${title} ${lead} ${detail}`).not.toMatch(/your kind|borrow|2,?348|Wren/i);
  });

  it("is a guess after a few, and names a kind after some more", () => {
    const [few, more] = [companyOf(standing({ own: 2 })), companyOf(standing({ own: 8 }))];
    expect(few.lead).toBe("A first guess: you may be like Wren and Kite. It takes some more ratings to tell.");
    expect(more).toMatchObject({
      title: "Your kind",
      lead: "It takes Wren and Kite for your kind, and counts 2,340 of their ratings beside yours.",
    });
  });

  it("says how far borrowing has fallen", () => {
    const { detail } = companyOf(standing({ own: 20, evidence: 100, peak: 0.97, remembered: 4 }));
    expect(detail).toBe(
      "20 ratings of your own, 80 % of the evidence borrowed (97 % at most); it remembered 4 when it was opened.",
    );
  });

  it("counts hits, and compares them with the first ones", () => {
    const like = (hits: number, of: number): number[] => Array.from({ length: of }, (_, k) => (k < hits ? 0.5 : -1));
    expect(hitsOf([])).toBeNull();
    expect(hitsOf([0.5])).toBe("Your first one was a hit");
    expect(hitsOf(like(3, 5))).toBe("3 of your first 5 were hits");
    expect(hitsOf([...like(8, 10), 0])).toBe("8 of your last 10 were hits");
    expect(hitsOf([...like(8, 10), ...like(4, 10)])).toBe("8 of your last 10 were hits; of your first 10, 4");
  });
});
