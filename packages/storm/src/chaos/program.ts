import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";

/** A line of a process's log that nobody should have to read. */
export interface Complaint {
  readonly message: string;
  readonly line: string;
}

const MOST_COMPLAINTS = 50;
const LONGEST_LINE = 2000;

/** A hub or a peer in a process of its own. */
export class Program {
  readonly child: ChildProcess;
  /** What it says once it is up. */
  readonly ready: Promise<{ readonly self: string; readonly http: string }>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Errors in its log, and whatever is no line of a log: nobody wrote that on purpose. */
  readonly complaints: Complaint[] = [];
  /** Lines of its log by message. */
  readonly messages = new Map<string, number>();
  #over = false;
  #rest = "";

  /** `log`: a file to which its log is added; null keeps none. */
  constructor(
    command: readonly string[],
    env: Readonly<Record<string, string>>,
    readonly log: string | null,
  ) {
    const [program = "", ...args] = command;
    this.child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    this.ended = new Promise((resolve) => {
      this.child.on("error", () => resolve({ code: null, signal: null }));
      this.child.on("close", (code, signal) => resolve({ code, signal }));
    });
    void this.ended.then(() => {
      this.#over = true;
    });
    this.child.stderr?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.ready = this.#firstLine();
    this.ready.catch(() => {});
  }

  get over(): boolean {
    return this.#over;
  }

  signal(name: NodeJS.Signals): void {
    if (!this.#over) this.child.kill(name);
  }

  /** Memory that it holds now, in bytes; 0 where it has ended. */
  memory(): number {
    try {
      const status = readFileSync(`/proc/${this.child.pid}/status`, "utf8");
      return 1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
    } catch {
      return 0;
    }
  }

  #firstLine(): Promise<{ self: string; http: string }> {
    return new Promise((resolve, reject) => {
      let out = "";
      this.child.stdout?.setEncoding("utf8").on("data", (text: string) => {
        out += text;
        if (out.includes("\n")) resolve(JSON.parse(out.slice(0, out.indexOf("\n"))));
      });
      void this.ended.then(({ code, signal }) =>
        reject(new Error(`ended (${code ?? signal}) before it was up: ${this.complaints.at(-1)?.line ?? ""}`)),
      );
    });
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) this.#note(line);
  }

  #note(line: string): void {
    if (this.log !== null) appendFileSync(this.log, `${line}\n`);
    let said: { level?: string; message?: string };
    try {
      said = JSON.parse(line);
    } catch {
      said = { level: "error", message: "not a line of a log" };
    }
    const { level, message = "" } = said;
    this.messages.set(message, (this.messages.get(message) ?? 0) + 1);
    if (level === "error" && this.complaints.length < MOST_COMPLAINTS) this.complaints.push({ message, line });
  }
}
