import { onAbort } from "../../link/onAbort.ts";
import { StoreBusy, StoreError } from "../errors.ts";
import { refusedToOpen } from "../idb/errors.ts";
import type {
  AppendOptions,
  Entry,
  LogSize,
  Recovered,
  Store,
  StoreFactory,
  StoreOptions,
  WriteOptions,
} from "../store.ts";
import { Backlog, type Open } from "./backlog.ts";
import type { Candidacy, Channel, Medium } from "./medium.ts";
import { type AnsweredRequest, LEAVING, type Member, type SharedStore } from "./member.ts";
import { errorOf, type Message, type Said, tell, VERSION } from "./messages.ts";

/**
 *     closed -> opening -> owner            the ownership was free
 *                       -> follower         an owner told its state
 *               follower -> heir -> owner   the owner went: this tab opens the store
 *                                -> follower    ... and could not: the next thing it is asked makes it try again
 */
type Role = "closed" | "opening" | "owner" | "follower" | "heir" | "closing";

/** An owner that says nothing for so long is stuck. */
const SILENCE_MS = 30_000;
const NOTHING: LogSize = { entries: 0, bytes: 0 };

type Heard<K extends Message["kind"]> = Extract<Message, { kind: K }>;

/** One tab's side of a shared store. */
export class SharedTab implements SharedStore {
  readonly #place: string;
  readonly #factory: StoreFactory;
  readonly #medium: Medium;
  readonly #name = crypto.randomUUID();
  readonly #backlog = new Backlog();
  readonly #serving = new Set<Promise<void>>();
  #role: Role = "closed";
  #channel: Channel | null = null;
  #candidacy: Candidacy | null = null;
  /** Has the ownership, whether or not the store could be opened yet. */
  #elected = false;
  #store: Store | null = null;
  #member: Member | null = null;
  #opened: { resolve(recovered: Recovered): void; reject(error: unknown): void } | null = null;
  /** As follower: whom it follows, and how far it has heard; null until a state was loaded. */
  #owner: string | null = null;
  #seen: number | null = null;
  /** Entries that came before the peer could hear them. */
  #early: Heard<"entries">[] = [];
  /** As owner: entries handed to the store. */
  #handed = 0;
  #incarnation = 1;
  /** Whatever opens the store, or takes another state over, at the moment. */
  #taking: Promise<unknown> = Promise.resolve();
  /** As follower that waits until all is erased. */
  #erasing: { resolve(): void; reject(error: unknown): void } | null = null;

  constructor(place: string, factory: StoreFactory, medium: Medium) {
    this.#place = place;
    this.#factory = factory;
    this.#medium = medium;
  }

  get follows(): boolean {
    return this.#role === "follower" || this.#role === "heir";
  }

  get size(): LogSize {
    return this.#store?.size ?? NOTHING;
  }

  async open(options: StoreOptions = {}): Promise<Recovered> {
    const { signal } = options;
    if (this.#role !== "closed") throw new StoreBusy(this.#place);
    signal?.throwIfAborted();
    this.#role = "opening";
    const opened = new Promise<Recovered>((resolve, reject) => {
      this.#opened = { resolve, reject };
    });
    const forget = onAbort(signal, () => this.#opened?.reject(signal?.reason));
    const silence = setTimeout(() => this.#opened?.reject(new StoreBusy(this.#place)), SILENCE_MS);
    try {
      this.#channel = this.#medium.channel(`coterie shared ${this.#place}`, (message) => this.#hear(message));
      this.#stand();
      this.#say({ kind: "hello" });
      return await opened;
    } catch (error) {
      await this.#leave();
      throw error;
    } finally {
      clearTimeout(silence);
      forget();
      this.#opened = null;
    }
  }

  attend(member: Member): void {
    this.#member = member;
    if (this.#role === "owner") {
      this.#say({ kind: "owner" });
      return;
    }
    const early = this.#early;
    this.#early = [];
    // An owner that came meanwhile has another state.
    if (this.#seen === null) this.#say({ kind: "hello" });
    else for (const message of early) this.#entries(message);
    if (this.#elected) this.#inherit();
  }

  append(entries: readonly Entry[], options?: AppendOptions): Promise<void> {
    if (this.#store === null) return Promise.reject(this.#notOpen());
    const written = this.#store.append(entries, options);
    this.#handed += entries.length;
    const last = this.#handed;
    return written.then(() => this.#say({ kind: "entries", last, entries: plain(entries) }));
  }

  async checkpoint(snapshot: Uint8Array, options?: WriteOptions): Promise<void> {
    if (this.#store === null) throw this.#notOpen();
    await this.#store.checkpoint(snapshot, options);
  }

  ask(ask: unknown): Promise<AnsweredRequest> {
    if (this.#role === "closed" || this.#role === "closing") return Promise.reject(this.#notOpen());
    const { open, answered } = this.#backlog.add(ask);
    if (this.#role === "owner") void this.#serveOwn(open);
    else if (this.#owner !== null) this.#sendTo(this.#owner);
    else if (this.#candidacy === null) this.#stand();
    return answered;
  }

  replaced(): void {
    this.#say({ kind: "replaced" });
  }

  async erase(): Promise<void> {
    await this.#backlog.idle();
    await this.#taking;
    if (this.#role === "owner") {
      this.#role = "closing";
      try {
        await this.#store?.erase();
        this.#say({ kind: "erased" });
      } finally {
        await this.#leave();
      }
      return;
    }
    if (this.#role === "closed") throw this.#notOpen();
    const erased = new Promise<void>((resolve, reject) => {
      this.#erasing = { resolve, reject };
    });
    this.#say({ kind: "erase" });
    try {
      await erased;
    } finally {
      this.#erasing = null;
    }
    // The owner went before it had done it: now it is this tab's to do.
    await (this.follows ? this.#leave() : this.erase());
  }

  async close(): Promise<void> {
    // What was asked is answered, if need be by this tab as the next owner.
    await this.#backlog.idle();
    await this.#taking;
    if (this.#role === "closed" || this.#role === "closing") return;
    this.#role = "closing";
    try {
      await this.#store?.close();
    } finally {
      // Who waits for an answer gets it before somebody else owns the store.
      await Promise.all(this.#serving);
      await this.#leave();
    }
  }

  async #leave(): Promise<void> {
    this.#role = "closing";
    const candidacy = this.#candidacy;
    this.#channel?.close();
    this.#channel = null;
    this.#candidacy = null;
    this.#elected = false;
    this.#store = null;
    this.#member = null;
    this.#owner = null;
    this.#backlog.refuseAll(this.#notOpen());
    // The next owner finds the store closed.
    await this.#taking.catch(() => {});
    await candidacy?.withdraw();
    this.#role = "closed";
  }

  #stand(): void {
    this.#candidacy = this.#medium.stand(
      `coterie shared ${this.#place}`,
      () => this.#won(),
      (error) => this.#opened?.reject(refusedToOpen(this.#place, error)),
    );
  }

  #won(): void {
    this.#elected = true;
    if (this.#role === "opening") {
      this.#role = "owner";
      this.#taking = this.#begin();
      this.#taking.then(this.#opened?.resolve as (it: unknown) => void, this.#opened?.reject);
    } else if (this.#role === "follower" && this.#member !== null) this.#inherit();
  }

  async #begin(): Promise<Recovered> {
    const store = this.#factory();
    const recovered = await store.open();
    // Nobody waits for it any more.
    if (this.#role !== "owner") {
      await store.close();
      return recovered;
    }
    this.#store = store;
    this.#incarnation = recovered.incarnation;
    return recovered;
  }

  #inherit(): void {
    this.#role = "heir";
    this.#owner = null;
    this.#taking = this.#takeOver();
  }

  async #takeOver(): Promise<void> {
    const member = this.#member!;
    const store = this.#factory();
    try {
      const recovered = await store.open();
      this.#store = store;
      this.#incarnation = recovered.incarnation;
      this.#handed = 0;
      await member.own(recovered, () => {
        this.#role = "owner";
        for (const open of this.#backlog.for(this.#name)) void this.#serveOwn(open);
      });
      this.#say({ kind: "owner" });
      this.#erasing?.resolve();
    } catch (error) {
      this.#role = "follower";
      this.#store = null;
      this.#seen = null;
      await store.close().catch(() => {});
      const candidacy = this.#candidacy;
      this.#candidacy = null;
      this.#elected = false;
      await candidacy?.withdraw();
      this.#backlog.refuseAll(error);
      this.#erasing?.reject(error);
      member.fail(error);
    }
  }

  #hear(message: Message): void {
    if (message.from === this.#name || (message.to !== undefined && message.to !== this.#name)) return;
    if (message.kind === "other-version") this.#opened?.reject(otherVersion(this.#place));
    else if (message.version !== VERSION) {
      if (message.kind === "hello" && this.#role === "owner") this.#say({ kind: "other-version", to: message.from });
    }
    // Also from an owner that is gone since.
    else if (message.kind === "answer") this.#backlog.answer(message.id, message.answer);
    else if (message.kind === "refusal") this.#backlog.refuse(message.id, errorOf(message.error));
    else if (this.#role === "owner") this.#hearAsOwner(message);
    else if (this.#role === "opening" || this.#role === "follower") this.#hearAsFollower(message);
  }

  #hearAsOwner(message: Message): void {
    // Not whole yet: all are told when it is.
    if (this.#member === null) return;
    const { from } = message;
    if (message.kind === "hello") this.#tellState(from);
    else if (message.kind === "ask") void this.#serve(from, message.id, message.ask);
    else if (message.kind === "erase") this.#member.end();
  }

  #tellState(to: string): void {
    const [snapshot, handed] = [this.#member!.save(), this.#handed];
    this.#say({ kind: "state", to, snapshot, handed, incarnation: this.#incarnation });
  }

  #hearAsFollower(message: Message): void {
    switch (message.kind) {
      case "owner":
      case "replaced":
        this.#owner = null;
        this.#seen = null;
        this.#early = [];
        this.#say({ kind: "hello" });
        if (this.#erasing !== null) this.#say({ kind: "erase" });
        return;
      case "state":
        this.#state(message);
        return;
      case "entries":
        this.#entries(message);
        return;
      case "erased":
        if (this.#erasing !== null) this.#erasing.resolve();
        else this.#member?.end();
    }
  }

  #state(message: Heard<"state">): void {
    const { from, snapshot, handed, incarnation } = message;
    const recovered: Recovered = { incarnation, snapshot, entries: [], quarantined: null };
    if (this.#opened !== null && this.#role === "opening") {
      this.#role = "follower";
      this.#opened.resolve(recovered);
    } else if (this.#member === null) return;
    else this.#load(recovered);
    this.#owner = from;
    this.#seen = handed;
    this.#sendTo(from);
    if (this.#candidacy === null) this.#stand();
  }

  /** Entries that come while the state is taken over wait for it. */
  #load(recovered: Recovered): void {
    const member = this.#member!;
    this.#member = null;
    const unanswered = (): unknown[] => [...this.#backlog].map(({ ask }) => ask);
    this.#taking = member.load(recovered, unanswered).then(
      () => {
        if (this.#role === "follower") this.attend(member);
      },
      (error: unknown) => {
        this.#member = member;
        member.fail(error);
      },
    );
  }

  #entries(message: Heard<"entries">): void {
    const { last, entries, from } = message;
    if (this.#member === null) {
      this.#early.push(message);
      return;
    }
    // Older ones are in the state that this tab was told, or will be told.
    if (this.#seen === null || from !== this.#owner || last <= this.#seen) return;
    this.#seen = last;
    this.#member.hear(entries);
  }

  #sendTo(owner: string): void {
    for (const { id, ask } of this.#backlog.for(owner)) this.#say({ kind: "ask", to: owner, id, ask });
  }

  async #serveOwn({ id, ask }: Open): Promise<void> {
    try {
      this.#backlog.answer(id, await this.#member!.serve(ask));
    } catch (error) {
      this.#backlog.refuse(id, error);
    }
  }

  async #serve(from: string, id: number, ask: unknown): Promise<void> {
    const serving = this.#member!.serve(ask).then(
      (answer) => this.#say({ kind: "answer", to: from, id, answer }),
      (error: unknown) => {
        if (error !== LEAVING && this.#role === "owner")
          this.#say({ kind: "refusal", to: from, id, error: tell(error) });
      },
    );
    this.#serving.add(serving);
    await serving;
    this.#serving.delete(serving);
  }

  #say(said: Said): void {
    this.#channel?.post({ version: VERSION, from: this.#name, ...said } as Message);
  }

  #notOpen(): StoreError {
    return new StoreError("closed", `the store ${this.#place} is not open`);
  }
}

/** As they travel: what an entry makes when it is asked for does not. */
const plain = (entries: readonly Entry[]): Entry[] => entries.map(({ kind, body }) => ({ kind, body }));

const otherVersion = (place: string): StoreError =>
  new StoreError(
    "version",
    `the store ${place} is open in a tab that runs another version of this page: reload that tab, or close it`,
  );
