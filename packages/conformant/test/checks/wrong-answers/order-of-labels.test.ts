import {
  askNext,
  askPlan,
  askTree,
  type Classifier,
  calibrate,
  classify,
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
  loadCalibration,
  loadModel,
  type Model,
  predict,
  predictColumns,
  predictionSet,
  predictionSets,
  type Row,
  random,
  readTrees,
  sample,
  saveCalibration,
  saveModel,
  sensitivity,
  sensitivityInWords,
  shapley,
  shiftMissing,
  surprise,
  train,
  trainTrees,
} from "conformant";
import { classifyRows, logJoint } from "conformant/internal";
import { loadModel as loadSmall, predict as predictSmall } from "conformant/predict";
import { drawContributions } from "conformant-workbench";
import { fitBaseline, trainNaiveBayes } from "conformant-workbench/baselines";
import { describe, expect, it } from "vitest";

/** Names of classes. JavaScript moves keys such as "1" and "0" to the front of an object, in rising order; "-1" and "0.5" stay. */
const CLASSES = [
  ["1", "0"],
  ["-1", "1"],
  ["2", "-1"],
  ["-1", "0", "1"],
  ["1", "-1", "0"],
  ["2", "1", "0"],
];

/** Names of three categories, likewise. */
const CATEGORIES = [
  ["0.5", "1", "2"],
  ["2", "1", "0.5"],
  ["10", "9", "-1"],
];

/** Names that no object reorders, each unlike any part of another text. */
const PLAIN_CLASSES = ["«A»", "«B»", "«C»"];
const PLAIN_CATEGORIES = ["«u»", "«v»", "«w»"];

interface Names {
  readonly classes: readonly string[];
  readonly categories: readonly string[];
}

/** The names to try: every list of classes with plain categories, every list of categories with plain classes, and one of both. */
const NAMES: readonly Names[] = [
  ...CLASSES.map((classes) => ({ classes, categories: PLAIN_CATEGORIES })),
  ...CATEGORIES.map((categories) => ({ classes: PLAIN_CLASSES, categories })),
  { classes: ["-1", "0", "1"], categories: ["0.5", "1", "2"] },
];

function plain({ classes }: Names): Names {
  return { classes: PLAIN_CLASSES.slice(0, classes.length), categories: PLAIN_CATEGORIES };
}

/** An answer about plain names as it must be about others: the names replaced, everything else as it is. */
function renamed(answer: unknown, to: Names): unknown {
  const from = plain(to);
  const pairs = [
    ...from.classes.map((name, k) => [name, to.classes[k]] as const),
    ...from.categories.map((name, v) => [name, to.categories[v]] as const),
  ];
  const rename = (text: string): string =>
    pairs.reduce((all, [own, other]) => all.replaceAll(own, other), text);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return rename(value);
    if (Array.isArray(value)) return value.map(walk);
    if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [rename(key), walk(own)]));
  };
  return walk(answer);
}

function additive({ classes, categories }: Names): Classifier {
  const g = random(11);
  const K = classes.length;
  const columns = [
    { name: "x", kind: "numeric" },
    { name: "color", kind: "categorical", values: categories },
    { name: "bit", kind: "binary" },
    { name: "age", kind: "binned", edges: [30, 60] },
    { name: "size", kind: "categorical", values: categories },
  ] as const;
  const slots = 1 + 3 + 1 + 3 + 3;
  return createClassifier({
    schema: { columns },
    classes,
    label: "y",
    intercept: Float64Array.from({ length: K }, () => 0.3 * g.normal()),
    weights: Float64Array.from({ length: slots * K }, () => 1.5 * g.normal()),
  });
}

/** Rows of all kinds of values, of which some are missing. */
function rowsOf({ classes, categories }: Names, count: number): Row[] {
  const g = random(5);
  return Array.from({ length: count }, (): Row => {
    const color = g.integer(3);
    return {
      x: Math.round(4 * g.normal()) / 2 + color,
      color: categories[color],
      bit: g.integer(2),
      age: 20 + 20 * g.integer(4),
      size: g.uniform() < 0.6 ? categories[color] : categories[g.integer(3)],
      y: classes[Math.min(classes.length - 1, g.integer(2) + (color === 2 ? 1 : 0))],
    };
  });
}

/** A time limit that no busy machine reaches. */
const LONG = 1e6;

const ROW = (names: Names): Row => ({ color: names.categories[1], bit: 1 });

function modelOf(names: Names): Model {
  const rows = rowsOf(names, 120);
  return conformMixture(additive(names), rows, { components: 2, numeric: "atoms" });
}

function treesOf(names: Names): Model {
  const { classes, categories } = names;
  const K = classes.length;
  const g = random(3);
  const leaves = Array.from({ length: 4 }, () => Array.from({ length: K }, () => 1.5 * g.normal()));
  const trees = readTrees(
    {
      kind: "trees",
      classes,
      label: "y",
      features: ["x", "color", "bit", "age", "size"],
      categories: [null, categories, null, null, categories],
      link: "softmax",
      trees: [
        {
          feature: [0, 1, 2, -1, -1, -1, -1],
          threshold: [1, null, 0.5, null, null, null, null],
          sets: [null, [0, 2], null, null, null, null, null],
          left: [1, 3, 5, -1, -1, -1, -1],
          right: [2, 4, 6, -1, -1, -1, -1],
          value: [null, null, null, ...leaves],
        },
        {
          feature: [4, 3, -1, -1, -1],
          threshold: [null, 45, null, null, null],
          sets: [[1], null, null, null, null],
          left: [1, 3, -1, -1, -1],
          right: [2, 4, -1, -1, -1],
          value: [null, null, leaves[1], leaves[2], leaves[0]],
        },
      ],
    },
    {
      columns: [
        { name: "x", kind: "numeric" },
        { name: "color", kind: "categorical", values: categories },
        { name: "bit", kind: "binary" },
        { name: "age", kind: "numeric" },
        { name: "size", kind: "categorical", values: categories },
      ],
    },
  );
  return conformMixture(trees, rowsOf(names, 120), { components: 2, numeric: "atoms" });
}

/** Checks that a question asked with other names gets the answer that it gets with plain names, in the other names. */
function sameAnswers(ask: (names: Names) => unknown, all: readonly Names[] = NAMES): () => void {
  return () => {
    for (const names of all)
      expect(ask(names), JSON.stringify(names)).toEqual(renamed(ask(plain(names)), names));
  };
}

const models = new Map<string, Model>();

function once(kind: "additive" | "trees", names: Names): Model {
  const key = JSON.stringify([kind, names]);
  const model = models.get(key) ?? (kind === "trees" ? treesOf(names) : modelOf(names));
  models.set(key, model);
  return model;
}

describe.each(["additive", "trees"] as const)("%s: names of classes and categories do not change", (kind) => {
  type Ask = (model: Model, row: Row, names: Names) => unknown;
  const of = (ask: Ask, names?: readonly Names[]): (() => void) =>
    sameAnswers((own) => ask(once(kind, own), ROW(own), own), names);
  const questionnaire: Ask = (model, row) => askTree(model, row, { depth: 2 });

  it(
    "predict",
    of((model, row) => predict(model, row)),
  );
  it(
    "predict of a row without values",
    of((model) => predict(model, {})),
  );
  it(
    "predictColumns",
    of((model, row) => predictColumns(model, [row, {}])),
  );
  it(
    "predict of a saved model",
    of((model, row) => predict(loadModel(copyOf(saveModel(model))), row)),
  );
  it(
    "explain",
    of((model, row) => explain(model, row)),
  );
  it(
    "explainInWords",
    of((model, row) => explainInWords(explain(model, row))),
  );
  it(
    "shapley of the predicted class",
    of((model, row) => shapley(model, row)),
  );
  it(
    "interventional shapley of the predicted class",
    of((model, row) => shapley(model, row, { game: "interventional", tolerance: 0.05, timeLimit: LONG })),
  );
  it(
    "shapley of a named class",
    of((model, row, { classes }) => shapley(model, row, { class: classes[0] })),
  );
  it(
    "askNext",
    of((model, row) => askNext(model, row)),
  );
  it(
    "askNext with groups",
    of((model, row) => askNext(model, row, { groups: { both: ["age", "size"] } })),
  );
  it("askTree, of classes", of(questionnaire, NAMES.slice(0, CLASSES.length)));
  it("askTree, of categories", of(questionnaire, NAMES.slice(CLASSES.length, -1)));
  it(
    "howSure",
    of((model, row) => howSure(model, row)),
  );
  it(
    "sensitivity",
    of((model, row) => sensitivity(model, row)),
  );
  it(
    "sensitivityInWords",
    of((model, row) => sensitivityInWords(sensitivity(model, row))),
  );
  it(
    "shiftMissing of a category",
    of((model, row, { categories }) => predict(shiftMissing(model, { size: { [categories[2]]: 2 } }), row)),
  );
  it(
    "impute",
    of((model, row) => impute(model, row)),
  );
  it(
    "sample",
    of((model, row) => sample(model, row, { count: 5, seed: 2 })),
  );
  it(
    "surprise",
    of((model, row) => surprise(model, row)),
  );
  it(
    "predictionSet",
    of((model, row, names) => predictionSet(model, calibrate(model, rowsOf(names, 60)), row)),
  );
  it(
    "predictionSets with a saved calibration",
    of((model, row, names) => {
      const saved = copyOf(saveCalibration(calibrate(model, rowsOf(names, 60))));
      return predictionSets(model, loadCalibration(saved), [row]);
    }),
  );
  it(
    "drawContributions",
    of((model, row) => drawContributions(explain(model, row))),
  );
});

describe("additive: names of classes and categories do not change", () => {
  const of = (ask: (model: Model, row: Row, names: Names) => unknown): (() => void) =>
    sameAnswers((own) => ask(once("additive", own), ROW(own), own));

  it(
    "predict of the small entry",
    of((model, row) => predictSmall(loadSmall(copyOf(saveModel(model))), row)),
  );
  it(
    "askPlan",
    of((model, row) => askPlan(model, row, { most: 2 })),
  );
  it(
    "logJoint",
    of((model, row) => logJoint(model, row)),
  );
  it(
    "classify",
    of((model, _, names) => classify(model.predictor, rowsOf(names, 1)[0])),
  );
  it(
    "classifyRows",
    of((model, _, names) => classifyRows(model.predictor, encode(model.predictor.schema, rowsOf(names, 9)))),
  );
  it(
    "expectedPrediction",
    of((model, row) => expectedPrediction((full) => classify(model.predictor, full), model, row)),
  );
});

/** Trees that look at the second category only where the first has its first value, which is rarer than others. */
function nestedModel({ classes, categories }: Names): Model {
  const columns = ["first", "second"].map(
    (name) => ({ name, kind: "categorical", values: categories }) as const,
  );
  const trees = readTrees(
    {
      kind: "trees",
      classes,
      features: ["first", "second"],
      categories: [categories, categories],
      link: "logistic",
      trees: [
        {
          feature: [0, 1, -1, -1, -1],
          threshold: [null, null, null, null, null],
          sets: [[0], [0], null, null, null],
          left: [1, 3, -1, -1, -1],
          right: [2, 4, -1, -1, -1],
          value: [null, null, 0, -3, 3],
        },
      ],
    },
    { columns },
  );
  const rows = Array.from({ length: 70 }, (_, r): Row => {
    const first = r % 10;
    return {
      first: categories[first < 2 ? 0 : first < 9 ? 1 : 2],
      second: categories[Math.floor(r / 10) % 2],
    };
  });
  return conform(trees, rows);
}

it(
  "names of categories do not change what askNext finds for two answers that only help together",
  sameAnswers(
    (names) => {
      const seen = askNext(nestedModel(names), {}, { lookAhead: true });
      expect(seen[0].ahead).toBeDefined();
      return seen;
    },
    CATEGORIES.map((categories) => ({ classes: PLAIN_CLASSES.slice(0, 2), categories })),
  ),
);

describe("a fit does not depend on what classes and categories are called", () => {
  /** Two classes whose names are in rising order: the order in which classes are found in data. */
  const RISING = [
    { classes: ["-1", "1"], categories: PLAIN_CATEGORIES },
    { classes: ["0", "1"], categories: ["0.5", "1", "2"] },
  ];
  const of = (ask: (names: Names, rows: readonly Row[]) => unknown): (() => void) =>
    sameAnswers((names) => ask(names, rowsOf(names, 80)), RISING);
  const KINDS = { color: "categorical", size: "categorical" } as const;

  it(
    "inferSchema",
    of((_, rows) => inferSchema(rows, { types: KINDS })),
  );
  it(
    "train",
    of((names, rows) => classify(train(rows, { label: "y", types: KINDS }), rowsOf(names, 1)[0])),
  );
  it(
    "trainTrees",
    of((names, rows) => predict(conform(trainTrees(rows, { label: "y", types: KINDS }), rows), ROW(names))),
  );
  it(
    "trainNaiveBayes",
    of((names, rows) => predict(trainNaiveBayes(rows, { label: "y", types: KINDS }), ROW(names))),
  );
  it.each(["mean", "naive_bayes", "reduced"] as const)("the baseline %s", (name) => {
    of((names, rows) => fitBaseline(name, additive(names), rows).predict([ROW(names)]))();
  });
});

function copyOf<T>(json: T): T {
  return JSON.parse(JSON.stringify(json));
}
