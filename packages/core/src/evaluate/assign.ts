import { ConfigError } from "../errors.ts";
import { hashText } from "../numbers/hash.ts";
import { text } from "../options.ts";

const WORD = 4294967296;

/**
 * The variant of a key in an A/B test: the same for the same test and key, on every machine and at every start, and without
 * anything kept. Another test divides the same keys anew. Each variant gets the same share.
 */
export function assign<const V extends string>(test: string, key: string, variants: readonly V[]): V {
  text("test", test);
  text("key", key);
  if (variants.length < 2) throw new ConfigError("variants", variants, "name at least two");
  if (new Set(variants).size < variants.length)
    throw new ConfigError("variants", variants.join(", "), "name each once");
  // The length parts the two texts; otherwise "ab" + "c" and "a" + "bc" would be one.
  const u = hashText(`${test.length} ${test} ${key}`) / WORD;
  return variants[Math.floor(u * variants.length)]!;
}
