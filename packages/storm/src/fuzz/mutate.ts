import type { Random } from "@coterie/core";

/** Numbers at which decoders break, if they do. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff];
const WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7ff00000, 0xfff00000, 0x7ff80000];
const TEXTS = ["null", "-1", "1e999", "0.5", '""', "[]", "{}", "true", "9007199254740993", '"x"', "-0"];

/** Something that is almost what the sample was. */
export function mutate(sample: Uint8Array, random: Random): Uint8Array {
  let bytes: Uint8Array = sample.slice();
  for (let k = 1 + random.below(4); k > 0; k--) bytes = step(bytes, random);
  return bytes;
}

function step(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return Uint8Array.from({ length: random.below(64) }, () => random.below(256));
  const at = random.below(bytes.length);
  const out = bytes.slice();
  switch (random.below(8)) {
    case 0:
      out[at]! ^= 1 << random.below(8);
      return out;
    case 1:
      out[at] = EDGES[random.below(EDGES.length)]!;
      return out;
    case 2:
      if (at + 4 > out.length) return out.subarray(0, at);
      new DataView(out.buffer, out.byteOffset).setUint32(at, WORDS[random.below(WORDS.length)]!, random.below(2) === 0);
      return out;
    case 3:
      return out.slice(0, at);
    case 4:
      return spliced(out, at, at, out.subarray(0, random.below(Math.min(64, out.length)) + 1));
    case 5:
      return spliced(out, at, Math.min(out.length, at + 1 + random.below(8)), new Uint8Array());
    case 6:
      return withText(out, random);
    default:
      return Uint8Array.from({ length: random.below(128) }, () => random.below(256));
  }
}

function spliced(bytes: Uint8Array, from: number, to: number, insert: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length - (to - from) + insert.length);
  out.set(bytes.subarray(0, from));
  out.set(insert, from);
  out.set(bytes.subarray(to), from + insert.length);
  return out;
}

/** In JSON: a number or a text becomes something else. Elsewhere it is as good as any other change. */
function withText(bytes: Uint8Array, random: Random): Uint8Array {
  const text = String.fromCharCode(...bytes.subarray(0, 4096));
  const places = [...text.matchAll(/-?\d+(\.\d+)?|"[^"]*"|\[\]|true|false|null/g)];
  if (places.length === 0) return bytes;
  const place = places[random.below(places.length)]!;
  const instead = TEXTS[random.below(TEXTS.length)]!;
  const changed = text.slice(0, place.index) + instead + text.slice(place.index + place[0].length);
  return Uint8Array.from(changed, (letter) => letter.charCodeAt(0));
}
