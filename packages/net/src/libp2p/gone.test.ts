import { afterEach, expect, it, vi } from "vitest";
import { startHub } from "./index.ts";
import { join, knows, LOCAL, until } from "./testing/room.ts";

/** So that nobody is forgotten because it was silent. */
vi.mock("./limits.ts", async (original) => ({
  ...(await original<typeof import("./limits.ts")>()),
  GUEST_MS: 3_600_000,
}));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

it("a guest that dies without a word is gone from the hub with its socket", async () => {
  const hub = await startHub({ listen: LOCAL });
  open.push(hub);
  const options = { listen: [], bootstrap: [...hub.addresses] };
  const [a, b] = [await join(options), await join(options)];
  open.push(a, b);
  await until(() => knows(a, b.self) && hub.counts().members === 2, "they met");
  await a.abandon();
  await until(() => hub.counts().members === 1, "one is gone");
  expect(hub.members(2).map(({ peer }) => peer)).toEqual([b.self]);
  expect(hub.counts().reservations).toBe(1);
});
