import { describe, expect, it } from "vitest";
import { createLog, type ProcessLogOptions } from "./log.ts";

function record(options: Partial<ProcessLogOptions> = {}): {
  lines: string[];
  log: ReturnType<typeof createLog>;
  at: (ms: number) => void;
} {
  const lines: string[] = [];
  let time = 0;
  const now = (): Date => new Date(time);
  const log = createLog({ level: "info", readable: false, write: (line) => lines.push(line), now, ...options });
  return {
    lines,
    log,
    at: (ms) => {
      time = ms;
    },
  };
}

describe("a log", () => {
  it("is a line of JSON for each thing at its level or above", () => {
    const { lines, log } = record();
    log.debug("left out");
    log.warn("refused", { peer: "a\nb", error: new Error("why") });
    expect(lines.length).toBe(1);
    expect(lines[0]?.endsWith("\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      time: "1970-01-01T00:00:00.000Z",
      level: "warn",
      message: "refused",
      peer: "a\nb",
      error: expect.stringContaining("Error: why"),
    });
  });

  it("is readable on a terminal", () => {
    const { lines, log } = record({ readable: true });
    log.info("ready", { http: "http://127.0.0.1:1" });
    expect(lines).toEqual(['00:00:00.000 info  ready http="http://127.0.0.1:1"\n']);
  });

  it("withholds what comes too often, and says how much", () => {
    const { lines, log, at } = record();
    for (let k = 0; k < 100; k++) log.warn("violation");
    log.warn("another");
    expect(lines.length).toBe(31);
    at(10_000);
    log.warn("violation");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ message: "violation", withheld: 70 });
  });
});
