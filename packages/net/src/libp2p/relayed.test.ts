import { afterEach, expect, it } from "vitest";
import { LinkError } from "../link/link.ts";
import { startHub } from "./index.ts";
import { join, knows, LOCAL, ROOM, until } from "./testing/room.ts";

/** So little that it is used up in no time. */
const limits = { relayBytes: 4 * 1024 * 1024, relayBytesPerSecond: 64 * 1024 };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

it("a hub relays so much for a peer and no more, over however many circuits, and again when time has passed", async () => {
  const hub = await startHub({ listen: LOCAL, limits });
  open.push(hub);
  const options = { listen: [], bootstrap: [...hub.addresses] };
  const [a, b] = [await join(options, ROOM), await join(options, ROOM)];
  open.push(a, b);
  await until(() => knows(a, b.self) && knows(b, a.self), "they met");

  // There and back. Circuits that are ended are replaced, until both ends have used up what they may.
  const body = new Uint8Array(300_000);
  const began = performance.now();
  const most = (): number =>
    2 * (limits.relayBytes + ((performance.now() - began) / 1000) * limits.relayBytesPerSecond);
  const ask = (what: Uint8Array): Promise<unknown> => a.link.request(b.self, what).catch((error: unknown) => error);
  const little = async (): Promise<boolean> => (await ask(Uint8Array.of(1, 2, 3))) instanceof Uint8Array;
  // Both may have dialled at once, and one of the two circuits is given up.
  await until(little, "they reach each other");
  let answers = 0;
  let came = await ask(body);
  for (; came instanceof Uint8Array && answers < 100; came = await ask(body)) answers += 1;
  expect(came).toBeInstanceOf(LinkError);
  expect(answers * body.length * 2).toBeGreaterThan(0.9 * limits.relayBytes);
  expect(hub.counts().violations.get("flood")).toBeGreaterThan(0);
  expect(hub.counts().relayedBytes).toBeLessThan(most() + 2 * body.length);
  await until(little, "they reach each other again");
  expect(hub.counts().relayedBytes).toBeLessThan(most() + 2 * body.length);
});
