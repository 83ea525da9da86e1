import { initialPeer, ProtocolViolation, Random, solo } from "@coterie/core";
import { beforeEach, expect, it } from "vitest";
import { decodeReports, encodeReportAnswers, encodeReports, type ReportAnswer } from "../exchange/report.ts";
import type { Entry } from "../store/store.ts";
import type { HostEvent, MeetingEvent, NodeEffect } from "./event.ts";
import { type Life, relive } from "./journal.ts";
import { Loss } from "./loss.ts";
import { Node } from "./node.ts";
import { Places } from "./places.ts";
import { MOST_QUEUED, type QueuedReport, ReportQueue } from "./reportQueue.ts";

const MINUTE_MS = 60_000;

/** A worker's node, driven by hand; what it writes is kept, so that another life can begin with that. */
class Worker {
  readonly log: Entry[];
  readonly told: HostEvent[] = [];
  readonly sent: { readonly to: string; readonly message: Uint8Array }[] = [];
  readonly rejected: unknown[] = [];
  readonly judged: unknown[] = [];
  readonly replies: Uint8Array[] = [];
  waits: number | null = null;
  readonly life: Life;
  readonly node: Node;

  constructor(log: Entry[] = [], admits = (_peer: string): boolean => true) {
    this.log = log;
    const peer = initialPeer({ id: "w", dimension: 2, policy: solo(), peers: 1 });
    this.life = { peer, exchange: null, loss: new Loss(), places: new Places(), queue: new ReportQueue() };
    for (const entry of log) relive(entry, this.life);
    this.node = new Node({ life: this.life, config: { random: Random.seeded(1), admits } });
  }

  feed(event: MeetingEvent): void {
    for (const effect of this.node.step(event, 0)) this.#perform(effect);
  }

  #perform(effect: NodeEffect): void {
    if (effect.kind === "write") {
      this.log.push(...effect.entries.filter(({ kind }) => kind.startsWith("report")));
      for (const next of effect.then) this.#perform(next);
    } else if (effect.kind === "tell-reports") this.sent.push(effect);
    else if (effect.kind === "report-in") this.waits = effect.ms;
    else if (effect.kind === "tell") this.told.push(effect.event);
    else if (effect.kind === "reject") this.rejected.push(effect.error);
    else if (effect.kind === "reply") this.replies.push(effect.answer);
    else if (effect.kind === "judge") this.judged.push(effect.reports);
  }

  get answers(): ReportAnswer[] {
    return this.told.flatMap((event) => (event.kind === "reported" ? [event.answer] : []));
  }
}

const report = (token: string, more: Partial<QueuedReport> = {}): QueuedReport => ({
  ...{ kind: "reward", token, value: 1, taken: 0, chooser: "a", until: 10 * MINUTE_MS },
  ...more,
});
const answer = (answers: ReportAnswer[], date: number, to = "a"): MeetingEvent => ({
  kind: "report-answered",
  to,
  answer: encodeReportAnswers(answers),
  date,
});
const start: MeetingEvent = { kind: "start", tick: null, random: Random.seeded(2) };

let worker: Worker;
beforeEach(() => {
  worker = new Worker();
  worker.feed(start);
});

it("is on the disk before anybody is told, and is told once the chooser is there", () => {
  worker.feed({ kind: "report", report: report("t") });
  expect(worker.log.map(({ kind }) => kind)).toEqual(["report-queued"]);
  expect(worker.waits).toBe(0);
  worker.feed({ kind: "report-due", date: 0 });
  expect(worker.sent).toEqual([]);
  // Until it is given up there is nothing to do, unless the chooser comes.
  expect(worker.waits).toBe(10 * MINUTE_MS);
  worker.feed({ kind: "joined", peer: "b" });
  expect(worker.waits).toBe(10 * MINUTE_MS);
  worker.feed({ kind: "joined", peer: "a" });
  expect(worker.waits).toBe(0);
  worker.feed({ kind: "report-due", date: 5 });
  expect(decodeReports(worker.sent[0]!.message)).toEqual([{ kind: "reward", token: "t", value: 1, taken: 0 }]);
  // One message at a time.
  worker.feed({ kind: "report", report: report("u") });
  worker.feed({ kind: "report-due", date: 6 });
  expect(worker.sent).toHaveLength(1);
  worker.feed(answer(["learned"], 10));
  expect(worker.answers).toEqual(["learned"]);
  expect(worker.log.map(({ kind }) => kind)).toEqual(["report-queued", "report-queued", "report-done"]);
  // The next one not at once.
  expect(worker.waits).toBe(100);
  worker.feed({ kind: "report-due", date: 50 });
  expect(worker.sent).toHaveLength(1);
  expect(worker.waits).toBe(60);
  worker.feed({ kind: "report-due", date: 110 });
  expect(worker.sent).toHaveLength(2);
});

it("backs off from a chooser that does not answer, and begins anew when it comes back", () => {
  worker.feed({ kind: "joined", peer: "a" });
  worker.feed({ kind: "report", report: report("t", { until: 1e9 }) });
  let date = 0;
  const waits: (number | null)[] = [];
  for (let k = 0; k < 9; k++) {
    worker.feed({ kind: "report-due", date });
    worker.feed({ kind: "report-answered", to: "a", answer: null, date });
    waits.push(worker.waits);
    date += worker.waits!;
  }
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(worker.sent).toHaveLength(9);
  worker.feed({ kind: "left", peer: "a" });
  worker.feed({ kind: "joined", peer: "a" });
  expect(worker.waits).toBe(0);
  worker.feed({ kind: "report-due", date: date - 50_000 });
  expect(worker.sent).toHaveLength(10);
  // A clock that is put back by a year costs a minute.
  worker.feed({ kind: "report-answered", to: "a", answer: null, date });
  worker.feed({ kind: "report-due", date: date - 3e10 });
  expect(worker.sent).toHaveLength(11);
});

it("a new life goes on with what the last one wrote, and only that", () => {
  worker.feed({ kind: "report", report: report("t") });
  worker.feed({ kind: "report", report: report("u") });
  worker.feed({ kind: "joined", peer: "a" });
  worker.feed({ kind: "report-due", date: 0 });
  // Crashed before the answer came: it is told again. The chooser counts it once.
  const second = new Worker([...worker.log]);
  second.feed({ kind: "joined", peer: "a" });
  second.feed(start);
  expect(second.waits).toBe(0);
  second.feed({ kind: "report-due", date: 9 });
  expect(second.sent[0]!.message).toEqual(worker.sent[0]!.message);
  second.feed(answer(["duplicate", "unknown"], 10));
  expect(second.answers).toEqual(["duplicate", "unknown"]);
  const third = new Worker([...second.log]);
  third.feed(start);
  expect([third.waits, third.life.queue.size]).toEqual([null, 0]);
});

it("what is not told in time is given up, with a word", () => {
  worker.feed({ kind: "report", report: report("t", { until: 1000 }) });
  worker.feed({ kind: "report", report: report("u", { until: 3000 }) });
  worker.feed({ kind: "report-due", date: 999 });
  expect(worker.answers).toEqual([]);
  expect(worker.waits).toBe(1);
  worker.feed({ kind: "report-due", date: 1000 });
  expect(worker.told.at(-1)).toMatchObject({ kind: "reported", token: "t", answer: "expired", chooser: "a" });
  expect(worker.waits).toBe(2000);
  expect(new Worker([...worker.log]).life.queue.size).toBe(1);
});

it("of a choice one reward waits; of a slate each further look", () => {
  for (const value of [1, 0]) worker.feed({ kind: "report", report: report("t", { value }) });
  for (const value of [2, 4, 4]) worker.feed({ kind: "report", report: report("t", { kind: "shown", value }) });
  expect([...worker.life.queue.all()].map(({ kind, value }) => [kind, value])).toEqual([
    ["reward", 1],
    ["shown", 2],
    ["shown", 4],
  ]);
});

it("a queue that is full refuses, and takes again what it has", () => {
  for (let k = 0; k < MOST_QUEUED; k++) worker.life.queue.add(report(`t${k}`));
  expect(() => worker.feed({ kind: "report", report: report("one more") })).toThrow(
    "100000 reports wait for other peers already: let another worker take this one",
  );
  worker.feed({ kind: "report", report: report("t7") });
  expect(worker.life.queue.size).toBe(MOST_QUEUED);
});

it("an answer that fits nothing is a violation, and the report is told again", () => {
  worker.feed({ kind: "joined", peer: "a" });
  worker.feed({ kind: "report", report: report("t") });
  for (const bytes of [encodeReportAnswers(["learned", "learned"]), Uint8Array.of(1, 2, 3)]) {
    worker.feed({ kind: "report-due", date: 1e5 * worker.sent.length });
    worker.feed({ kind: "report-answered", to: "a", answer: bytes, date: 1e5 * worker.sent.length });
    expect(worker.told.at(-1)).toMatchObject({ kind: "violation", partner: "a" });
  }
  expect(worker.life.queue.size).toBe(1);
});

it("reports of others are judged by whoever has the choices, unless they are nonsense or from strangers", () => {
  const message = encodeReports([report("t")]);
  worker.feed({ kind: "reports", call: 1, from: "b", message });
  expect(worker.judged).toEqual([[{ kind: "reward", token: "t", value: 1, taken: 0 }]]);
  worker.feed({ kind: "reports", call: 2, from: "b", message: message.slice(0, -1) });
  expect(worker.rejected[0]).toBeInstanceOf(ProtocolViolation);
  expect(worker.told.at(-1)).toMatchObject({ kind: "violation", partner: "b" });
  const closed = new Worker([], (peer) => peer !== "b");
  closed.feed({ kind: "reports", call: 3, from: "b", message });
  expect(closed.judged).toEqual([]);
  expect(closed.replies).toEqual([encodeReportAnswers(["refused"])]);
});
