import { Random } from "@coterie/core";
import { accelerate, Ball, Chooser } from "@coterie/core/internal";
import { wasmAccelerator } from "@coterie/kernels";
import { sphere } from "./drawn.ts";
import { type BenchLine, bestOf } from "./measure.ts";
import { multiplyAddCall, multiplyAddsIn } from "./roof.ts";
import { workOf } from "./work.ts";

const CALLS = 100;

/** A peer alone chooses from its ball, as an app would have it: core by itself, and with the kernels in use. */
export function benchChoose(seconds: number): BenchLine[] {
  return [
    { d: 5, K: 5 },
    { d: 10, K: 10 },
    { d: 25, K: 25 },
    { d: 64, K: 20 },
  ].flatMap(({ d, K }) => {
    const random = Random.seeded(1);
    const ball = new Ball(d);
    const chooser = new Chooser(d);
    const arms = { count: K, values: sphere(random, K, d) };
    const pick = (): void => {
      for (let k = 0; k < CALLS; k++) chooser.pick("optimistic", ball, 0.5, arms, undefined);
    };
    const kernels = wasmAccelerator();
    const faster = kernels && {
      name: kernels.name,
      leastNumbers: 0,
      leastDimension: kernels.leastDimension,
      leastFactored: kernels.leastFactored,
      leastAlone: kernels.leastAlone,
      optimistic: kernels.optimistic.bind(kernels),
      menu: kernels.menu.bind(kernels),
      measure: kernels.measure.bind(kernels),
      evidence: kernels.evidence.bind(kernels),
      addInverses: kernels.addInverses.bind(kernels),
      energies: kernels.energies.bind(kernels),
      refactor: kernels.refactor.bind(kernels),
      invert: kernels.invert.bind(kernels),
      inverseTrace: kernels.inverseTrace.bind(kernels),
      square: kernels.square.bind(kernels),
    };
    const calls = {
      plain: () => {
        accelerate(null);
        pick();
      },
      kernels: () => {
        accelerate(faster);
        pick();
      },
    };
    const before = accelerate(null);
    for (const call of Object.values(calls)) for (let k = 0; k < 50; k++) call();
    const best = bestOf({ ...calls, limit: multiplyAddCall() }, seconds / 4);
    accelerate(before);
    const least = workOf({ d, K, L: 0 }).choose / multiplyAddsIn(best.limit);
    const name = `choose, d=${d} K=${K}`;
    return [
      { name: `${name}, plain`, value: best.plain / CALLS, unit: "ns", share: (CALLS * least) / best.plain },
      {
        name: `${name}, kernels`,
        value: best.kernels / CALLS,
        unit: "ns",
        ratio: best.plain / best.kernels,
        against: "times plain",
        share: (CALLS * least) / best.kernels,
      },
    ];
  });
}
