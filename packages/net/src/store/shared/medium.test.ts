import { afterEach, describe, expect, it, vi } from "vitest";
import { TABS } from "./medium.ts";

afterEach(() => vi.unstubAllGlobals());

/** Locks of a browser that does not hear of an abort in time; `pass` gives the lock to whoever is next. */
function deafLocks() {
  const line: (() => unknown)[] = [];
  const request = (_name: string, _options: unknown, won: () => unknown): Promise<void> =>
    new Promise((resolve) => line.push(async () => resolve((await won()) as undefined)));
  vi.stubGlobal("navigator", { locks: { request } });
  return { pass: () => line.shift()!() };
}

describe("the lock that tabs of a profile have between them", () => {
  it("is not waited for by a tab that has withdrawn, even if the browser does not hear of it", async () => {
    const { pass } = deafLocks();
    const won = vi.fn();
    const candidacy = TABS.stand("shop", won, () => {});
    await candidacy.withdraw();
    await pass();
    expect(won).not.toHaveBeenCalled();
  });

  it("is given back before a tab has withdrawn", async () => {
    const { pass } = deafLocks();
    const order: string[] = [];
    const candidacy = TABS.stand(
      "shop",
      () => order.push("won"),
      () => {},
    );
    const passed = Promise.resolve(pass()).then(() => order.push("given back"));
    await candidacy.withdraw();
    await passed;
    expect(order).toEqual(["won", "given back"]);
  });
});
