import { start } from "./coterie.ts";

/** A hub or a peer in a process of its own, up and ready. */
export interface Service {
  readonly pid: number;
  /** What it said when it was ready. */
  readonly ready: { readonly self: string; readonly http: string; readonly addresses: readonly string[] };
  readonly ended: ReturnType<typeof start>["ended"];
  kill(signal: NodeJS.Signals): ReturnType<typeof start>["ended"];
  /** Asks over HTTP; a body is sent as JSON. Throws what a refusal says. */
  ask<T>(path: string, body?: unknown): Promise<T>;
}

const running = new Set<Service>();

/** Starts `coterie …` and waits until it says that it is ready. */
export async function launch(args: readonly string[], env: Record<string, string> = {}): Promise<Service> {
  const { child, ended } = start([...args, "--json"], env);
  const ready = await new Promise<string>((resolve, reject) => {
    let out = "";
    child.stdout?.on("data", (text: string) => {
      out += text;
      if (out.includes("\n")) resolve(out);
    });
    ended.then(({ code, err }) => reject(new Error(`ended with ${code} before it was ready: ${err}`)), reject);
  });
  const service: Service = {
    pid: child.pid ?? 0,
    ready: JSON.parse(ready),
    ended,
    kill(signal) {
      child.kill(signal);
      return ended;
    },
    ask: (path, body) => ask(`${service.ready.http}${path}`, body),
  };
  running.add(service);
  ended.then(() => running.delete(service));
  return service;
}

/** Ends what a test has left running. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((service) => service.kill("SIGKILL")));
}

async function ask<T>(url: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const post = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
  const answer = await fetch(url, { ...post, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return (/json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text) as T;
}

/** Waits until something holds. The limit is far beyond what a busy machine needs. */
export async function until(what: string, holds: () => Promise<boolean>, mostMs = 180_000): Promise<void> {
  const end = performance.now() + mostMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
