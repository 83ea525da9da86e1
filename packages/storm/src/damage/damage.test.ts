import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { damage } from "./damage.ts";
import { start } from "./start.ts";

it("one damage to any file: the peer goes on, says what it lost, and keeps what stood in its last snapshot", async () => {
  const report = await damage({ seeds: 25, from: 1, start });
  expect(report.failures).toEqual([]);
  expect(report).toMatchObject({ seeds: 25, running: 25, refused: 0, kept: 25 });
  expect(Object.values(report.byKind).map(({ seeds }) => seeds)).toEqual([5, 5, 5, 5, 5]);
});

it("finds a loss that nobody tells of, an end of the process, and an error without a type", async () => {
  const silent = await damage({
    seeds: 1,
    from: 1,
    // As if the store were another, younger one.
    start: (path, policy) => {
      for (const name of readdirSync(path)) rmSync(join(path, name), { recursive: true });
      return start(path, policy);
    },
  });
  expect(silent.failures[0]!.what).toMatch(/^it lost 180 of 180 rewards, and said nothing$/);
  expect(silent.kept).toBe(0);
  const died = await damage({ seeds: 2, from: 1, start: async () => ({ outcome: "died", message: "134: assertion" }) });
  expect(died.failures.map(({ what }) => what)).toEqual(Array(2).fill("the process ended: 134: assertion"));
});
