import { Random } from "@coterie/core";
import { Pairer } from "@coterie/core/internal";
import { writeContext } from "@coterie/kernels";
import { layoutOf, operands } from "../engine/layout.ts";
import { Programs } from "../engine/programs.ts";
import { type BenchSize, SIZES, sphere } from "./drawn.ts";
import { type BenchLine, bestOf } from "./measure.ts";
import { benchKernels, roofCalls, roofFrom } from "./roof.ts";
import { workOf } from "./work.ts";

/** Every kernel by itself, beside what the machine could do at most with the same multiply-adds or bytes. */
export function benchKernelParts(seconds: number): BenchLine[] {
  return SIZES.flatMap((size) => linesOf(size, seconds));
}

function linesOf(size: BenchSize, seconds: number): BenchLine[] {
  const { V, d, K } = size;
  const calls = { ...callsOf(size), ...roofCalls() };
  for (const call of Object.values(calls)) for (let k = 0; k < 20; k++) call();
  const { multiplyAdd, bandwidth, ...best } = bestOf(calls, seconds);
  const roof = roofFrom({ multiplyAdd, bandwidth });
  const at = `d=${d} V=${V}`;
  const work = workOf(size);
  const line = (name: keyof typeof work): BenchLine => ({
    name: `kernel ${name}, ${at}`,
    value: best[name] / V,
    unit: "ns per peer",
    ratio: work[name] / roof.multiplyAdds / (best[name] / V),
    against: "of the limit",
  });
  return [
    { name: `limit, multiply-add, ${at}`, value: roof.multiplyAdds, unit: "thousand million a second" },
    { name: `limit, memory, ${at}`, value: roof.bytes, unit: "GB/s" },
    line("choose"),
    line("refresh"),
    line("replay"),
    { name: `kernel arms, ${at}`, value: best.arms / (V * K * d), unit: "ns per number drawn" },
    {
      name: `core's arms, ${at}`,
      value: best.plainArms / (V * K * d),
      unit: "ns per number drawn",
      ratio: best.plainArms / best.arms,
      against: "what the kernel gains",
    },
  ];
}

function callsOf({ V, d, K, L }: BenchSize) {
  const layout = layoutOf({
    peers: V,
    dimension: d,
    arms: K,
    slots: L + 1,
    local: false,
    epochs: false,
    rows: V,
  });
  const drawBytes = 8 * V * K * (d + 1) + 64 * (K * d + d + 64);
  const kernels = benchKernels(layout.bytes + drawBytes);
  const { buffer } = kernels.memory;
  const { context, contextAt, scratchAt: scratch, groups, historyAt } = layout;
  const random = Random.seeded(1);
  new Uint32Array(buffer, context.operandsAt, 2 * context.columns).set(operands(d, context.columns));
  const programs = new Programs(layout, () => buffer);
  const [pairer, partners] = [new Pairer(V), new Int32Array(V)];
  for (let map = 0; map <= L; map++) {
    pairer.matching(partners, random);
    programs.write(map, partners, []);
  }
  const places = { seenAt: historyAt, dueAt: historyAt, firstProgram: 1, maps: L, rowsAt: programs.rowsAt };
  writeContext(buffer, contextAt, { ...context, ...places });
  const arms = new Float64Array(buffer, context.armsAt, V * d * K);
  for (let at = 0; at < arms.length; at++) arms[at] = random.normal() / Math.sqrt(d);
  new Float64Array(buffer, context.radiusAt, V).fill(0.5);
  kernels.refresh(contextAt, 0, groups);
  const out = layout.bytes;
  const means = out + 8 * V * K * d;
  const extra = means + 8 * V * K;
  const draws = Random.seeded(3);
  return {
    choose: () => kernels.choose(contextAt, 0, groups, scratch),
    refresh: () => void kernels.refresh(contextAt, 0, groups),
    replay: () => kernels.replay(contextAt, 0, context.columns / 8, scratch),
    arms: () => kernels.drawArms(0, 0, V, K, d, out, means, context.estimateAt, context.choicesAt, extra),
    plainArms: () => {
      for (let peer = 0; peer < V; peer++) sphere(draws.fork(peer), K, d);
    },
  };
}
