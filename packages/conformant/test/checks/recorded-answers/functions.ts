import {
  type Classifier,
  type Column,
  conformMixture,
  createClassifier,
  encode,
  inferSchema,
  type Model,
  predictColumns,
  random,
  readClassifier,
  readTrees,
  saveModel,
  type TreeClassifier,
  train,
  trainOnIncomplete,
  trainTrees,
} from "conformant";
import {
  classifyRows,
  decide,
  findCompleteRows,
  pickRows,
  valueCount,
  valueLabels,
} from "conformant/internal";
import {
  countMarginals,
  lossSums,
  marginalsFromCounts,
  mergeMarginals,
  slotOffsets,
  startMixture,
  trainRemote,
} from "conformant/remote";
import {
  above,
  additiveOf,
  answerRows,
  below,
  checkTreesJson,
  singleBelow,
  singleThreshold,
} from "conformant/trees";
import {
  BINNED,
  CLASSIFIER_JSON,
  COLUMNS,
  patients,
  pickColumns,
  seededWeights,
  treesJson,
} from "./patients.ts";

const THREE = ["high", "low", "medium"];
const MIXED = ["age", "smoker", "city", "dose", "stage"];
const rows = patients({ seed: 200, count: 60, missing: 0.1 });
const complete = patients({ seed: 201, count: 80 });

/** What there is to a tree classifier, without the fields that stay empty. */
const treeParts = ({ link, base, roots, nodes, sets, width, values, outputs }: TreeClassifier): unknown => ({
  ...{ link, base, roots, nodes, sets, width, values, outputs },
});

const additiveParts = ({ schema, classes, intercept, weights, training }: Classifier): unknown => ({
  ...{ schema, classes, intercept, weights, training },
});

const withOutcome = (columns: readonly Column[]): { columns: Column[] } => ({
  columns: [...columns, { name: "outcome", kind: "categorical", values: ["no", "yes"] }],
});

/** Answers of a model to some rows, for options that the parameters alone would say little about. */
const answersOf = (model: Model): unknown =>
  predictColumns(model, rows.slice(0, 6), { extra: "ignore" }).probabilities;

/** Functions that are asked without a model. */
export const FUNCTIONS: Readonly<Record<string, () => unknown>> = {
  random: () => {
    const g = random(12);
    return [g.bits(), g.uniform(), g.integer(100), g.normal(), g.normal(), g.bits()];
  },
  decide: () => [[0.2, 0.8], [0.5, 0.5], [0.4, 0.2, 0.4], [1]].map(decide),
  inferSchema: () => [
    inferSchema(rows),
    inferSchema(rows, { columns: ["stage", "smoker"], types: { smoker: "categorical" } }),
    inferSchema(rows, { exclude: ["age", "outcome"] }),
  ],
  "columns and their values": () =>
    [...COLUMNS, ...BINNED].flatMap((column) =>
      column.kind === "numeric" ? [] : [[column.name, valueCount(column), valueLabels(column)]],
    ),
  slotOffsets: () => [slotOffsets({ columns: COLUMNS }), slotOffsets({ columns: BINNED })],
  encode: () => {
    const { columns, unseen } = encode({ columns: BINNED }, [
      ...rows.slice(0, 8),
      { city: "Rom", age: "1.5" },
    ]);
    return { columns, unseen };
  },
  "findCompleteRows, pickRows": () => {
    const table = encode({ columns: COLUMNS }, rows.slice(0, 20));
    const found = findCompleteRows(table);
    return { found, picked: pickRows(table, found.slice(0, 4)).columns };
  },
  countMarginals: () => countMarginals({ columns: COLUMNS }, rows, { bins: 6 }).columns,
  "countMarginals, weights": () =>
    countMarginals({ columns: COLUMNS }, rows, { bins: 4, weights: rows.map((_, r) => 0.5 + (r % 4)) })
      .columns,
  mergeMarginals: () => {
    const first = countMarginals({ columns: COLUMNS }, rows.slice(0, 30), { bins: 5 });
    return mergeMarginals(first, countMarginals({ columns: COLUMNS }, rows.slice(30), { like: first }))
      .columns;
  },
  marginalsFromCounts: () =>
    marginalsFromCounts(
      pickColumns(["age", "city"]),
      {
        rows: 24,
        columns: {
          age: [0, 1, 2, 3, 4, 5].map((x) => [x / 2, x + 1] as const),
          city: [["Ulm", 12] as const, ["Bonn", 5] as const],
        },
      },
      { bins: 3 },
    ).columns,

  train: () => additiveParts(train(complete, { label: "outcome" })),
  "train, rows with missing values": () => additiveParts(train(rows, { label: "outcome", l2: 0.1 })),
  "train, three classes with weights": () =>
    additiveParts(
      train(patients({ seed: 202, count: 80, classes: THREE }), {
        ...{ label: "outcome", columns: ["age", "city", "smoker"] },
        weights: complete.map((_, r) => 0.25 + (r % 5)),
      }),
    ),
  trainRemote: async () => {
    const columns = pickColumns(["age", "smoker", "dose"]).columns;
    const table = encode(withOutcome(columns), complete);
    const scaling = new Map(
      ["age", "dose"].map((name) => {
        const cells = complete.map((row) => Number(row[name]));
        const mean = cells.reduce((sum, x) => sum + x, 0) / cells.length;
        const scale = Math.sqrt(cells.reduce((sum, x) => sum + (x - mean) ** 2, 0) / cells.length);
        return [name, { mean, scale }] as const;
      }),
    );
    const sample = pickRows(
      table,
      Int32Array.from({ length: 40 }, (_, r) => r),
    );
    const all = { rows: complete.length, rowsWithGaps: 0, scaling };
    return additiveParts(
      await trainRemote(sample, all, { label: "outcome" }, async (classifier) =>
        lossSums(classifier, table, scaling),
      ),
    );
  },
  trainTrees: () =>
    treeParts(trainTrees(rows, { label: "outcome", maxIterations: 6, leaves: 4, rate: 0.3, leastRows: 4 })),
  "trainTrees, three classes with weights": () =>
    treeParts(
      trainTrees(patients({ seed: 203, count: 100, classes: THREE, missing: 0.05 }), {
        ...{
          label: "outcome",
          columns: ["age", "city", "stage"],
          maxIterations: 4,
          leaves: 4,
          rate: 0.4,
          seed: 3,
        },
        weights: Array.from({ length: 100 }, (_, r) => 0.5 + (r % 3)),
      }),
    ),
  "trainOnIncomplete, auto": () => {
    const {
      model,
      heldOutLoss,
      indicators: gaps,
    } = trainOnIncomplete(patients({ seed: 204, count: 160, missing: 0.05, informative: true }), {
      ...{ label: "outcome", columns: ["smoker", "city", "stage"], components: 2 },
      ...{ maxRounds: 2, draws: 2, missing: "auto", seed: 5, timeLimit: 3600 },
    });
    return { heldOutLoss, gaps, answers: answersOf(model) };
  },
  readClassifier: () => additiveParts(readClassifier(CLASSIFIER_JSON, rows)),
  "readClassifier, three classes": () =>
    additiveParts(
      readClassifier(
        {
          ...{ classes: THREE, features: ["age", "smoker", "city=Ulm"], intercept: [0.1, -0.2, 0.3] },
          coef: [
            [1, 0.5, -0.25],
            [-0.5, 0.25, 0.75],
            [0, -1, 0.125],
          ],
        },
        pickColumns(["age", "smoker", "city"]),
      ),
    ),
  "classifyRows, binned": () => {
    const schema = { columns: BINNED };
    const classifier = createClassifier({ schema, classes: THREE, ...seededWeights(schema, 3, 31) });
    return classifyRows(classifier, encode(schema, rows.slice(0, 10)));
  },
  readTrees: () => {
    const json = treesJson({ seed: 32, link: "softmax", classes: THREE, trees: 3, depth: 2, sets: true });
    checkTreesJson(json);
    return treeParts(readTrees(json, pickColumns(MIXED)));
  },
  "readTrees, single precision": () =>
    treeParts(
      readTrees(
        treesJson({ seed: 33, link: "logistic", classes: ["no", "yes"], trees: 3, depth: 2, single: true }),
        pickColumns(MIXED),
      ),
    ),
  "answerRows, forest": () =>
    answerRows(
      readTrees(
        treesJson({ seed: 34, link: "probability", classes: THREE, trees: 5, depth: 4 }),
        pickColumns(MIXED),
      ),
      rows.slice(0, 10).map(({ outcome: _, pressure: __, ...row }) => row),
    ),
  "additiveOf, stumps": () => {
    const stumps = treesJson({ seed: 35, link: "logistic", classes: ["no", "yes"], trees: 8, depth: 1 });
    const found = additiveOf(readTrees(stumps, pickColumns(MIXED)));
    return found && additiveParts(found);
  },
  thresholds: () => [above(1), below(0.1), singleBelow(Math.fround(0.3)), singleThreshold(Math.fround(0.3))],

  "startMixture, its counts and frame": () => {
    const schema = pickColumns(["age", "dose", "smoker"]);
    const classifier = createClassifier({ schema, classes: ["no", "yes"], ...seededWeights(schema, 2, 36) });
    const start = startMixture(classifier, complete, 400, { components: 2, numeric: "gaussian" });
    const { overall, counts, totalWeight, gainedBefore, frame } = start;
    return {
      overall,
      counts,
      totalWeight,
      gainedBefore,
      origin: frame?.origin,
      covariance: frame?.covariance,
    };
  },
  "conformMixture, weights and ridge": () => {
    const schema = pickColumns(["age", "dose", "city"]);
    const classifier = createClassifier({ schema, classes: ["no", "yes"], ...seededWeights(schema, 2, 37) });
    const model = conformMixture(classifier, rows, {
      ...{ components: 2, numeric: "gaussian", ridge: 1e-3, shrinkage: 2, pseudocount: 0.5, seed: 9 },
      weights: rows.map((_, r) => 0.5 + (r % 2)),
    });
    return { parameters: JSON.parse(saveModel(model)).distribution, answers: answersOf(model) };
  },
};
