import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** A number that something else keeps and that is read when somebody looks. */
export type GaugeReading = () => number;
/** The same, by the value of one label. Labels have few values: never a peer, never a room. */
export type Readings = () => Iterable<readonly [label: string, value: number]>;

/** Metrics of a process: its own, and those of the runtime. */
export class Metrics {
  readonly registry = new Registry();
  readonly #registers = [this.registry];
  readonly #answers = new Map<string, number>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    this.counters("coterie_http_answers_total", "Answers of the HTTP API by status.", "status", () => this.#answers);
  }

  /** The HTTP API answered. */
  answered(status: number): void {
    add(this.#answers, String(status));
  }

  gauge(name: string, help: string, read: GaugeReading): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.set(read());
      },
    });
  }

  counter(name: string, help: string, read: GaugeReading): void {
    new Counter({
      name,
      help,
      registers: this.#registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  counters(name: string, help: string, label: string, read: Readings): void {
    new Counter({
      name,
      help,
      registers: this.#registers,
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, count] of read()) this.inc({ [label]: value }, count);
      },
    });
  }
}

/** Adds to a count by label. */
export function add<K>(counts: Map<K, number>, label: K, count = 1): void {
  counts.set(label, (counts.get(label) ?? 0) + count);
}
