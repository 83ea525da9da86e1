import { sha256 } from "../../../sha256.ts";
import type { Backend } from "../../backend.ts";
import { durable } from "../../durable.ts";
import { type MemoryDisk, memoryBackend, memoryDisk } from "../../memory.ts";
import type { StoreFactory } from "../../store.ts";
import { crash } from "../../testing/faults.ts";
import type { Medium } from "../medium.ts";
import type { Message } from "../messages.ts";
import { SharedTab } from "../tab.ts";

type Ear = (message: Message) => void;

/** A browser profile in one process: a disk, and tabs that can be killed between any two of their messages. */
export class Profile {
  readonly disk: MemoryDisk = memoryDisk();
  readonly #ears = new Map<Tab, Ear>();
  /** Who waits for the ownership; the first one has it. */
  readonly line: { readonly tab: Tab; readonly won: () => void }[] = [];

  tab(): Tab {
    return new Tab(this);
  }

  listen(tab: Tab, ear: Ear | null): void {
    if (ear === null) this.#ears.delete(tab);
    else this.#ears.set(tab, ear);
  }

  post(from: Tab, message: Message): void {
    const copy = structuredClone(message);
    setImmediate(() => {
      for (const [tab, ear] of this.#ears) if (tab !== from) ear(copy);
    });
  }

  stand(tab: Tab, won: () => void): void {
    if (this.line.push({ tab, won }) === 1) setImmediate(won);
  }

  leave(tab: Tab): void {
    const at = this.line.findIndex((it) => it.tab === tab);
    if (at < 0) return;
    this.line.splice(at, 1);
    const next = this.line[0];
    if (at === 0 && next !== undefined) setImmediate(next.won);
  }
}

export class Tab {
  readonly #profile: Profile;
  #dead = false;
  #posts = 0;
  #last = Number.POSITIVE_INFINITY;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  /** Dies in place of its n-th message from now on. */
  dieAt(n: number): void {
    this.#last = this.#posts + n;
  }

  get dead(): boolean {
    return this.#dead;
  }

  die(): void {
    if (this.#dead) return;
    this.#dead = true;
    this.#profile.listen(this, null);
    if (this.#profile.line[0]?.tab === this) crash(this.#profile.disk);
    this.#profile.leave(this);
  }

  store(): StoreFactory {
    const shelf = (): Backend => this.#mortal(memoryBackend(this.#profile.disk));
    return () => new SharedTab("x of a test", () => durable(shelf(), sha256), this.#medium());
  }

  /** A dead tab writes nothing, and nobody hears of it. */
  #mortal(shelf: Backend): Backend {
    const unlessDead = <T>(work: () => Promise<T>): Promise<T> => (this.#dead ? new Promise(() => {}) : work());
    return {
      place: shelf.place,
      open: () => unlessDead(() => shelf.open()),
      settle: () => unlessDead(() => shelf.settle()),
      quarantine: () => unlessDead(() => shelf.quarantine()),
      replace: (pairs, incarnation, witness) => unlessDead(() => shelf.replace(pairs, incarnation, witness)),
      write: (changes, witness) => unlessDead(() => shelf.write(changes, witness)),
      erase: () => unlessDead(() => shelf.erase()),
      close: () => unlessDead(() => shelf.close()),
    };
  }

  #medium(): Medium {
    return {
      channel: (_, heard) => {
        this.#profile.listen(this, heard);
        return {
          post: (message) => {
            this.#posts += 1;
            if (this.#posts >= this.#last) this.die();
            if (!this.#dead) this.#profile.post(this, message);
          },
          close: () => this.#profile.listen(this, null),
        };
      },
      stand: (_, won) => {
        this.#profile.stand(this, () => {
          if (!this.#dead) won();
        });
        return { withdraw: async () => this.#profile.leave(this) };
      },
    };
  }
}
