/** One thing that must hold. Runs under any test runner: `for (const { name, run } of checks) it(name, run)`. */
export interface Check {
  readonly name: string;
  /** Throws, or rejects, where it does not hold. */
  readonly run: () => void | Promise<void>;
}

/** Something does not hold: which check, and what it found. */
export class ComplianceError extends Error {
  override readonly name = "ComplianceError";
  constructor(
    readonly check: string,
    cause: unknown,
  ) {
    super(`${check}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Runs all of them, for a program without a test runner; throws at the first that does not hold. */
export async function comply(checks: readonly Check[]): Promise<void> {
  for (const { name, run } of checks) {
    try {
      await run();
    } catch (error) {
      throw new ComplianceError(name, error);
    }
  }
}
