import type { Reader, Writer } from "@coterie/core";

/** Addresses that are kept: a room finds together again when each of its members finds one other. */
const MOST_ANSWERED = 16;
/** Own ports: one of each way to listen. */
const MOST_OWN = 4;
/** Of one of them, as text. */
const LONGEST = 200;

/** What a peer remembers of a network for its next start. */
export interface Remembered {
  /** Where others answered, the latest first. */
  readonly answered: readonly string[];
  /** At which ports we listened, with what is spoken there: `/tcp/4001`, `/tcp/4002/ws`. */
  readonly own: readonly string[];
}

/**
 * Where others answered and where we listened. Who is there is not kept; but where no hub is left, peers that listen find each
 * other at the addresses of before, and so each of them has to be there again.
 */
export class Places implements Remembered {
  #answered: readonly string[] = [];
  #own: readonly string[] = [];

  get answered(): readonly string[] {
    return this.#answered;
  }

  get own(): readonly string[] {
    return this.#own;
  }

  /** Takes in what was found since; false where that is nothing new. Those of before stay while there is space. */
  remember({ answered, own }: Remembered): boolean {
    const all = [...new Set([...answered, ...this.#answered])].filter(isShort).slice(0, MOST_ANSWERED);
    const ports = own.filter(isShort).slice(0, MOST_OWN);
    const known = new Set(this.#answered);
    const isSame = all.every((address) => known.has(address)) && ports.join() === this.#own.join();
    if (isSame && all.length === known.size) return false;
    this.#answered = all;
    this.#own = ports;
    return true;
  }

  /** A listening address that leaves the port open, with the port that we had there before. */
  again(listen: string): string {
    const [, before, suffix] = /^(.*)\/tcp\/0(\/.*)?$/.exec(listen) ?? [];
    if (before === undefined) return listen;
    const port = this.#own.find((own) => own.replace(/^\/tcp\/\d+/, "") === (suffix ?? ""));
    return port === undefined ? listen : `${before}${port}`;
  }

  write(out: Writer): void {
    for (const texts of [this.#answered, this.#own]) {
      out.u8(texts.length);
      for (const text of texts) out.text(text);
    }
  }

  read(from: Reader): void {
    const texts = (): string[] => Array.from({ length: from.u8("places") }, () => from.text("places"));
    this.#answered = texts().slice(0, MOST_ANSWERED);
    this.#own = texts().slice(0, MOST_OWN);
  }
}

const isShort = ({ length }: string): boolean => length <= LONGEST;

/** The part of an address of ours that a restart can ask for again; null for one through a hub, or of another kind. */
export function portOf(address: string): string | null {
  if (address.includes("/p2p-circuit")) return null;
  return /(\/tcp\/\d+(?:\/ws)?)$/.exec(address)?.[1] ?? null;
}
