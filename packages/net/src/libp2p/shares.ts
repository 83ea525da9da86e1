/** How much of something each address prefix has; whoever has no prefix is not counted with others. */
export class Shares {
  readonly #prefixes = new Map<string, string | null>();
  readonly #counts = new Map<string, number>();

  constructor(readonly most: number) {}

  get size(): number {
    return this.#prefixes.size;
  }

  has(key: string): boolean {
    return this.#prefixes.has(key);
  }

  /** Whether those behind a prefix have all that they may. */
  isSpent(prefix: string | null): boolean {
    return prefix !== null && (this.#counts.get(prefix) ?? 0) >= this.most;
  }

  add(key: string, prefix: string | null): void {
    this.delete(key);
    this.#prefixes.set(key, prefix);
    if (prefix !== null) this.#counts.set(prefix, (this.#counts.get(prefix) ?? 0) + 1);
  }

  delete(key: string): void {
    const prefix = this.#prefixes.get(key);
    this.#prefixes.delete(key);
    if (prefix === undefined || prefix === null) return;
    const left = this.#counts.get(prefix)! - 1;
    if (left > 0) this.#counts.set(prefix, left);
    else this.#counts.delete(prefix);
  }
}
