import { existsSync } from "node:fs";
import { join } from "node:path";
import { Random } from "@coterie/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled, run } from "../testing/child.ts";
import { lengthOf } from "../testing/history.ts";
import { FILLED, fill, homeIn, reopened, Scratch, spoil } from "../testing/stage.ts";

const scratch = new Scratch();
afterAll(() => scratch.clear());

let program: string;
beforeAll(async () => {
  program = await bundled("appender.ts");
});

/** Kills the appender after so many acknowledgements and turns of the loop; says what it had acknowledged. */
async function killed(path: string, acknowledgements: number, turns: number): Promise<number> {
  let seen = 0;
  const running = run(program, [path], {
    onLine: async () => {
      seen += 1;
      if (seen !== acknowledgements) return;
      for (let n = 0; n < turns; n++) await new Promise((resolve) => setImmediate(resolve));
      running.child.kill("SIGKILL");
    },
  });
  const { out, err, signal } = await running.ended;
  expect([signal, err]).toEqual(["SIGKILL", ""]);
  // The last line may be cut short.
  return Math.max(0, ...out.split("\n").slice(0, -1).map(Number));
}

it("what was acknowledged survives kill -9 at any moment", async () => {
  const path = scratch.next();
  const random = Random.seeded(2016);
  // Bounded by the clock as well: a busy machine tests less, but never less than three.
  const end = Date.now() + 10_000;
  let [kills, length] = [0, 0];
  for (; kills < 3 || (kills < 60 && Date.now() < end); kills++) {
    // Every third one dies while it opens, or soon after.
    const early = kills % 3 === 0;
    const acknowledged = await killed(path, early ? 1 : 2 + random.below(40), random.below(early ? 3000 : 30));
    const told = await reopened(path);
    expect(told).toMatchObject({ incarnation: 1, quarantined: null });
    length = lengthOf(told);
    expect(length).toBeGreaterThanOrEqual(acknowledged);
  }
  expect(length).toBeGreaterThan(kills);
});

it("a repair survives kill -9 too: the good part is never lost on the way", async () => {
  const damaged = scratch.next();
  await fill(damaged);
  spoil(damaged);
  const random = Random.seeded(5);
  const end = Date.now() + 4_000;
  for (let kills = 0; kills < 3 || (kills < 20 && Date.now() < end); kills++) {
    const path = scratch.copyOf(damaged);
    const acknowledged = await killed(path, 1, random.below(3000));
    const told = await reopened(path);
    expect(told.incarnation).toBeGreaterThan(1);
    expect(lengthOf(told)).toBeGreaterThanOrEqual(Math.max(FILLED, acknowledged));
    expect(existsSync(join(homeIn(path), "damaged-1"))).toBe(true);
  }
});
