import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "@coterie/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SlowProxy } from "./proxy.ts";

let echo: Server;
let proxy: SlowProxy;

beforeAll(async () => {
  echo = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  proxy = await SlowProxy.open("127.0.0.1", { host: "127.0.0.1", port }, Random.seeded(1));
});

afterAll(async () => {
  proxy.close();
  await new Promise((resolve) => echo.close(resolve));
});

async function dial(): Promise<{ socket: Socket; heard: () => Buffer }> {
  const socket = connect(proxy.port, "127.0.0.1");
  const pieces: Buffer[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece));
  await once(socket, "connect");
  return { socket, heard: () => Buffer.concat(pieces) };
}

describe("a slow proxy", () => {
  it("passes everything on, in order, however late", async () => {
    proxy.mostDelayMs = 5;
    const { socket, heard } = await dial();
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, k) => (k * 31) & 255));
    socket.end(sent);
    await once(socket, "close");
    expect(heard().equals(sent)).toBe(true);
    proxy.mostDelayMs = 0;
  });

  it("lets nothing through while it is cut, and all of it afterwards", async () => {
    const { socket, heard } = await dial();
    socket.write("before ");
    await expect.poll(() => heard().toString()).toBe("before ");
    proxy.cut(true);
    socket.write("meanwhile ");
    await sleep(200);
    expect(heard().toString()).toBe("before ");
    proxy.cut(false);
    socket.end("after");
    await once(socket, "close");
    expect(heard().toString()).toBe("before meanwhile after");
  });

  it("ends a connection when either side does", async () => {
    const { socket } = await dial();
    socket.destroy();
    const other = await dial();
    other.socket.end();
    await once(other.socket, "close");
  });
});
