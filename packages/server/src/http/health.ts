import { StoreError } from "@coterie/net";

/** What a probe is told. */
export interface Health {
  /** False when only another start helps. */
  readonly live: boolean;
  /** Whether to send it requests. */
  readonly ready: boolean;
  /** Why it is not live or not ready. */
  readonly reasons: readonly string[];
  /** What an operator may want to know of a peer that is ready all the same. */
  readonly notes: readonly string[];
}

/** Follows a peer from its start to its end. */
export class Vitals {
  #phase: "starting" | "running" | "stopping" = "starting";
  /** Memory is ahead of the disk then, and only opening anew brings them together. */
  #broken: string | null = null;

  begun(): void {
    this.#phase = "running";
  }

  ending(): void {
    this.#phase = "stopping";
  }

  /** Something went wrong: if it was the store, nothing can be written down any more. */
  failed(error: unknown): void {
    if (this.#phase === "running" && error instanceof StoreError) this.#broken ??= error.message;
  }

  health(notes: readonly string[] = []): Health {
    const reasons: string[] = [];
    if (this.#phase === "starting") reasons.push("this is being opened");
    if (this.#phase === "stopping") reasons.push("this is being closed");
    if (this.#broken !== null) reasons.push(`the store failed, and only another start helps: ${this.#broken}`);
    return { live: this.#broken === null, ready: reasons.length === 0, reasons, notes };
  }
}
