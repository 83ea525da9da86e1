import { ProtocolViolation } from "@coterie/core";
import { streamPair } from "@libp2p/utils";
import { describe, expect, it } from "vitest";
import { HEADER_BYTES } from "./limits.ts";
import { framed } from "./pieces.ts";
import { TruncatedError, Wire } from "./wire.ts";

const SOON = 10_000;
const bytes = (length: number, first = 0): Uint8Array => Uint8Array.from({ length }, (_, k) => first + k);

/** All that is sent, as one piece. */
const joined = (messages: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(framed(messages).flatMap((it) => [...it]));

async function ends(most = 100_000) {
  const [here, there] = await streamPair();
  return { wire: new Wire(here, most), there };
}

describe("messages on a stream", () => {
  it("come whole and in order, however they are cut", async () => {
    const messages = [bytes(0), bytes(1), bytes(127), bytes(128), bytes(1025), bytes(40_000), bytes(3)];
    const all = joined(messages);
    for (const size of [1, 2, 126, 4096, all.length]) {
      const { wire, there } = await ends();
      // Those who wait get no more than theirs, although several come at once.
      const reading = wire.read(SOON);
      for (let at = 0; at < all.length; at += size) there.send(all.slice(at, at + size));
      expect(await reading).toEqual(messages[0]);
      for (const message of messages.slice(1)) expect(await wire.read(SOON)).toEqual(message);
      expect(wire.midway).toBe(false);
      expect(wire.receivedBytes).toBe(all.length);
    }
  });

  it("of more than one write are told apart", async () => {
    const { wire, there } = await ends();
    const other = new Wire(there, 100_000);
    await wire.write([bytes(300), bytes(5000, 7)], SOON);
    await wire.write([bytes(2)], SOON);
    expect(await other.read(SOON)).toEqual(bytes(300));
    expect(await other.read(SOON)).toEqual(bytes(5000, 7));
    expect(await other.read(SOON)).toEqual(bytes(2));
  });

  it("are no longer than agreed, which is known from what is announced", async () => {
    const { wire, there } = await ends(1000);
    there.send(Uint8Array.of(0xe9, 0x07));
    await expect(wire.read(SOON)).rejects.toThrow(ProtocolViolation);
    const other = await ends(1000);
    other.there.send(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x00));
    await expect(other.wire.read(SOON)).rejects.toThrow(/be at most 1000 bytes/);
  });

  it("nobody can send more ahead than a header and a body", async () => {
    const { wire, there } = await ends(1000);
    for (let sent = 0; sent <= 1000 + HEADER_BYTES; sent += 1000) there.send(joined([bytes(998)]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(wire.stream.status).toBe("aborted");
    await expect(wire.read(SOON)).rejects.toThrow(/be at most 1000 bytes/);
  });

  it("break off where the stream ends", async () => {
    const { wire, there } = await ends();
    there.send(joined([bytes(10)]).slice(0, 5));
    const reading = wire.read(SOON);
    await there.close();
    await expect(reading).rejects.toThrow(TruncatedError);
    expect(wire.midway).toBe(true);
    const reset = await ends();
    const failing = reset.wire.read(SOON);
    reset.there.abort(new Error("no"));
    await expect(failing).rejects.toThrow(/reset/);
  });

  it("are waited for no longer than said, however slowly they come", async () => {
    const { wire, there } = await ends();
    const all = joined([bytes(100)]);
    let at = 0;
    const trickle = setInterval(() => there.send(all.slice(at, ++at)), 5);
    const error = await wire.read(60).catch((reason: unknown) => reason);
    clearInterval(trickle);
    expect(error).toMatchObject({ name: "TimeoutError" });
    expect(at).toBeGreaterThan(1);
    // Nothing is lost by that.
    there.send(all.slice(at));
    expect(await wire.read(AbortSignal.timeout(SOON))).toEqual(bytes(100));
    const aborted = new AbortController();
    const reading = wire.read(aborted.signal);
    aborted.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await expect(wire.read(aborted.signal)).rejects.toThrow("enough");
  });
});
