import { type ChildProcess, fork } from "node:child_process";
import type { DamagePolicy, StartResult } from "./start.ts";

/** Starts peers in a process of their own, and another one where that died. */
export class Children {
  #child: ChildProcess | null = null;

  start(path: string, policy: DamagePolicy): Promise<StartResult> {
    this.#child ??= fork(new URL("./child.js", import.meta.url), { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    const child = this.#child;
    return new Promise((resolve) => {
      let said = "";
      const hear = (text: Buffer): void => {
        said = `${said}${text}`.slice(-500);
      };
      const done = (came: StartResult): void => {
        child.off("message", done).off("exit", died);
        child.stderr?.off("data", hear);
        resolve(came);
      };
      const died = (code: number | null, signal: string | null): void => {
        this.#child = null;
        done({ outcome: "died", message: `${code ?? signal}: ${said.trim()}` });
      };
      child.stderr?.on("data", hear);
      child.on("message", done).on("exit", died);
      child.send({ path, policy });
    });
  }

  close(): void {
    this.#child?.disconnect();
    this.#child = null;
  }
}

/** `work` with a way to start peers in a process that may die. */
export async function withChildren<T>(work: (start: Children["start"]) => Promise<T>): Promise<T> {
  const children = new Children();
  try {
    return await work((path, policy) => children.start(path, policy));
  } finally {
    children.close();
  }
}
