import { createServer } from "node:net";
import { expect, it } from "vitest";
import { prepare } from "./node.ts";

/** A port that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

it("a WebSocket that is refused when nobody listens to it any more ends, and nothing else does", async () => {
  prepare();
  const thrown: unknown[] = [];
  const note = (error: unknown): void => void thrown.push(error);
  process.on("uncaughtExceptionMonitor", note);
  const socket = new WebSocket(`ws://127.0.0.1:${await freePort()}`);
  await new Promise((closed) => socket.addEventListener("close", closed));
  process.off("uncaughtExceptionMonitor", note);
  expect(socket.readyState).toBe(3);
  expect(thrown).toEqual([]);
});
