import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** A number that something else keeps and that is read when somebody looks. */
export type GaugeReading = () => number;
/** The same, by the value of one label. Labels have few values: never a peer, never a room. */
export type Readings = () => Iterable<readonly [label: string, value: number]>;

/** Metrics of a process: its own, and those of the runtime. */
export function createRegistry(): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register;
}

export function gauge(register: Registry, name: string, help: string, read: GaugeReading): void {
  new Gauge({
    name,
    help,
    registers: [register],
    collect() {
      this.set(read());
    },
  });
}

export function counter(register: Registry, name: string, help: string, read: GaugeReading): void {
  new Counter({
    name,
    help,
    registers: [register],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

export function counters(register: Registry, name: string, help: string, label: string, read: Readings): void {
  new Counter({
    name,
    help,
    registers: [register],
    labelNames: [label],
    collect() {
      this.reset();
      for (const [value, count] of read()) this.inc({ [label]: value }, count);
    },
  });
}

/** Adds to a count by label. */
export function add<K>(counts: Map<K, number>, label: K, count = 1): void {
  counts.set(label, (counts.get(label) ?? 0) + count);
}
