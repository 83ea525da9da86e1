// Kernels of kindred, with the copies into and out of their memory: time of one problem, and the share of the limit, the
// highest rate of multiply-adds that the same WebAssembly reaches. Best of many short measurements, all in turn.
//   node bench/evidence.mjs [--dimensions 10,25,64,384] [--seconds 2] [--core]
// `--core`: instead, the evidence of 40 records beside what core takes without kernels: where they begin to pay.
import { parseArgs } from "node:util";
import { Random } from "@coterie/core";
import { accelerate } from "@coterie/core/internal";
import { wasmAccelerator } from "@coterie/kernels";
import { Evidence } from "../packages/core/dist/kindred/evidence.js";
import { Prior } from "../packages/core/dist/kindred/prior.js";
import { createKernels, PAGE_BYTES } from "../packages/kernels/dist/module.js";

const { values: options } = parseArgs({
  options: {
    dimensions: { type: "string", default: "10,25,64,384" },
    seconds: { type: "string", default: "2" },
    core: { type: "boolean" },
  },
});
const kernels = wasmAccelerator();
const { multiplyAdd } = createKernels(PAGE_BYTES);
const TURNS = 20_000;

/** (S, v) of 2d observations. */
function sumsOf(random, d) {
  const slot = new Float64Array((d * (d + 1)) / 2 + d);
  for (let n = 0; n < 2 * d; n++) {
    const x = random.normals(new Float64Array(d));
    let at = 0;
    for (let i = 0; i < d; i++) for (let j = 0; j <= i; j++) slot[at++] += x[i] * x[j];
    for (let i = 0; i < d; i++) slot[at++] += x[i] * random.normal();
  }
  return slot;
}

/** What is measured: a call, how many problems it solves and the multiply-adds of one. */
function callsOf(d) {
  const random = Random.seeded(1);
  const [a, b, other] = [sumsOf(random, d), sumsOf(random, d), sumsOf(random, d)];
  const triangle = (d * (d + 1)) / 2;
  const ridge = new Float64Array(triangle);
  for (let i = 0, at = 0; i < d; at += ++i + 1) ridge[at] = 1;
  const prior = {
    mean: random.normals(new Float64Array(d)),
    ridge,
    pivots: new Float64Array(d).fill(1),
    overPivots: new Float64Array(d).fill(1),
    version: 1e9 + d,
  };
  const fitOf = (base) => ({ base, other, scale: 1, centre: null, explained: 0, logDeterminant: 0 });
  const [first, second] = [fitOf(a), fitOf(b)];
  const [lower, inverse, total] = [0, 0, 0].map(() => new Float64Array(triangle));
  const [reciprocal, solved] = [new Float64Array(d), new Float64Array(2 * d)];
  const squared = new Float64Array(a.length);
  const cube = d ** 3;
  return {
    "evidence, one record in eight groups": [
      () => {
        for (let k = 0; k < 4; k++) kernels.evidence(d, prior, first, second, k > 0);
      },
      8,
      cube / 6 + 2 * d * d,
    ],
    "evidence, two at once": [() => kernels.evidence(d, prior, first, second, false), 2, cube / 6 + 2 * d * d],
    "evidence, one": [() => kernels.evidence(d, prior, first, null, false), 1, cube / 6 + 2 * d * d],
    factor: [() => kernels.refactor(d, a, 0, 1, lower, reciprocal), 1, cube / 6],
    "inverse of a factor": [() => kernels.invert(d, lower, reciprocal, inverse), 1, cube / 3],
    "square of a factor": [
      () => {
        squared.set(a);
        kernels.square(d, squared);
      },
      1,
      cube / 6,
    ],
    "sum of inverses": [
      () => kernels.addInverses(d, total, solved, [{ slot: a }, { slot: b }], ridge, null, 1),
      2,
      cube / 2 + 2 * d * d,
    ],
  };
}

/** Nanoseconds of a call, of as many as take a tenth of a millisecond or more. */
function timeOf(call, times) {
  const from = process.hrtime.bigint();
  for (let k = 0; k < times; k++) call();
  return Number(process.hrtime.bigint() - from) / times;
}

/** Of core without kernels, how many times as long it takes as with them from one feature on. */
function beside(d) {
  const random = Random.seeded(2);
  const sums = Array.from({ length: 40 }, () => ({ slot: sumsOf(random, d) }));
  const model = { prior: new Prior(new Float64Array(d)), noise: 1 };
  const evidence = new Evidence(d);
  const values = new Float64Array(sums.length);
  const call = () => evidence.ofSums(values, sums, sums.length, sums[0].slot, 1, model);
  const best = [Infinity, Infinity];
  kernels.leastDimension = 1;
  const until = performance.now() + 1000 * Number(options.seconds);
  while (performance.now() < until) {
    for (const [k, accelerator] of [null, kernels].entries()) {
      accelerate(accelerator);
      best[k] = Math.min(best[k], timeOf(call, 20) / sums.length);
    }
  }
  return best;
}

const dimensions = options.dimensions.split(",").map(Number);
for (const d of options.core ? dimensions : []) {
  const [alone, faster] = beside(d);
  console.log(
    `d=${d}: core ${alone.toFixed(0)} ns, kernels ${faster.toFixed(0)} ns, ${(alone / faster).toFixed(2)} times as fast`,
  );
}
for (const d of options.core ? [] : dimensions) {
  const calls = { limit: [() => multiplyAdd(TURNS, 0.5), 1, 24 * TURNS], ...callsOf(d) };
  const best = Object.fromEntries(Object.keys(calls).map((name) => [name, Infinity]));
  const until = performance.now() + 1000 * Number(options.seconds);
  while (performance.now() < until) {
    for (const [name, [call, , work]] of Object.entries(calls)) {
      best[name] = Math.min(best[name], timeOf(call, Math.max(1, Math.round(5e5 / work))));
    }
  }
  const limit = (24 * TURNS) / best.limit;
  console.log(`d=${d}; the limit is ${limit.toFixed(1)} multiply-adds a nanosecond`);
  for (const [name, [, problems, work]] of Object.entries(calls).slice(1)) {
    const each = best[name] / problems;
    console.log(`  ${name}: ${each.toFixed(0)} ns, ${((100 * work) / each / limit).toFixed(0)} %`);
  }
}
