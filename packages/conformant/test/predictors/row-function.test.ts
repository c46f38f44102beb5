import { describe, expect, it } from "vitest";
import { createModel, functionRegressor, predict, predictRow, type Row, saveModel } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { randomDistribution, schemaOf, truthOf } from "../support/regression.ts";

const schema = schemaOf(2);
const answer = ({ color, x1, x2, bit }: Row): number =>
  Math.max(Number(x1), Number(x2)) + (color === "red" ? 3 * Number(bit) : 0);
const regressor = functionRegressor({ schema, output: "cost", answer });

describe("any function of a row", () => {
  it("is averaged over all completions where they are few", () => {
    const model = createModel(
      regressor,
      randomDistribution(schema, { components: 3, gaussian: false, g: random(4) }),
    );
    for (const row of [{}, { x1: 0.3 }, { color: "red", bit: 1 }])
      expect(predict(model, row)).toBeCloseTo(truthOf(model, row).mean, 12);
    const complete = { color: "red", x1: 0.1, x2: 0.7, bit: 1 };
    expect(predict(model, complete)).toBe(answer(complete));
  });

  it("is drawn within its standard error where numbers are jointly normal", () => {
    const g = random(6);
    let within = 0;
    for (let world = 0; world < 40; world++) {
      const model = createModel(regressor, randomDistribution(schema, { components: 2, gaussian: true, g }));
      const { value, standardError = 0 } = predictRow(model, { color: "blue", bit: 0, x1: 0.2 });
      // E[max(0.2, x2)] for normal x2, component by component: a long sum over a fine grid.
      const truth = gridMean(model, 0.2);
      if (Math.abs(value - truth) <= 2 * standardError) within++;
    }
    expect(within).toBeGreaterThanOrEqual(33);
  });

  it("cannot be saved, and must answer numbers", () => {
    const distribution = randomDistribution(schema, { components: 1, gaussian: false, g: random(4) });
    expect(() => saveModel(createModel(regressor, distribution))).toThrow("cannot be saved in a model file");
    const broken = functionRegressor({ schema, output: "cost", answer: () => Number.NaN });
    expect(() => predict(createModel(broken, distribution), {})).toThrow(
      "answer must return a finite number for every row, got NaN",
    );
  });
});

/** E[max(x1, x2) | x1, blue, 0] of a mixture of two correlated numbers. */
function gridMean(
  model: {
    components: readonly {
      logWeight: number;
      logQ: Float64Array;
      gaussian?: { mean: Float64Array; covariance: Float64Array };
    }[];
    atoms: { offsets: Int32Array };
  },
  x1: number,
): number {
  let [total, sum] = [0, 0];
  for (const { logWeight, logQ, gaussian } of model.components) {
    if (!gaussian) throw new Error("a Gaussian is needed");
    const [a, b, , d] = gaussian.covariance;
    const weight = Math.exp(
      logWeight +
        logQ[2] +
        logQ[model.atoms.offsets[3]] -
        (x1 - gaussian.mean[0]) ** 2 / (2 * a) -
        Math.log(a) / 2,
    );
    const mean = gaussian.mean[1] + (b / a) * (x1 - gaussian.mean[0]);
    const deviation = Math.sqrt(d - (b * b) / a);
    let [own, mass] = [0, 0];
    for (let z = -8; z <= 8; z += 0.002) {
      const p = Math.exp((-z * z) / 2);
      mass += p;
      own += p * Math.max(x1, mean + deviation * z);
    }
    total += weight;
    sum += (weight * own) / mass;
  }
  return sum / total;
}
