import type { Random } from "@coterie/core";
import type { LiarStyle } from "../plan/fault.ts";
import type { Tamper } from "./station.ts";

/** What a liar does with its messages; null for one whose messages are its own, and only their content is a lie. */
export function tamperer(style: LiarStyle, random: Random): Tamper | null {
  if (style === "invents") return null;
  if (style === "mute") return () => null;
  if (style === "garbles") return (body) => garbled(body, random);
  let before: Uint8Array | null = null;
  return (body) => {
    const sent = before !== null && random.below(2) === 0 ? before : body.slice();
    before = body.slice();
    return sent;
  };
}

function garbled(body: Uint8Array, random: Random): Uint8Array {
  const bytes = body.slice(0, random.below(4) === 0 ? random.below(body.length + 1) : body.length);
  for (let k = random.below(4); k > 0 && bytes.length > 0; k--) bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}
