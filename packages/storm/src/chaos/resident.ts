import type { Random } from "@coterie/core";
import type { PeerState } from "@coterie/net";
import { type Complaint, Program } from "./program.ts";
import { ask, User } from "./user.ts";

/** What a resident's process is started with. */
export interface ResidentConfig {
  readonly name: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly token: string;
  /** A file for its log; null keeps none. */
  readonly log: string | null;
}

/** A hub or a peer through all of its processes. */
export class Resident {
  program: Program | null = null;
  self = "";
  url: string | null = null;
  starts = 0;
  mostMemory = 0;
  /** A fault has it: it is no witness. */
  struck = false;
  /** What went wrong that no fault explains. */
  readonly failures: string[] = [];
  readonly messages = new Map<string, number>();

  constructor(readonly config: ResidentConfig) {}

  /** Resolves once it is up. */
  async start(): Promise<void> {
    const program = new Program(this.config.command, this.config.env, this.config.log);
    this.program = program;
    this.starts += 1;
    void program.ended.then(({ code, signal }) => {
      if (this.program === program) this.#blame(`ended by itself (${code ?? signal})`, program.complaints);
    });
    const { self, http } = await program.ready;
    if (this.self !== "" && self !== this.self) this.failures.push(`came back as ${self}, and was ${this.self}`);
    this.self = self;
    this.url = http;
  }

  /** Ends the process, and expects that; answers its exit code. What it complained of counts, unless it had a reason. */
  async end(signal: "SIGKILL" | "SIGTERM", excused = false): Promise<number | null> {
    const { program } = this;
    if (program === null) return null;
    this.sample();
    this.program = null;
    this.url = null;
    program.signal(signal);
    const { code } = await program.ended;
    for (const [message, count] of program.messages)
      this.messages.set(message, (this.messages.get(message) ?? 0) + count);
    if (!excused) for (const { line } of program.complaints) this.failures.push(`logged ${line}`);
    return code;
  }

  sample(): void {
    this.mostMemory = Math.max(this.mostMemory, this.program?.memory() ?? 0);
  }

  #blame(what: string, complaints: readonly Complaint[]): void {
    this.program = null;
    this.url = null;
    this.failures.push(`${what}: ${complaints.at(-1)?.line ?? "without a word"}`);
  }
}

/** A peer, its store and its user. */
export class PeerResident extends Resident {
  readonly user: User;

  constructor(
    readonly index: number,
    readonly store: string,
    config: ResidentConfig,
    random: Random,
  ) {
    super(config);
    this.user = new User(() => (this.url === null ? null : { url: this.url, token: config.token }), random);
  }

  /** Its state as its API tells it; null where there is no answer. */
  async state(): Promise<PeerState | null> {
    if (this.url === null) return null;
    try {
      return await ask<PeerState>({ url: this.url, token: this.config.token }, "/state");
    } catch {
      return null;
    }
  }
}
