import { describe, expect, it } from "vitest";
import { logJoint } from "../../src/entries/internal.ts";
import {
  askNext,
  askPlan,
  classify,
  expectedPrediction,
  explain,
  howSure,
  impute,
  loadModel,
  logEvidence,
  type Model,
  predict,
  predictColumns,
  type Row,
  sample,
  saveModel,
  surprise,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { integrateRows, jointDensity, marginalDensity } from "../oracles/block-density.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";

const shapes = [
  { seed: 1, numbers: 2, classes: 2, components: 1 },
  { seed: 2, numbers: 2, classes: 2, components: 3 },
  { seed: 3, numbers: 2, classes: 3, components: 2 },
];

/** The row without some of its columns. */
function without(row: Row, ...names: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

const gaps = [[], ["x1"], ["x2", "colour"], ["x1", "x2"], ["x1", "x2", "bit"], ["colour", "bit"]];

describe.each(shapes)("a block model with $components components and $classes classes", (shape) => {
  const model = randomGaussianModel(shape);
  const {
    response: { outputs: classes },
  } = model;
  const rows = Array.from({ length: 3 }, (_, j) => randomGaussianRow(2, random(shape.seed + 10 * j)));

  it("is a distribution: everything sums and integrates to 1", () => {
    expect(marginalDensity(model, {}).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 8);
  });

  it("predicts, joins and tells the evidence as quadrature does, whatever is missing", () => {
    for (const row of rows) {
      for (const gap of gaps) {
        const known = without(row, ...gap);
        const truth = marginalDensity(model, known);
        const total = truth.reduce((sum, p) => sum + p, 0);
        const answer = predict(model, known);
        const joint = logJoint(model, known);
        classes.forEach((name, k) => {
          expect(Math.abs(answer[name] - truth[k] / total)).toBeLessThan(1e-8);
          expect(Math.abs(joint[name] - Math.log(truth[k]))).toBeLessThan(1e-8);
        });
        expect(Math.abs(logEvidence(model, known) - Math.log(total))).toBeLessThan(1e-8);
      }
    }
  });

  it("is the classifier on complete rows, however far they are from the data", () => {
    for (const scale of [1, 1e3, 1e8]) {
      const far = rows.map((row) => ({ ...row, x1: Number(row.x1) * scale, x2: -Number(row.x2) * scale }));
      const { probabilities } = predictColumns(model, far);
      const own = far.flatMap((row) => Object.values(classify(model.predictor, row)));
      own.forEach((p, at) => {
        expect(Math.abs(p - probabilities[at])).toBeLessThan(1e-10);
      });
    }
  });

  it("imputes the mean, the deviation and the density that quadrature has", () => {
    const known = without(rows[0], "x1", "colour");
    const { x1 } = impute(model, known);
    if (x1.kind !== "numeric" || !x1.density) throw new Error("x1 is a number of the block");
    let [total, mean, square] = [0, 0, 0];
    integrateRows(model, known, ({ x1: x }, joint) => {
      const p = joint.reduce((sum, q) => sum + q, 0);
      total += p;
      mean += p * Number(x);
      square += p * Number(x) ** 2;
    });
    expect(x1.mean).toBeCloseTo(mean / total, 8);
    expect(x1.standardDeviation).toBeCloseTo(Math.sqrt(square / total - (mean / total) ** 2), 8);
    const { weights, means, standardDeviations } = x1.density;
    const at = (x: number): number =>
      weights.reduce((sum, w, j) => {
        const z = (x - means[j]) / standardDeviations[j];
        return sum + (w * Math.exp((-z * z) / 2)) / (standardDeviations[j] * Math.sqrt(2 * Math.PI));
      }, 0);
    for (const x of [-2, 0.3, 1.7]) {
      const truth = marginalDensity(model, { ...known, x1: x }).reduce((sum, p) => sum + p, 0) / total;
      expect(Math.abs(at(x) - truth)).toBeLessThan(1e-8);
    }
    // The quantiles: half of the distribution lies below the middle between the 16th and the 17th.
    let below = 0;
    integrateRows(model, known, ({ x1: x }, joint) => {
      if (Number(x) < x1.values[16]) below += joint.reduce((sum, q) => sum + q, 0);
    });
    expect(below / total).toBeGreaterThan(0.4);
    expect(below / total).toBeLessThan(0.6);
  });

  it("finds what asking for a number is worth, with an error that it keeps", () => {
    const known = without(rows[1], "x2", "bit");
    const question = askNext(model, known).find(({ column }) => column === "x2");
    const prior = marginalDensity(model, known);
    const total = prior.reduce((sum, p) => sum + p, 0);
    let gain = 0;
    const step = 0.02;
    for (let x = -24; x <= 24; x += step) {
      const joint = marginalDensity(model, { ...known, x2: x });
      const density = joint.reduce((sum, p) => sum + p, 0);
      joint.forEach((p, k) => {
        if (p > 0) gain += ((step * p) / total) * Math.log((p * total) / (prior[k] * density));
      });
    }
    expect(Math.abs((question?.informationGain ?? 0) - gain)).toBeLessThan(1e-8);
    expect(question?.error).toBeLessThan(1e-8);
    expect(Math.abs((question?.changesDecision ?? 0) - changes(model, known, "x2"))).toBeLessThan(1e-8);
  });

  it("explains with a smallest set, as the search of all sets finds it", () => {
    for (const row of rows) {
      const { prediction, support, opposing, sufficient, status, contributions } = explain(model, row);
      expect(["optimal", "impossible"]).toContain(status);
      for (const { column, probability } of contributions) {
        const effect = predict(model, row)[prediction] - predict(model, without(row, column))[prediction];
        expect(probability).toBeCloseTo(effect, 9);
      }
      const subsets = support.reduce<string[][]>(
        (all, name) => all.concat(all.map((s) => [...s, name])),
        [[]],
      );
      const keeping = subsets.filter((chosen) => {
        const kept = without(
          row,
          ...Object.keys(row).filter((name) => ![...chosen, ...opposing].includes(name)),
        );
        const answer = predict(model, kept);
        return classes.every((name) => name === prediction || answer[name] < answer[prediction]);
      });
      const smallest = Math.min(...keeping.map(({ length }) => length));
      if (status === "optimal") expect(sufficient.length).toBe(smallest);
      else expect(keeping).toEqual([]);
    }
  });

  it("draws rows with the moments it has, and finds those rows as usual as it should", () => {
    const known = without(rows[2], "x1", "x2", "bit");
    const drawn = sample(model, known, { count: 4000, seed: 5 });
    const truth = impute(model, known);
    for (const name of ["x1", "x2"]) {
      const imputed = truth[name];
      if (imputed.kind !== "numeric") throw new Error(`${name} is a number`);
      const mean = drawn.reduce((sum, row) => sum + Number(row[name]) / drawn.length, 0);
      expect(Math.abs(mean - imputed.mean)).toBeLessThan((4 * imputed.standardDeviation) / Math.sqrt(4000));
    }
    const { share, logEvidence: own } = surprise(model, rows[2], { samples: 500 });
    const others = sample(model, {}, { count: 500, seed: 9 });
    const lower = others.filter((row) => logEvidence(model, row) <= own).length / others.length;
    expect(own).toBeCloseTo(logEvidence(model, rows[2]), 12);
    expect(Math.abs(share.value - lower)).toBeLessThan(0.13);
  });

  it("predicts the same for one row as for many, whether they share their gaps or not", () => {
    const g = random(21);
    const many = Array.from({ length: 40 }, () => {
      const row = randomGaussianRow(2, g);
      return without(row, ...Object.keys(row).filter(() => g.uniform() < 0.4));
    });
    const { probabilities } = predictColumns(model, many);
    many.forEach((row, r) => {
      classes.forEach((name, k) => {
        expect(Math.abs(predict(model, row)[name] - probabilities[r * classes.length + k])).toBeLessThan(
          1e-13,
        );
      });
    });
  });

  it("is the same after saving and loading", () => {
    const again = loadModel(saveModel(model));
    for (const row of rows)
      for (const gap of gaps)
        expect(predict(again, without(row, ...gap))).toEqual(predict(model, without(row, ...gap)));
    expect(JSON.parse(saveModel(model)).version).toBe(2);
  });
});

describe("how sure a prediction is when numbers of a block are missing", () => {
  const model = randomGaussianModel({ seed: 4, numbers: 2, classes: 2, components: 2 });

  it("is closed form for two classes, and agrees with quadrature", () => {
    const row = without(randomGaussianRow(2, random(3)), "x1", "colour");
    const { sameDecision, interval, prediction } = howSure(model, row);
    expect(sameDecision.method).toBe("exact");
    let same = 0;
    for (const colour of ["blue", "green", "red"])
      same += decided(model, { ...row, colour }, "x1", prediction);
    const total = marginalDensity(model, row).reduce((sum, p) => sum + p, 0);
    expect(Math.abs(sameDecision.value - same / total)).toBeLessThan(1e-8);
    expect(interval[0].value).toBeLessThan(interval[1].value);
    // The interval's ends are quantiles of F: sampled completions fall below the lower one as often as they should.
    const drawn = sample(model, row, { count: 4000, seed: 1 });
    const below = drawn.filter((full) => classify(model.predictor, full)[prediction] < interval[0].value);
    expect(Math.abs(below.length / 4000 - 0.05)).toBeLessThan(0.015);
  });

  it("lies within the bounds of the grid where it is not enumerated", () => {
    const row = without(randomGaussianRow(2, random(3)), "x1", "colour");
    const exact = howSure(model, row);
    const grid = howSure(model, row, { enumerate: 1 });
    expect(grid.sameDecision.method).toBe("grid");
    expect(grid.sameDecision.lower).toBeLessThanOrEqual(exact.sameDecision.value + 1e-12);
    expect(grid.sameDecision.upper).toBeGreaterThanOrEqual(exact.sameDecision.value - 1e-12);
    expect(grid.sameDecision.upper - grid.sameDecision.lower).toBeLessThan(0.01);
    grid.interval.forEach(({ lower, upper }, end) => {
      expect(lower).toBeLessThanOrEqual(exact.interval[end].value + 1e-9);
      expect(upper).toBeGreaterThanOrEqual(exact.interval[end].value - 1e-9);
    });
  });

  it("expects of its own classifier what it predicts, by draws and on the grid", () => {
    const row = without(randomGaussianRow(2, random(8)), "x1", "x2", "colour");
    const truth = predict(model, row);
    const grid = expectedPrediction(model.predictor, model, row);
    expect(grid["class 1"].lower).toBeLessThanOrEqual(truth["class 1"]);
    expect(grid["class 1"].upper).toBeGreaterThanOrEqual(truth["class 1"]);
    const drawn = expectedPrediction((full) => predict(model, full)["class 1"], model, row, {
      samples: 1000,
    });
    expect(Math.abs(drawn.value - truth["class 1"])).toBeLessThan(4 * (drawn.standardError ?? 0));
  });

  it("rises with the questions of a plan to certainty, from where it is now", () => {
    const row = without(randomGaussianRow(2, random(11)), "x1", "x2", "colour");
    const plan = askPlan(model, row, { threshold: 1 });
    const now = howSure(model, row).sameDecision.value;
    expect(Math.abs(plan.sameDecision.value - now)).toBeLessThan(4 * (plan.sameDecision.standardError ?? 0));
    expect(plan.questions.map(({ column }) => column).sort()).toEqual(["colour", "x1", "x2"]);
    expect(plan.questions[2].sameDecision.value).toBe(1);
    const first = askNext(model, row);
    expect(plan.questions[0].column).toBe(first[0].column);
    expect(plan.questions[0].informationGain).toBeCloseTo(first[0].informationGain, 3);
  });

  it("is sampled for more classes, within its standard error", () => {
    const three = randomGaussianModel({ seed: 6, numbers: 2, classes: 3, components: 2 });
    const row = without(randomGaussianRow(2, random(4)), "x2");
    const { sameDecision, prediction } = howSure(three, row);
    expect(sameDecision.method).toBe("sampling");
    const total = marginalDensity(three, row).reduce((sum, p) => sum + p, 0);
    const truth = decided(three, row, "x2", prediction) / total;
    expect(Math.abs(sameDecision.value - truth)).toBeLessThan(4 * (sameDecision.standardError ?? 0) + 1e-3);
  });
});

/** ∫ P(y, x) dx where the classifier on the row with `name` = x decides for `prediction`: Simpson between the crossings. */
function decided(model: Model, row: Row, name: string, prediction: string): number {
  const best = (x: number): boolean => {
    const joint = jointDensity(model, { ...row, [name]: x });
    return model.response.outputs[joint.indexOf(Math.max(...joint))] === prediction;
  };
  const density = (x: number): number =>
    jointDensity(model, { ...row, [name]: x }).reduce((sum, p) => sum + p, 0);
  return overIntervals(best, density);
}

/** P(the answer changes the decision) by Simpson's rule between the crossings. */
function changes(model: Model, known: Row, name: string): number {
  const now = marginalDensity(model, known);
  const total = now.reduce((sum, p) => sum + p, 0);
  const k = now.indexOf(Math.max(...now));
  const other = (x: number): boolean => {
    const joint = marginalDensity(model, { ...known, [name]: x });
    return joint.indexOf(Math.max(...joint)) !== k;
  };
  const density = (x: number): number =>
    marginalDensity(model, { ...known, [name]: x }).reduce((sum, p) => sum + p, 0) / total;
  return overIntervals(other, density);
}

function overIntervals(test: (x: number) => boolean, density: (x: number) => number): number {
  let sum = 0;
  const step = 0.05;
  const edge = (a: number, b: number): number => {
    let [low, high] = [a, b];
    const before = test(a);
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (test(middle) === before) low = middle;
      else high = middle;
    }
    return low;
  };
  for (let x = -20; x < 20; x += step) {
    const [left, right] = [test(x), test(x + step)];
    if (!left && !right) continue;
    const cut = left === right ? 0 : edge(x, x + step);
    const [a, b] = left && right ? [x, x + step] : left ? [x, cut] : [cut, x + step];
    const nodes = [0, 0.25, 0.5, 0.75, 1].map((t) => density(a + t * (b - a)));
    sum += ((b - a) / 90) * (7 * nodes[0] + 32 * nodes[1] + 12 * nodes[2] + 32 * nodes[3] + 7 * nodes[4]);
  }
  return sum;
}
