import {
  askNext,
  askPlan,
  askTree,
  type Column,
  ConformantError,
  calibrate,
  conform,
  conformMixture,
  createClassifier,
  encode,
  expectedPrediction,
  explain,
  explainInWords,
  howSure,
  impute,
  inferSchema,
  loadModel,
  type Model,
  predict,
  predictColumns,
  predictionSet,
  type Questionnaire,
  type Row,
  random,
  readTrees,
  sample,
  saveModel,
  sensitivity,
  shapley,
  surprise,
  train,
  trainOnIncomplete,
  trainTrees,
} from "conformant";
import { conformChunks, countMarginals, startMixture } from "conformant/remote";
import { describe, expect, it } from "vitest";

const COLUMNS: readonly Column[] = [
  { name: "color", kind: "categorical", values: ["red", "green", "blue"] },
  { name: "bit", kind: "binary" },
  { name: "x", kind: "numeric" },
];

const classifier = createClassifier({
  schema: { columns: COLUMNS },
  classes: ["no", "yes"],
  label: "y",
  intercept: Float64Array.of(0, -0.4),
  weights: Float64Array.of(0, 1, 0, -1, 0, 0.2, 0, 0.7, 0, -0.5),
});

const g = random(3);
const ROWS = Array.from({ length: 40 }, (): Row => {
  const color = g.integer(3);
  return {
    color: ["red", "green", "blue"][color],
    bit: g.integer(2),
    x: g.integer(5) - color,
    y: g.integer(2) === 0 ? "no" : "yes",
  };
});
const FEATURES = ROWS.map(({ y: _, ...rest }) => rest);

const model = conform(classifier, FEATURES);

/** Options that are not in the types: what a program in JavaScript may pass. */
function given<T>(options: unknown): T {
  return options as T;
}

describe("a category that the model does not know", () => {
  const strange = { color: "violet", bit: 1 };

  it("is an error of predict with strict", () => {
    expect(() => predict(model, strange, { strict: true })).toThrow(/"violet"/);
  });

  it("is an error of conformChunks with strict", async () => {
    const chunks = () => [{ data: FEATURES }, { data: [strange] }];
    await expect(conformChunks(classifier, chunks, { components: 1, strict: true })).rejects.toThrow(
      /"violet"/,
    );
  });

  it("is an error of askTree with strict", () => {
    expect(() => askTree(model, strange, { strict: true })).toThrow(/"violet"/);
  });

  it.each<[string, () => unknown]>([
    ["askNext with a look ahead", () => askNext(model, strange, { strict: true, lookAhead: true })],
    ["explain", () => explain(model, strange, { strict: true })],
    ["howSure", () => howSure(model, strange, { strict: true })],
    ["sensitivity", () => sensitivity(model, strange, { strict: true })],
    ["shapley", () => shapley(model, strange, { strict: true })],
    ["calibrate", () => calibrate(model, [{ ...strange, y: "no" }], { strict: true })],
    ["conformMixture", () => conformMixture(classifier, [strange], { strict: true })],
  ])("is an error of %s with strict", (_, call) => {
    expect(call).toThrow(/"violet"/);
  });
});

describe("an option that is undefined means its default", () => {
  it("extra of calibrate: an unknown column is an error", () => {
    const rows = ROWS.map((row) => ({ ...row, other: 1 }));
    expect(() => calibrate(model, rows)).toThrow(/"other"/);
    expect(() => calibrate(model, rows, given({ extra: undefined }))).toThrow(/"other"/);
  });

  /** Functions with options of their own, all of which are undefined. */
  const calls: [string, (options: object) => unknown, readonly string[]][] = [
    ["train", (options) => train(ROWS, { label: "y", ...options }).weights, ["l2", "weights"]],
    [
      "trainTrees",
      (options) => trainTrees(ROWS, { label: "y", ...options }).values,
      ["seed", "l2", "weights", "maxIterations"],
    ],
    [
      "countMarginals",
      (options) => countMarginals(classifier.schema, FEATURES, options).columns,
      ["bins", "weights", "like"],
    ],
    ["howSure", (options) => howSure(model, {}, options), ["seed", "samples", "coverage", "threshold"]],
    ["sample", (options) => sample(model, {}, { count: 3, ...options }), ["seed"]],
    ["shapley", (options) => shapley(model, FEATURES[0], options), ["seed", "tolerance", "groups"]],
  ];
  const fits: [string, (options: object) => unknown, readonly string[]][] = [
    [
      "conform",
      (options) => conform(classifier, FEATURES, options).components,
      ["seed", "pseudocount", "tolerance"],
    ],
    [
      "conformMixture",
      (options) => conformMixture(classifier, FEATURES, { components: 2, ...options }).components,
      ["seed", "pseudocount", "bins", "restarts"],
    ],
    [
      "startMixture",
      (options) => startMixture(classifier, FEATURES, 40, { components: 2, ...options }).counts,
      ["seed", "pseudocount", "bins", "restarts"],
    ],
  ];
  const check = (call: (options: object) => unknown, names: readonly string[]): void => {
    for (const name of names) expect(call({ [name]: undefined }), name).toEqual(call({}));
  };

  it.each(calls)("%s", (_, call, names) => check(call, names));

  it.each(fits)("%s", (_, call, names) => check(call, names));
});

function refusesWeights(weights: unknown): void {
  const options = given<{ weights: number[] }>({ weights });
  const calls = [
    () => conform(classifier, FEATURES, options),
    () => conformMixture(classifier, FEATURES, options),
    () => train(ROWS, { label: "y", ...options }),
    () => trainTrees(ROWS, { label: "y", ...options }),
    () => countMarginals(classifier.schema, FEATURES, options),
  ];
  for (const call of calls) {
    expect(call).toThrow(ConformantError);
    expect(call).toThrow(/options\.weights/);
  }
}

describe("the library refuses weights that are no list, naming the option", () => {
  it.each(["heavy", 5])("%j", refusesWeights);
  it("null", () => refusesWeights(null));
});

describe("loadModel", () => {
  it.each([0.5, 1.5])("refuses components whose weights sum to %s", (sum) => {
    const mixture = conformMixture(classifier, FEATURES, { components: 2, numeric: "atoms" });
    const off = mixture.components.map((own) => ({ ...own, logWeight: own.logWeight + Math.log(sum) }));
    expect(loadModel(saveModel(mixture)).components).toHaveLength(mixture.components.length);
    expect(() => loadModel(saveModel({ ...mixture, components: off }))).toThrow(/weight/);
  });

  const trees = readTrees(
    {
      kind: "trees",
      classes: ["no", "yes"],
      features: ["color", "x"],
      categories: [["red", "green", "blue"], null],
      link: "logistic",
      trees: [
        {
          feature: [0, -1, -1],
          threshold: [null, null, null],
          sets: [[0], null, null],
          left: [1, -1, -1],
          right: [2, -1, -1],
          value: [null, -1, 1],
        },
        {
          feature: [1, -1, -1],
          threshold: [0, null, null],
          left: [1, -1, -1],
          right: [2, -1, -1],
          value: [null, 0, 1],
        },
      ],
    },
    { columns: [COLUMNS[0], COLUMNS[2]] },
  );
  const ofTrees = conform(
    trees,
    FEATURES.map(({ color, x }) => ({ color, x })),
  );

  it.each([
    ["fewer codes than the column has values", [1, 0]],
    ["more codes than the column has values", [1, 0, 0, 1]],
    ["an entry that is neither 0 nor 1", [1, 0, 7]],
  ])("refuses trees with a set of %s", (_, set) => {
    const damaged = { ...ofTrees, predictor: { ...trees, sets: [Uint8Array.from(set)] } };
    expect(() => loadModel(saveModel(damaged as Model))).toThrow(/set/);
  });

  it("refuses trees that split a number by a set of codes", () => {
    const set = trees.nodes.set.map((own, n) => (trees.nodes.column[n] === 1 ? 0 : own));
    const damaged = { ...ofTrees, predictor: { ...trees, nodes: { ...trees.nodes, set } } };
    expect(() => loadModel(saveModel(damaged))).toThrow(/set/);
  });
});

it("predictionSet refuses calibration labels that are no class of the model", () => {
  const calibration = calibrate(model, ROWS);
  const damaged = { ...calibration, labels: calibration.labels.map(() => 7) };
  expect(() => predictionSet(model, damaged, { bit: 1 })).toThrow(ConformantError);
});

describe("a seed that is no whole number of at least 0 is refused by", () => {
  type Seeded = { readonly seed: number };
  const check = (call: (options: Seeded) => unknown): void => {
    for (const seed of [1.5, "x", -1, Number.NaN])
      expect(() => call(given<Seeded>({ seed })), String(seed)).toThrow(/options\.seed/);
  };

  it("howSure", () => check((options) => howSure(model, { bit: 1 }, options)));
  it("surprise", () => check((options) => surprise(model, { bit: 1 }, options)));
  it("sample", () => check((options) => sample(model, { bit: 1 }, { count: 1, ...options })));
  it("askPlan", () => check((options) => askPlan(model, { bit: 1 }, options)));
  it("shapley", () => check((options) => shapley(model, { bit: 1 }, options)));
  it("expectedPrediction", () =>
    check((options) => expectedPrediction(classifier, model, { bit: 1 }, options)));
  it("conformMixture", () => check((options) => conformMixture(classifier, FEATURES, options)));
  it("trainTrees", () => check((options) => trainTrees(ROWS, { label: "y", ...options })));
});

it("askTree has a branch for each bin, also where the lowest edge is so large that subtracting 1 does not change it", () => {
  const binned = createClassifier({
    schema: { columns: [{ name: "mass", kind: "binned", edges: [1e17, 2e17] }] },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 0),
    weights: Float64Array.of(0, -2, 0, 1, 0, 3),
  });
  const rows = [1e16, 1.5e17, 3e17].map((mass) => ({ mass }));
  const { question }: Questionnaire = askTree(conform(binned, rows), {});
  const branches = question?.branches.map(({ from, to }) => [
    from ?? Number.NEGATIVE_INFINITY,
    to ?? Number.POSITIVE_INFINITY,
  ]);
  expect(branches?.sort(([a], [b]) => a - b)).toEqual([
    [Number.NEGATIVE_INFINITY, 1e17],
    [1e17, 2e17],
    [2e17, Number.POSITIVE_INFINITY],
  ]);
  // What is said below a branch holds for a number in it.
  for (const branch of question?.branches ?? []) {
    const mass = branch.from ?? 1e16;
    expect(branch.next.probability).toBeCloseTo(
      predict(conform(binned, rows), { mass })[branch.next.prediction],
      12,
    );
  }
});

describe("explainInWords of a model whose missing values are informative", () => {
  const marked = createClassifier({
    schema: {
      columns: [
        { name: "x", kind: "binary" },
        { name: "z", kind: "binary" },
        { name: "x is missing", kind: "binary", gapOf: "x" },
      ],
    },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, -0.5),
    weights: Float64Array.of(0, 2, 0, 1, 0, 0),
  });
  const rows = Array.from(
    { length: 60 },
    (_, r): Row => ({ z: r % 2, ...(r % 3 > 0 && { x: r % 3 === 1 ? r % 2 : 1 }) }),
  );

  it("never prints undefined", () => {
    const own = conformMixture(marked, rows, { components: 2 });
    for (const row of [{}, { z: 1 }, { z: 0 }, { x: 1 }, { x: 0, z: 1 }])
      expect(explainInWords(explain(own, row)), JSON.stringify(row)).not.toMatch(/undefined/);
  });
});

describe("an option that does not exist is an error that names it", () => {
  const row: Row = { bit: 1 };
  const calls: Record<string, (options: object) => unknown> = {
    askNext: (options) => askNext(model, row, options),
    askPlan: (options) => askPlan(model, row, options),
    askTree: (options) => askTree(model, row, options),
    calibrate: (options) => calibrate(model, ROWS, options),
    conform: (options) => conform(classifier, FEATURES, options),
    conformMixture: (options) => conformMixture(classifier, FEATURES, { components: 1, ...options }),
    countMarginals: (options) => countMarginals(classifier.schema, FEATURES, options),
    encode: (options) => encode(classifier.schema, FEATURES, options),
    explain: (options) => explain(model, row, options),
    expectedPrediction: (options) => expectedPrediction(classifier, model, row, options),
    howSure: (options) => howSure(model, row, options),
    impute: (options) => impute(model, row, options),
    inferSchema: (options) => inferSchema(FEATURES, options),
    predict: (options) => predict(model, row, options),
    predictColumns: (options) => predictColumns(model, [row], options),
    predictionSet: (options) => predictionSet(model, calibrate(model, ROWS), row, options),
    sample: (options) => sample(model, row, { count: 1, ...options }),
    sensitivity: (options) => sensitivity(model, row, options),
    shapley: (options) => shapley(model, row, options),
    surprise: (options) => surprise(model, row, options),
    train: (options) => train(ROWS, { label: "y", ...options }),
    trainTrees: (options) => trainTrees(ROWS, { label: "y", ...options }),
    trainOnIncomplete: (options) =>
      trainOnIncomplete(ROWS, { label: "y", components: 1, maxRounds: 1, ...options }),
  };

  const check = (_: string, call: (options: object) => unknown): void => {
    expect(() => call({ pseudocont: 5 })).toThrow(/pseudocont/);
  };

  it.each(Object.entries(calls))("%s", check);
});
