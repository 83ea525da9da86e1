/** A text that says line by line who does what, as etcd's raft has in its `testdata`. */
export class Transcript {
  readonly #lines: string[] = [];
  /** Names for people, by the keys that peers are known by. */
  readonly #names = new Map<string, string>();

  constructor(title: string, ...about: string[]) {
    this.#lines.push(title, "=".repeat(title.length), "", ...about);
  }

  name(key: string, name: string): void {
    this.#names.set(key, name);
  }

  /** Begins a part. */
  part(title: string): void {
    this.#lines.push("", `-- ${title}`, "");
  }

  /** Something that somebody does. */
  say(who: string, what: string): void {
    this.#lines.push(`  ${who.padEnd(6)} ${this.named(what)}`);
  }

  /** For the reader. */
  note(text: string): void {
    this.#lines.push(`  # ${this.named(text)}`);
  }

  named(text: string): string {
    let out = text;
    for (const [key, name] of this.#names) out = out.replaceAll(key, name);
    return out;
  }

  get text(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}
