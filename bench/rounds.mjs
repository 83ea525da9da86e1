// Whole DCB rounds, peer by peer and batched, beside the bare loops they consist of, and beside numpy: ratios in one run,
// arms drawn beforehand.
//   npm run bench -- [--numpy path/to/numpy-rounds.py] [--seconds 4] [--heap] [--json]
import { spawnSync } from "node:child_process";
import { PerformanceObserver } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { createFleet, dcb, Random } from "@coterie/core";
import { slotSize, triangleSize } from "@coterie/core/internal";
import { bench } from "@coterie/lab";
import { sphere } from "./sphere.mjs";

const { values: options } = parseArgs({
  options: {
    numpy: { type: "string" },
    seconds: { type: "string", default: "4" },
    heap: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const seconds = Number(options.seconds);

/** The best time of many windows, in nanoseconds per call: the one least disturbed by the rest of the machine. */
function best(call) {
  const until = performance.now() + seconds * 1000;
  let least = Infinity;
  for (let count = 0; count < 5 || performance.now() < until; count++) {
    const from = process.hrtime.bigint();
    call();
    least = Math.min(least, Number(process.hrtime.bigint() - from));
  }
  return least;
}

function dcbFleet(V, d, K, L) {
  const random = Random.seeded(1);
  const drawn = Array.from({ length: 8 }, () =>
    Array.from({ length: V }, () => ({ count: K, values: sphere(random, K, d) })),
  );
  const theta = sphere(random, 1, d);
  const noise = random.normals(new Float64Array(8 * V * K));
  let now = 0;
  const offered = {
    arms: (peer) => drawn[now][peer],
    pay: (peer, arm) => {
      const { values } = drawn[now][peer];
      let mean = 0.1 * noise[(now * V + peer) * K + arm];
      for (let i = 0; i < d; i++) mean += values[arm * d + i] * theta[i];
      return mean;
    },
  };
  const policy = dcb({ delay: { rounds: L }, radius: { kind: "theory", norm: 1, noise: 0.1, delta: 0.01 } });
  const fleet = createFleet({ policy, dimension: d, peers: V, random: random.fork("policy") });
  return () => {
    now = (now + 1) % 8;
    fleet.round(offered);
  };
}

/** Averaging, choosing and factorising alone, at the same sizes and over as much memory. */
function bareLoops(V, d, K, L) {
  const size = slotSize(d);
  const random = Random.seeded(2);
  const buffers = Array.from({ length: V }, () => random.normals(new Float64Array(size * L)));
  const averaging = () => {
    for (let i = 0; i + 1 < V; i += 2) {
      const a = buffers[i];
      const b = buffers[i + 1];
      for (let k = 0; k < a.length; k++) {
        const mean = 0.5 * (a[k] + b[k]);
        a[k] = mean;
        b[k] = mean;
      }
    }
  };
  const arms = Array.from({ length: V }, () => sphere(random, K, d));
  const lower = Array.from({ length: V }, () => sphere(random, d, d));
  const y = new Float64Array(d);
  let sink = 0;
  const choosing = () => {
    for (let v = 0; v < V; v++) {
      const values = arms[v];
      const factor = lower[v];
      for (let arm = 0; arm < K; arm++) {
        let square = 0;
        for (let i = 0; i < d; i++) {
          let sum = values[arm * d + i];
          for (let j = 0; j < i; j++) sum -= factor[i * d + j] * y[j];
          y[i] = sum;
          square += sum * sum;
        }
        sink += Math.sqrt(square);
      }
    }
  };
  const gram = new Float64Array(triangleSize(d));
  for (let i = 0, at = 0; i < d; at += i + 2, i++) gram[at] = 2 + i;
  const out = new Float64Array(triangleSize(d));
  const cholesky = () => {
    for (let v = 0; v < V; v++) {
      for (let i = 0, row = 0; i < d; row += i + 1, i++) {
        for (let j = 0, other = 0; j <= i; other += j + 1, j++) {
          let sum = gram[row + j];
          for (let k = 0; k < j; k++) sum -= out[row + k] * out[other + k];
          out[row + j] = i === j ? Math.sqrt(sum) : sum / out[other + j];
        }
      }
      sink += out[0];
    }
  };
  const times = { averaging: best(averaging) / V, choosing: best(choosing) / V, cholesky: best(cholesky) / V };
  if (Number.isNaN(sink)) throw new Error("the loops were optimised away");
  return times;
}

function numpyTime(path, V, d, K, L) {
  const run = spawnSync("python3", [path, `${V}`, `${d}`, `${K}`, `${L}`, "batched_ring"], { encoding: "utf8" });
  const match = /best (\d+) ns/.exec(run.stdout ?? "");
  return match ? Number(match[1]) : null;
}

/** 10^5 rounds of a small fleet in steady state: growth of the heap, and collections there were any need for. */
async function heapGrowth() {
  const play = dcbFleet(4, 5, 5, 20);
  for (let t = 0; t < 20_000; t++) play();
  globalThis.gc();
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
  });
  const before = process.memoryUsage().heapUsed;
  observer.observe({ entryTypes: ["gc"] });
  for (let t = 0; t < 100_000; t++) play();
  const allocated = process.memoryUsage().heapUsed - before;
  await new Promise((done) => setTimeout(done, 50));
  observer.disconnect();
  globalThis.gc();
  return { grown: process.memoryUsage().heapUsed - before, allocated, collections };
}

// First, before other fleets have taught the compiler other types.
const heap = options.heap ? await heapGrowth() : null;
const { rounds } = bench("rounds", seconds);
const rows = rounds.rows.map(({ V, d, K, L, engines }) => {
  const bare = bareLoops(V, d, K, L);
  const loops = bare.averaging + bare.choosing + bare.cholesky;
  const numpy = options.numpy ? numpyTime(options.numpy, V, d, K, L) : null;
  const over = (time) => numpy && numpy / time;
  return {
    V,
    d,
    K,
    L,
    engines,
    bare,
    overBareLoops: engines.plain / loops,
    numpyRing: numpy,
    timesNumpy: numpy && { plain: over(engines.plain), lazy: over(engines.lazy) },
  };
});
const result = { rows, ...(heap !== null && { heap }) };
if (options.json) console.log(JSON.stringify(result, null, 2));
else {
  for (const r of rows) {
    const { averaging, choosing, cholesky } = r.bare;
    const size = `V=${r.V} d=${r.d} K=${r.K} L=${r.L}`;
    for (const [name, time] of Object.entries(r.engines)) {
      const over = r.timesNumpy
        ? `, ${r.timesNumpy[name].toFixed(2)} times numpy's packed ring (${r.numpyRing} ns)`
        : "";
      const gain = (r.engines.plain / time).toFixed(2);
      console.log(`dcb  ${size}, ${name}: ${time.toFixed(0)} ns per peer and round, ${gain} times plain${over}`);
    }
    console.log(
      `     bare loops ${(averaging + choosing + cholesky).toFixed(0)} ns (averaging ${averaging.toFixed(0)}, choosing ${choosing.toFixed(0)}, cholesky ${cholesky.toFixed(0)}): plain ${r.overBareLoops.toFixed(2)} times that`,
    );
  }
  if (options.heap) {
    const { grown, allocated, collections } = result.heap;
    const kB = (bytes) => `${(bytes / 1024).toFixed(1)} kB`;
    console.log(
      `heap over 100,000 rounds: ${kB(grown)} kept, ${kB(allocated)} allocated since the last of ${collections} collections`,
    );
  }
}
