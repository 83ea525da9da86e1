import { expect, it } from "vitest";
import { gather } from "./gather.ts";

const piece = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);

function over(write = (): boolean => true) {
  const written: number[][] = [];
  const errors: string[] = [];
  const gathered = gather<Uint8Array>(
    (bytes) => {
      written.push([...bytes]);
      return write();
    },
    ({ message }) => errors.push(message),
  );
  return { ...gathered, written, errors };
}

it("what is sent one promise after the other leaves as one, in order, before the next event", async () => {
  const { send, written } = over();
  void (async () => {
    for (let k = 0; k < 5; k++) {
      send(piece(k, k));
      await undefined;
    }
  })();
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual([[0, 0, 1, 1, 2, 2, 3, 3, 4, 4]]);
  send(piece(5));
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toHaveLength(2);
});

it("what is long leaves at once, behind what waits", () => {
  const { send, written } = over();
  send(piece(1));
  send(new Uint8Array(20_000));
  expect(written.map(({ length }) => length)).toEqual([1, 20_000]);
});

it("says whether there was space at the last write, and what is to leave now does", () => {
  const { send, flush, written } = over(() => false);
  expect(send(piece(1))).toBe(true);
  flush();
  flush();
  expect(written).toEqual([[1]]);
  expect(send(piece(2))).toBe(false);
});

it("a write that fails later is told of", async () => {
  const { send, errors } = over(() => {
    throw new Error("closed");
  });
  send(piece(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(errors).toEqual(["closed"]);
});
