import { describe, expect, it } from "vitest";
import { checkBadge } from "./badge.ts";
import { createProver, type GreetingParties, roomDigest } from "./proof.ts";

const occasion: GreetingParties = {
  caller: "a",
  answerer: "hub",
  callerNonce: new Uint8Array(32).fill(1),
  answererNonce: new Uint8Array(32).fill(2),
  room: roomDigest("front-page"),
};
const badgeOf = async (roomKey: string, room = occasion.room) => (await createProver(roomKey)).badge(room);

describe("a room's badge", () => {
  it("is the same for all who hold the key, and another one for another key or room", async () => {
    const [a, b, c, d] = await Promise.all([
      badgeOf("correct horse battery staple"),
      badgeOf("correct horse battery staple"),
      badgeOf("correct horse battery stapler"),
      badgeOf("correct horse battery staple", roomDigest("sports")),
    ]);
    expect(a.key).toEqual(b.key);
    expect(a.key).not.toEqual(c.key);
    expect(a.key).not.toEqual(d.key);
  });

  it("is shown by a signature, which is good for one greeting alone", async () => {
    const { key, sign } = await badgeOf("correct horse battery staple");
    const signature = await sign(occasion);
    expect(await checkBadge(key, occasion, signature)).toBe(true);
    expect(await checkBadge(key, { ...occasion, caller: "b" }, signature)).toBe(false);
    expect(await checkBadge(key, { ...occasion, answerer: "another hub" }, signature)).toBe(false);
    expect(await checkBadge(key, { ...occasion, answererNonce: occasion.callerNonce }, signature)).toBe(false);
    expect(await checkBadge((await badgeOf("another key altogether")).key, occasion, signature)).toBe(false);
    expect(await checkBadge(new Uint8Array(32).fill(255), occasion, signature)).toBe(false);
  });
});
