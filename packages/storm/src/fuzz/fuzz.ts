import { getHeapStatistics } from "node:v8";
import { Random } from "@coterie/core";
import { mutate } from "./mutate.ts";
import { type FuzzTarget, isTyped } from "./target.ts";
import { targets } from "./targets.ts";

/** An input that a decoder did not take well. */
export interface FuzzFinding {
  readonly target: string;
  readonly hex: string;
  readonly message: string;
}

export interface FuzzReport {
  readonly inputs: number;
  /** Inputs that were read without complaint, and those that were refused with a typed error. */
  readonly read: number;
  readonly refused: number;
  readonly findings: readonly FuzzFinding[];
}

/** Room that a decoder may take beyond its input: a limit checked too late shows here. */
const MOST_BYTES = (length: number): number => 2_000_000 + 256 * length;

/** Feeds decoders with `count` inputs, each almost right, drawn from the seed. */
export async function fuzz(count: number, seed = 1, given: readonly FuzzTarget[] = targets()): Promise<FuzzReport> {
  const random = Random.seeded(seed).fork("fuzz");
  const findings: FuzzFinding[] = [];
  let [read, refused] = [0, 0];
  for (let k = 0; k < count; k++) {
    const target = given[k % given.length]!;
    const sample = target.samples[random.below(target.samples.length)]!;
    const bytes = mutate(sample, random);
    const found = await feed(target, bytes);
    if (found === "read") read += 1;
    else if (found === "refused") refused += 1;
    else if (findings.length < 20) findings.push(found);
  }
  return { inputs: count, read, refused, findings };
}

/** One input: read, refused with a typed error, or a finding. */
export async function feed(target: FuzzTarget, bytes: Uint8Array): Promise<"read" | "refused" | FuzzFinding> {
  const finding = (message: string): FuzzFinding => ({
    target: target.name,
    hex: Buffer.from(bytes).toString("hex"),
    message,
  });
  const before = getHeapStatistics().external_memory;
  let outcome: "read" | "refused" | FuzzFinding = "read";
  try {
    await target.read(bytes.slice());
  } catch (error) {
    outcome = isTyped(error)
      ? "refused"
      : finding(error instanceof Error ? `${error.name}: ${error.message}` : `${error}`);
  }
  const taken = getHeapStatistics().external_memory - before;
  return taken > MOST_BYTES(bytes.length) ? finding(`${taken} bytes for an input of ${bytes.length}`) : outcome;
}
