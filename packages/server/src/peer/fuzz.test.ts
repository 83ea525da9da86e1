import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpTarget } from "./fuzz.ts";

describe("whatever is sent to a peer's HTTP API", () => {
  it("is answered, or refused for what is wrong with it; nothing is the program's own fault", async () => {
    const { samples, read } = await httpTarget();
    for (const sample of samples) await read(sample);
    let refused = 0;
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .tuple(fc.nat(2), fc.json({ maxDepth: 3 }))
        .map(([path, text]) => Uint8Array.of(path, ...new TextEncoder().encode(text))),
      // One value of a good body becomes another.
      fc
        .tuple(fc.constantFrom(...samples), fc.nat(12), fc.json({ maxDepth: 1 }))
        .map(([sample, place, text]) => replaced(sample, place, text)),
    );
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        await read(bytes).catch((error: unknown) => {
          expect(error).toHaveProperty("name", "ConfigError");
          refused += 1;
        });
      }),
      { numRuns: 1500 },
    );
    expect(refused).toBeGreaterThan(500);
  });
});

function replaced(sample: Uint8Array, place: number, text: string): Uint8Array {
  const body = new TextDecoder().decode(sample.subarray(1));
  const places = [...body.matchAll(/"[^"]*"|\d+(\.\d+)?|true/g)];
  const { index, 0: found } = places[place % places.length]!;
  const changed = body.slice(0, index) + text + body.slice(index + found.length);
  return Uint8Array.of(sample[0]!, ...new TextEncoder().encode(changed));
}
