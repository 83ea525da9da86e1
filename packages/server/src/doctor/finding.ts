/** What became of one check. `note`: nothing is wrong, but somebody may want to know. */
export interface Finding {
  readonly check: string;
  readonly status: "good" | "note" | "bad";
  /** What was found, in a sentence. */
  readonly found: string;
  /** What to do about it; null where there is nothing to do. */
  readonly remedy: string | null;
}

export const good = (check: string, found: string): Finding => ({ check, status: "good", found, remedy: null });

export const note = (check: string, found: string, remedy: string): Finding => ({
  check,
  status: "note",
  found,
  remedy,
});

export const bad = (check: string, found: string, remedy: string): Finding => ({ check, status: "bad", found, remedy });

export const worded = (error: unknown): string => (error instanceof Error ? error.message : String(error));
