import { describe, expect, it } from "vitest";
import { overThreads } from "./threads.ts";

/** A module whose threads answer with what a text makes of `item`. */
const answering = (text: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(
      `import { parentPort, threadId, workerData } from "node:worker_threads";
       parentPort.on("message", async (item) => parentPort.postMessage(await (${text})));`,
    )}`,
  );

describe("items over threads", () => {
  it("are all answered, each once, and no more threads start than there are items", async () => {
    const answers: [number, number][] = [];
    await overThreads<number, [number, number]>({
      module: answering("[item * workerData.by, threadId]"),
      items: [1, 2, 3, 4, 5, 6, 7],
      threads: 3,
      workerData: { by: 10 },
      onOutcome: (answer) => answers.push(answer),
    });
    expect(answers.map(([product]) => product).sort((a, b) => a - b)).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(new Set(answers.map(([, thread]) => thread)).size).toBeLessThanOrEqual(3);
    const few = new Set<number>();
    const one = { module: answering("threadId"), items: [1], threads: 8 };
    await overThreads<number, number>({ ...one, onOutcome: (thread) => few.add(thread) });
    expect(few.size).toBe(1);
    await overThreads<number, number>({ ...one, items: [], onOutcome: (thread) => few.add(thread) });
    expect(few.size).toBe(1);
  });

  it("are asked for only when a thread is free, so whoever hands them out can stop", async () => {
    let stopped = false;
    let handed = 0;
    function* items(): Generator<number> {
      while (!stopped) yield handed++;
    }
    const heard: number[] = [];
    await overThreads<number, number>({
      module: answering("item"),
      items: items(),
      threads: 2,
      onOutcome: (answer) => {
        heard.push(answer);
        stopped ||= answer >= 10;
      },
    });
    expect(heard.sort((a, b) => a - b)).toEqual([...Array(handed).keys()]);
    expect(handed).toBeLessThanOrEqual(13);
  });

  it.each([
    ["an answer that throws", "item === 3 ? Promise.reject(new RangeError('no three')) : item", "no three"],
    ["a thread that leaves", "item === 3 ? process.exit(7) : item", "a thread ended with 7 before it answered"],
    ["a module that cannot be loaded", "await nothing.there", "nothing"],
  ])("end with the first thing that goes wrong: %s", async (_, text, message) => {
    const heard: number[] = [];
    const options = { module: answering(text), items: [1, 2, 3, 4, 5], threads: 1 };
    await expect(
      overThreads<number, number>({ ...options, onOutcome: (answer) => heard.push(answer) }),
    ).rejects.toThrow(message);
    expect(heard).not.toContain(4);
  });

  it("are left when the caller asks for it, with its reason", async () => {
    const leaving = new AbortController();
    const heard: number[] = [];
    const ended = overThreads<number, number>({
      module: answering("item < 2 ? item : new Promise(() => {})"),
      items: [0, 1, 2, 3, 4],
      threads: 2,
      signal: leaving.signal,
      onOutcome: (answer) => {
        heard.push(answer);
        if (heard.length === 2) leaving.abort(new Error("enough"));
      },
    });
    await expect(ended).rejects.toThrow("enough");
    expect(heard.sort()).toEqual([0, 1]);
    await expect(
      overThreads<number, number>({
        module: answering("item"),
        items: [1],
        threads: 1,
        signal: leaving.signal,
        onOutcome: () => {},
      }),
    ).rejects.toThrow("enough");
  });
});
