import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random, solo } from "@coterie/core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folderStore } from "../store/folder/folder.ts";
import { bundled, run } from "../store/testing/child.ts";
import { createPeer } from "./createPeer.ts";
import { SCHEMA } from "./testing/room.ts";

const scratch = mkdtempSync(join(tmpdir(), "coterie-sdk-"));
afterAll(() => rmSync(scratch, { recursive: true }));

let program: string;
beforeAll(async () => {
  program = await bundled("../../sdk/testing/rewarder.ts");
});

/** Kills the process after so many lines; whole lines that it said. */
async function killed(path: string, lines: number): Promise<string[][]> {
  let seen = 0;
  const running = run(program, [path], {
    onLine: () => {
      seen += 1;
      if (seen === lines) running.child.kill("SIGKILL");
    },
  });
  const { out, err, signal } = await running.ended;
  expect([signal, err]).toEqual(["SIGKILL", ""]);
  return out
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" "));
}

it("what was acknowledged survives kill -9: rewards count once, and choices still wait", async () => {
  const path = join(scratch, "peer");
  const random = Random.seeded(7);
  // Bounded by the clock as well: a busy machine tests less, but never less than three.
  const end = Date.now() + 10_000;
  let before = 0;
  for (let kills = 0; kills < 3 || (kills < 12 && Date.now() < end); kills++) {
    const said = await killed(path, 5 + random.below(60));
    const named = (kind: string): string[] => said.filter(([word]) => word === kind).map(([, id]) => id);
    const rewarded = named("rewarded");
    await using peer = await createPeer({
      room: "front-page",
      features: SCHEMA,
      policy: solo(),
      store: folderStore(path),
      tick: false,
    });
    const { own, incarnation, quarantined } = peer.state();
    expect([incarnation, quarantined]).toEqual([1, null]);
    // At most the two that were under way were written and not acknowledged, and one whose line was cut.
    expect(own - before).toBeGreaterThanOrEqual(rewarded.length);
    expect(own - before).toBeLessThanOrEqual(rewarded.length + 3);
    const again = await Promise.all(rewarded.map((id) => peer.reward(id, 1)));
    expect(new Set(again)).toEqual(new Set(["duplicate"]));
    const waiting = named("chosen").slice(-5);
    const paid = await Promise.all(waiting.map((id) => peer.reward(id, 1)));
    expect(paid).toEqual(waiting.map(() => "learned"));
    before = peer.state().own;
    expect(before).toBe(own + waiting.length);
  }
});
