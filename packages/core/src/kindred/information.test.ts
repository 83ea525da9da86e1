import { describe, expect, it } from "vitest";
import { orthonormalise } from "../numbers/eigen.ts";
import { toDense, triangleSize } from "../numbers/packed.ts";
import { Random } from "../numbers/random.ts";
import { apply, identity, inverse, type Matrix, plus, product, transpose, zeros } from "../testing/dense.ts";
import { gauss, look, sumsOf } from "../testing/kin.ts";
import { relativeGap } from "../testing/same.ts";
import { allOf } from "../work.ts";
import { Components } from "./components.ts";
import type { CovarianceShape } from "./covarianceShape.ts";
import { Diagonal } from "./diagonal.ts";
import { Information } from "./information.ts";

const D = 4;
const [NOISE, VARIANCE] = [0.3, 0.7];

const covarianceOf = (shape: CovarianceShape): Matrix => {
  const more = new Float64Array(triangleSize(D));
  shape.addTo(more, VARIANCE);
  return plus(toDense(more, D), identity(D), VARIANCE);
};

function components(rank: number): CovarianceShape {
  const some = new Components(D, 2);
  Random.seeded(3).normals(some.basis);
  orthonormalise(some.basis, D);
  some.stretch(Float64Array.of(4, 1), rank, VARIANCE);
  return some;
}

function diagonal(): CovarianceShape {
  const some = new Diagonal(D);
  some.shareOut(Float64Array.of(4, 1, 0.1, 2));
  return some;
}

describe.each([
  ["no components", components(0)],
  ["two components", components(2)],
  ["variances of features", diagonal()],
])("Information, %s", (_name, shape) => {
  it("is what all rewards say of μ: XᵀV⁻¹X and XᵀV⁻¹r of each record, V = σ²I + XΣXᵀ the covariance of its rewards", () => {
    const random = Random.seeded(2);
    const covariance = covarianceOf(shape);
    let precision = zeros(D, D);
    let moment = Array<number>(D).fill(0);
    const seen = [2, 3, 9].map((count) => look(random, gauss(random, [1, 0, -1, 2], 1), count, 0.5));
    for (const { arms, rewards } of seen) {
      const spread = product(product(arms, covariance), transpose(arms));
      const weight = product(transpose(arms), inverse(plus(spread, identity(arms.length), NOISE)));
      precision = plus(precision, product(weight, arms));
      moment = moment.map((value, i) => value + apply(weight, rewards)[i]);
    }
    const information = new Information(D);
    const records = seen.map((each) => sumsOf(each, D));
    allOf(information.summing(records, shape, VARIANCE, NOISE / VARIANCE));
    expect(relativeGap(toDense(information.slot, D).flat(), precision.flat())).toBeLessThan(1e-10);
    expect(relativeGap(information.slot.subarray(triangleSize(D)), moment)).toBeLessThan(1e-10);
  });
});
