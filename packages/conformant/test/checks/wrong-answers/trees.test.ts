import {
  askNext,
  type Column,
  conform,
  createClassifier,
  explain,
  howSure,
  type Model,
  predict,
  predictRow,
  type Row,
  random,
  readTrees,
  shapley,
  type TreeJson,
} from "conformant";
import { describe, expect, it } from "vitest";

/** A tree with a single split on a feature: one value at or below the threshold, another above it. */
function stump(feature: number, threshold: number, low: number, high: number): TreeJson {
  return {
    feature: [feature, -1, -1],
    threshold: [threshold, null, null],
    left: [1, -1, -1],
    right: [2, -1, -1],
    value: [null, low, high],
  };
}

function logisticTrees(columns: readonly Column[], trees: readonly TreeJson[], classes = ["no", "yes"]) {
  const features = columns.map(({ name }) => name);
  return readTrees({ kind: "trees", classes, features, link: "logistic", trees }, { columns });
}

describe("askNext of trees", () => {
  const values = Array.from({ length: 1500 }, (_, v) => `v${v}`);
  const columns: Column[] = [
    { name: "used", kind: "binary" },
    { name: "weak", kind: "binary" },
    { name: "unused", kind: "categorical", values },
  ];
  // The columns are independent in the model, so the unused one tells nothing.
  const model = conform(
    readTrees(
      {
        kind: "trees",
        classes: ["no", "yes"],
        features: columns.map(({ name }) => name),
        categories: [null, null, values],
        link: "logistic",
        trees: [stump(0, 0.5, -1.5, 1.5), stump(1, 0.5, -0.2, 0.2)],
      },
      { columns },
    ),
    values.map((unused, r) => ({ used: r % 2, weak: (r >> 1) % 2, unused })),
  );

  it("finds no information in a column of 1,500 values that the trees do not use", () => {
    const gains = new Map(askNext(model, {}).map(({ column, informationGain }) => [column, informationGain]));
    expect(gains.get("unused")).toBeLessThan(1e-9);
  });

  it("ranks a column that the trees use above one that they do not", () => {
    expect(askNext(model, {}).map(({ column }) => column)).toEqual(["used", "weak", "unused"]);
  });

  it("gives the mutual information of class and column that follows from predict for each of its values", () => {
    const entropy = (p: number): number => -p * Math.log(p) - (1 - p) * Math.log(1 - p);
    const when = [0, 1].map((weak) => predict(model, { weak }).yes);
    const p = when[0] / 2 + when[1] / 2;
    const truth = entropy(p) - entropy(when[0]) / 2 - entropy(when[1]) / 2;
    const [gain] = askNext(model, {}).filter(({ column }) => column === "weak");
    expect(gain.informationGain).toBeCloseTo(truth, 9);
  });
});

/** The answers depend on so many bits that all their combinations are too many to go through; the last bit changes nothing. */
const BITS = 18;

function manyBits(seed: number): { model: Model; rows: Row[] } {
  const g = random(seed);
  const names = Array.from({ length: BITS }, (_, i) => `b${i}`);
  const columns = names.map((name): Column => ({ name, kind: "binary" }));
  // Pairs of bits, so that nothing is additive.
  const pair = (i: number, j: number): TreeJson => ({
    feature: [i, j, j, -1, -1, -1, -1],
    threshold: [0.5, 0.5, 0.5, null, null, null, null],
    left: [1, 3, 5, -1, -1, -1, -1],
    right: [2, 4, 6, -1, -1, -1, -1],
    value: [null, null, null, g.normal(), g.normal(), g.normal(), g.normal()],
  });
  const pairs = names.slice(0, -1).map((_, i) => pair(i, (i + 1) % (BITS - 1)));
  const trees = logisticTrees(columns, [...pairs, stump(BITS - 1, 0.5, 0.25, 0.25)]);
  const rows = Array.from({ length: 200 }, () =>
    Object.fromEntries(names.map((name) => [name, g.uniform() < 0.4 ? 1 : 0])),
  );
  return { model: conform(trees, rows), rows };
}

/** A time limit that no busy machine reaches. */
const LONG = 1e6;

/** A row of which only some bits are known. */
function only(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

describe("answers of trees that are drawn", () => {
  const { model, rows } = manyBits(1);
  const known = only(rows[0], ["b0", "b5", "b9", `b${BITS - 1}`]);

  it("are drawn for these rows", () => {
    expect(predictRow(model, known).standardError).toBeDefined();
  });

  it("are not called exact by shapley, which gives their standard errors", () => {
    const { method, contributions } = shapley(model, known);
    expect(method).toBe("sampling");
    for (const { standardError } of contributions) expect(standardError).toBeGreaterThan(0);
  });

  it("prove no explanation of explain optimal", () => {
    for (const row of rows.slice(0, 3)) {
      const { status } = explain(model, only(row, Object.keys(known)), { timeLimit: LONG });
      expect(status).not.toBe("optimal");
    }
  });

  it("leave a column without any effect on neither side: no such column opposes the second class", () => {
    const last = `b${BITS - 1}`;
    let decided = 0;
    for (const row of rows.slice(0, 9)) {
      const { prediction, opposing } = explain(model, only(row, Object.keys(known)), { timeLimit: LONG });
      if (prediction !== "yes") continue;
      decided++;
      expect(opposing).not.toContain(last);
    }
    expect(decided).toBeGreaterThan(2);
  });

  it("are the same in howSure and in predict", () => {
    for (const row of rows.slice(0, 10)) {
      const given = only(row, ["b0", "b5"]);
      const sure = howSure(model, given);
      expect(sure.probability).toBe(predict(model, given)[sure.class]);
    }
  });
});

describe("explain of trees", () => {
  const names = ["for", "more", "against"];
  const columns = names.map((name): Column => ({ name, kind: "binary" }));
  const rows = Array.from({ length: 8 }, (_, r) =>
    Object.fromEntries(names.map((name, i) => [name, (r >> i) & 1])),
  );
  const trees = logisticTrees(columns, [stump(0, 0.5, -2, 2), stump(1, 0.5, -1, 1), stump(2, 0.5, 1, -1)]);
  const additive = createClassifier({
    schema: { columns },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, -2),
    weights: Float64Array.of(0, 4, 0, 2, 0, -2),
  });

  it("keeps a column of `use` that opposes the prediction, as explain of an additive classifier does", () => {
    const row = { for: 1, more: 1, against: 1 };
    for (const use of names) {
      const [ofTrees, ofAdditive] = [trees, additive].map((own) =>
        explain(conform(own, rows), row, { use: [use] }),
      );
      expect(ofAdditive.opposing).toEqual(["against"]);
      expect(ofTrees.opposing).toEqual(["against"]);
      expect(ofAdditive.sufficient).toContain(use);
      expect(ofTrees.sufficient, use).toContain(use);
    }
  });
});

it("a classifier whose kind is not known is an error, and never taken for trees", () => {
  const classifier = createClassifier({
    schema: {
      columns: [
        { name: "x", kind: "binary" },
        { name: "z", kind: "binary" },
      ],
    },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, -1),
    weights: Float64Array.of(0, 3, 0, 1),
  });
  const rows = [
    { x: 0, z: 1 },
    { x: 1, z: 0 },
    { x: 1, z: 1 },
  ];
  const labeled = { ...classifier, kind: "logistic regression" } as unknown as typeof classifier;
  expect(() => conform(labeled, rows)).toThrow(
    /classifier must be an additive classifier or an ensemble of trees/,
  );
});
