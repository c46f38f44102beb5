import {
  askNext,
  type Classifier,
  type Column,
  conform,
  conformMixture,
  createClassifier,
  explain,
  howSure,
  impute,
  inferSchema,
  type Model,
  predict,
  predictColumns,
  type Row,
  random,
  shapley,
  surprise,
  train,
} from "conformant";
import { afterEach, describe, expect, it, vi } from "vitest";

function classifierOn(columns: readonly Column[], weights: readonly number[], intercept = 0): Classifier {
  return createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, intercept),
    weights: Float64Array.from(weights.flatMap((w) => [0, w])),
  });
}

const bit = (name: string): Column => ({ name, kind: "binary" });
const number = (name: string): Column => ({ name, kind: "numeric" });

/** Numbers that depend on each other, and how a classifier weighs them. */
function dependentNumbers(seed: number, count: number): { names: string[]; rows: Record<string, number>[] } {
  const g = random(seed);
  const names = Array.from({ length: 6 }, (_, i) => `n${i}`);
  const rows = Array.from({ length: count }, () => {
    const shared = g.normal();
    return Object.fromEntries(names.map((name) => [name, 0.7 * shared + 0.7 * g.normal()]));
  });
  return { names, rows };
}

describe("interventional Shapley values", () => {
  const { names, rows } = dependentNumbers(5, 300);
  const weights = [0.5, 1.5, 1, 0.8, -0.7, 0.5];
  const settings = { components: 2, numeric: "gaussian" } as const;
  const model = conformMixture(classifierOn(names.map(number), weights, 0.2), rows, settings);
  const [row] = rows;
  const game = "interventional";

  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** As on a machine where a tenth of a second passes between two looks at the clock. */
  function slowClock(): void {
    let now = 0;
    vi.spyOn(Date, "now").mockImplementation(() => {
      now += 100;
      return now;
    });
  }

  it("are the same on a slow machine as on a fast one, unless a time limit was asked for", () => {
    const fast = shapley(model, row, { game, tolerance: 0.01 });
    slowClock();
    expect(shapley(model, row, { game, tolerance: 0.01 })).toEqual(fast);
  });

  it("have standard errors within the tolerance on a slow machine, too", () => {
    slowClock();
    for (const { standardError } of shapley(model, row, { game }).contributions)
      expect(standardError).toBeLessThanOrEqual(0.002);
  });

  it("add up to the prediction for a complete row", () => {
    const { class: name, total } = shapley(model, row, { game, tolerance: 0.01 });
    expect(total).toBeCloseTo(predict(model, row)[name], 12);
  });

  it("add up to predict for a row with missing values: what is shared out is predict with these values missing, and features that are left out are draws", () => {
    for (const known of [{ n0: 1.5 }, { n0: -1, n3: 2 }, { n1: 1, n2: -1, n5: 0.5 }]) {
      const {
        class: name,
        baseline,
        contributions,
        total,
      } = shapley(model, known, { game, tolerance: 0.005 });
      expect(total).toBeCloseTo(predict(model, known)[name], 9);
      const sum = contributions.reduce((all, { contribution }) => all + contribution, baseline);
      expect(sum).toBeCloseTo(total, 9);
      // The mean of predict over draws of the known columns is predict of a row without values: five standard errors.
      expect(Math.abs(baseline - predict(model, {})[name])).toBeLessThan(0.025);
    }
  });
});

describe("a column of booleans", () => {
  const g = random(2);
  const rows = Array.from({ length: 80 }, (): Row => {
    const flag = g.integer(2) === 1;
    return { flag, x: g.normal(), y: flag === g.uniform() < 0.85 ? "yes" : "no" };
  });

  it("reads 1 and 0 as true and false, as a column of 0 and 1 reads true and false", () => {
    const model = conform(
      train(rows, { label: "y" }),
      rows.map(({ flag, x }) => ({ flag, x })),
    );
    expect(inferSchema(rows, { exclude: ["y"] }).columns[0].name).toBe("flag");
    for (const [given, meant] of [
      [1, true],
      [0, false],
      ["1", true],
      ["0", false],
    ] as const)
      expect(predict(model, { flag: given }), JSON.stringify(given)).toEqual(predict(model, { flag: meant }));
  });
});

describe("predict of one row and predictColumns of many", () => {
  const { names, rows } = dependentNumbers(9, 200);
  const weights = [2, -1.5, 1, 0.8, -0.7, 0.5];

  it.each([1, 3])("agree to rounding for a Gaussian model of %s components", (components) => {
    const settings = { components, numeric: "gaussian" } as const;
    const model = conformMixture(classifierOn(names.map(number), weights, 0.2), rows, settings);
    const g = random(1);
    const known = rows.map((row) => Object.fromEntries(Object.entries(row).filter(() => g.uniform() < 0.6)));
    const { probabilities } = predictColumns(model, known);
    for (const [r, row] of known.entries())
      expect(predict(model, row).yes).toBeCloseTo(probabilities[2 * r + 1], 13);
  });
});

describe("informative missingness: a feature that is hidden is unknown, not missing", () => {
  const columns: Column[] = [
    bit("x"),
    bit("z"),
    bit("w"),
    { name: "x is missing", kind: "binary", gapOf: "x" },
    { name: "z is missing", kind: "binary", gapOf: "z" },
  ];
  const g = random(12);
  // x is missing more often where it is 1.
  const rows = Array.from({ length: 400 }, (): Row => {
    const [x, w] = [g.integer(2), g.integer(2)];
    const z = g.uniform() < 0.7 ? x : 1 - x;
    return {
      w,
      ...(g.uniform() < (x === 1 ? 0.3 : 0.9) && { x }),
      ...(g.uniform() < (z === 1 ? 0.8 : 0.4) && { z }),
    };
  });
  const model = conformMixture(classifierOn(columns, [-3, 1, 0.8, 0.9, -0.7], 0.4), rows, { components: 3 });
  const asked: readonly Row[] = [
    { x: 0 },
    { x: 1, z: 0 },
    { x: 0, z: 1, w: 1 },
    { w: 1, x: 0 },
    { z: 0, w: 0 },
  ];
  /** P(class) where some columns of the row are known, each by its value and whether it is missing, by enumeration of the others. */
  const given = (row: Row, names: readonly string[], name: string): number => {
    const { tilt, atoms, components } = model;
    let [sum, all] = [0, 0];
    for (let bits = 0; bits < 32; bits++) {
      const cells = [0, 1, 2, 3, 4].map((i) => (bits >> i) & 1);
      const isGiven = ["x", "z", "w"].every(
        (own, i) =>
          !names.includes(own) ||
          ((row[own] ?? cells[i]) === cells[i] &&
            (i === 2 || cells[3 + i] === Number(row[own] === undefined))),
      );
      if (!isGiven) continue;
      const scores = [0, 1].map((k) =>
        Math.exp(cells.reduce((score, x, i) => score + x * tilt.weights[2 * i + k], tilt.intercept[k])),
      );
      const weight = components.reduce((total, { logWeight, logNormaliser, logQ }) => {
        const log = cells.reduce((own, x, i) => own + logQ[atoms.offsets[i] + x], logWeight - logNormaliser);
        return total + Math.exp(log);
      }, 0);
      all += weight * (scores[0] + scores[1]);
      sum += weight * scores[name === "yes" ? 1 : 0];
    }
    return sum / all;
  };
  /** A missing w has no indicator. */
  const featuresIn = (row: Row): string[] => ["x", "z", ...(row.w === undefined ? [] : ["w"])];

  it("prior of explain, and baseline of shapley, are the answer where nothing is known", () => {
    for (const row of asked) {
      const { prediction, prior } = explain(model, row);
      expect(prior).toBeCloseTo(given(row, [], prediction), 12);
      expect(shapley(model, row).baseline).toBeCloseTo(given(row, [], prediction), 12);
    }
  });

  it("a contribution is the answer of predict minus the answer where the feature is unknown", () => {
    for (const row of asked) {
      const { prediction, contributions } = explain(model, row);
      const names = featuresIn(row);
      expect(contributions.map(({ column }) => column).sort()).toEqual([...names].sort());
      for (const { column, value, probability } of contributions) {
        const others = names.filter((name) => name !== column);
        const truth = predict(model, row)[prediction] - given(row, others, prediction);
        expect(probability, `${JSON.stringify(row)} ${column}`).toBeCloseTo(truth, 12);
        expect(value).toBe(row[column] ?? null);
      }
    }
  });

  it("sufficient and opposing features, and no others, have the probability that explain gives and keep the decision", () => {
    for (const row of asked) {
      const { prediction, sufficient, opposing, sufficientProbability } = explain(model, row);
      const kept = given(row, [...sufficient, ...opposing], prediction);
      expect(kept, JSON.stringify(row)).toBeCloseTo(sufficientProbability, 12);
      expect(kept).toBeGreaterThanOrEqual(0.5);
    }
  });

  it("shapley shares out the answers for the sets of known features", () => {
    const row = { x: 0 };
    const { class: name, contributions } = shapley(model, row);
    const v = (...names: string[]): number => given(row, names, name);
    const truth = {
      x: (v("x") - v() + v("x", "z") - v("z")) / 2,
      z: (v("z") - v() + v("x", "z") - v("x")) / 2,
    };
    expect(contributions).toHaveLength(2);
    for (const { column, contribution } of contributions)
      expect(contribution, column).toBeCloseTo(truth[column as "x" | "z"], 12);
  });

  it("the information gain of askNext is the expected decrease of the entropy of predict once the value is known", () => {
    const entropy = (p: Readonly<Record<string, number>>): number =>
      Object.values(p).reduce((sum, own) => sum - (own > 0 ? own * Math.log(own) : 0), 0);
    for (const row of [{}, { w: 1 }, { z: 0 }]) {
      const imputed = impute(model, row);
      for (const { column, informationGain } of askNext(model, row)) {
        const likely = imputed[column];
        if (likely.kind !== "discrete") throw new Error("a bit is imputed");
        const after = [0, 1].map(
          (value) => likely.probabilities[value] * entropy(predict(model, { ...row, [column]: value })),
        );
        const truth = entropy(predict(model, row)) - after[0] - after[1];
        expect(informationGain, `${JSON.stringify(row)} ${column}`).toBeCloseTo(truth, 9);
      }
    }
  });
});

describe("howSure of a complete row", () => {
  const columns = [bit("a"), bit("b"), number("c")];
  const g = random(21);
  const rows = Array.from({ length: 90 }, (): Row => {
    const a = g.integer(2);
    return { a, b: g.uniform() < 0.7 ? a : 1 - a, c: g.integer(6) };
  });
  const settings = { components: 3, numeric: "atoms" } as const;
  const model: Model = conformMixture(classifierOn(columns, [1.3, -2.1, 0.4], -0.7), rows, settings);

  it("says that the decision stays the same with probability 1, exactly", () => {
    for (const row of rows)
      expect(howSure(model, row).sameDecision).toEqual({ value: 1, lower: 1, upper: 1, method: "exact" });
  });

  it("gives the probability of predict, to the last bit", () => {
    for (const row of rows) {
      const { class: name, probability } = howSure(model, row);
      expect(probability).toBe(predict(model, row)[name]);
    }
  });
});

describe("surprise", () => {
  const g = random(31);
  const rows = Array.from({ length: 500 }, (): Row => ({ a: g.normal(), b: g.integer(2) }));
  const model = conform(classifierOn([number("a"), bit("b")], [1, 1]), rows);

  it("finds a number among those of the data usual", () => {
    expect(surprise(model, { a: 0.1 }).share.value).toBeGreaterThan(0.05);
  });

  it.each([1e100, -1e100, 50])("finds %s unusual in a column of atoms between −4 and 4", (a) => {
    expect(surprise(model, { a }).share.upper).toBeLessThan(0.01);
  });
});
