import { percent, table, whole } from "./text.mjs";

const ENGINES = {
  plain: "core, peer by peer",
  lazy: "batched",
};

const gain = (value) => `${value.toFixed(1)} times`;

/** Whole rounds by engine, a column a size, beside core and (where it was at hand) numpy. */
export function roundsTable({ rows }) {
  const sizes = rows.map(({ V, d, K, L }) => `V=${V} d=${d} K=${K} L=${L}`);
  const numpy = rows.map(({ numpyRing }) => numpyRing);
  const cell = (name) => (row) => {
    const against = [
      ...(name === "plain" ? [] : [`${gain(row.engines.plain / row.engines[name])} core`]),
      ...(row.numpyRing === null ? [] : [`${gain(row.numpyRing / row.engines[name])} numpy`]),
    ];
    return [whole(row.engines[name]), ...against].join(", ");
  };
  return table([
    ["nanoseconds per peer and round", ...sizes],
    ...(numpy.includes(null) ? [] : [["numpy, batched, packed ring buffer", ...numpy.map(whole)]]),
    ...Object.entries(ENGINES).map(([name, label]) => [label, ...rows.map(cell(name))]),
    ["core over its bare loops", ...rows.map(({ overBareLoops }) => gain(overBareLoops))],
  ]);
}

/** The lines of a benchmark by name. */
function reader({ benches: [{ lines }] }) {
  const byName = new Map(lines.map((line) => [line.name, line]));
  return (name) => {
    const line = byName.get(name);
    if (line === undefined) throw new Error(`the benchmark has no line ${name}`);
    return line;
  };
}

const SIZES = ["d=25 V=100", "d=10 V=1000"];

export function kernelTable(result) {
  const line = reader(result);
  const each = (show) => SIZES.map(show);
  const kernel = (name) =>
    each((size) => {
      const { value, ratio } = line(`kernel ${name}, ${size}`);
      return `${whole(value)} ns a peer, ${percent(ratio)}`;
    });
  return table([
    ["", ...SIZES.map((size) => size.replace(" ", ", "))],
    ["choose", ...kernel("choose")],
    ["refresh (factor and estimate)", ...kernel("refresh")],
    ["replay (additions only, so at most 50 %)", ...kernel("replay")],
    [
      "a number of an arm drawn",
      ...each((size) => {
        const [ours, cores] = [line(`kernel arms, ${size}`), line(`core's arms, ${size}`)];
        return `${whole(ours.value)} ns, core's way ${whole(cores.value)} ns`;
      }),
    ],
    [
      "the limit: multiply-adds a second",
      ...each((size) => `${line(`limit, multiply-add, ${size}`).value.toFixed(1)} thousand million`),
    ],
  ]);
}

export function chooseTable(result) {
  const line = reader(result);
  const row = (size) => {
    const [plain, kernels] = [line(`choose, ${size}, plain`), line(`choose, ${size}, kernels`)];
    return [size.replace(" ", ", "), `${whole(plain.value)} ns`, `${whole(kernels.value)} ns, ${gain(kernels.ratio)}`];
  };
  return table([["", "core", "with kernels"], ...["d=5 K=5", "d=10 K=10", "d=25 K=25", "d=64 K=20"].map(row)]);
}

/** Microseconds of processor time, beside an echo of as many bytes over a stream that is open, and over a new one. */
export function exchangeTable({ results }) {
  const signature = results.find(({ signMicros }) => signMicros !== undefined);
  const rows = results
    .filter(({ exchangeMicros }) => exchangeMicros !== undefined)
    .map(({ name, bytesEachWay, exchangeMicros, echoMicros, ratio, overFreshStream, bar }) => [
      name,
      whole(bytesEachWay),
      whole(exchangeMicros),
      whole(echoMicros),
      `${ratio.toFixed(1)} (bar: ${bar})`,
      overFreshStream.toFixed(1),
    ]);
  const head = ["", "bytes each way", "exchange, µs", "echo, µs", "exchange over echo", "over an echo on a new stream"];
  const placed = results.find(({ learningMicros }) => learningMicros !== undefined);
  const placing =
    placed === undefined ? "" : ` To place the records that came takes ${whole(placed.learningMicros)} µs more.`;
  const note = `A signature takes ${whole(signature.signMicros)} µs to make and ${whole(signature.verifyMicros)} µs to check.${placing}`;
  return `${table([head, ...rows])}\n\n${note}`;
}
