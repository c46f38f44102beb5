import {
  type Classifier,
  type Column,
  conform,
  conformMixture,
  createClassifier,
  type Model,
  type Row,
  readClassifier,
  readTrees,
  shiftMissing,
  type TreeClassifier,
  train,
  trainOnIncomplete,
  trainTrees,
} from "conformant";
import { addColumns } from "conformant/internal";
import { conformChunks, countMarginals } from "conformant/remote";
import {
  BINNED,
  CLASSIFIER_JSON,
  type PatientOptions,
  patients,
  pickColumns,
  seededWeights,
  type TreeOptions,
  treesJson,
} from "./patients.ts";

/** What is recorded of a fit: the model, and what the fit returns beside it. */
export interface Fitted {
  readonly model: Model;
  readonly beside?: unknown;
}

/**
 * A model that questions are asked of. They are asked of the recorded file, so that a fit that changes on purpose changes its own
 * entry and no answer.
 */
export interface RecordedModel {
  readonly name: string;
  /** Absent for files that earlier releases wrote. */
  readonly fitModel?: () => Fitted | Promise<Fitted>;
}

const TWO = ["no", "yes"];
const THREE = ["high", "low", "medium"];
const FIVE = ["ash", "beech", "cedar", "elm", "oak"];
const MIXED = ["age", "smoker", "city", "dose", "stage"];
const NUMBERS = ["age", "dose", "pressure"];
const DISCRETE = ["smoker", "city", "stage"];

/** Seconds for a choice of size: so many that the clock never decides. */
const NO_LIMIT = 3600;

/** An additive classifier with random weights. */
function additive(
  names: readonly string[],
  classes: readonly string[],
  { seed, scale = 0.8, columns }: { seed: number; scale?: number; columns?: readonly Column[] },
): Classifier {
  const schema = pickColumns(names, columns);
  return createClassifier({
    ...{ schema, classes, label: "outcome" },
    ...seededWeights(schema, classes.length, seed, scale),
  });
}

const trees = (options: TreeOptions): TreeClassifier => readTrees(treesJson(options), pickColumns(MIXED));

/** Patients without their outcome. */
const inputs = (options: PatientOptions): Row[] => patients(options).map(({ outcome: _, ...row }) => row);

const model = (name: string, fitted: () => Model): RecordedModel => ({
  name,
  fitModel: () => ({ model: fitted() }),
});

export const RECORDED_MODELS: readonly RecordedModel[] = [
  // Written by the library at commits 6dca045 (0.1) and 842af4a (0.2), from patients with the seeds 11 to 16.
  { name: "from-0.1-naive" },
  { name: "from-0.1-gaussian-mixture" },
  { name: "from-0.2-binned-mixture" },
  { name: "from-0.2-trees" },

  // One component of atoms.
  model("naive-discrete", () =>
    conform(additive(DISCRETE, TWO, { seed: 1 }), inputs({ seed: 101, count: 80, missing: 0.2 })),
  ),
  model("naive-mixed", () =>
    conform(additive(MIXED, TWO, { seed: 2 }), inputs({ seed: 102, count: 90, missing: 0.2 }), { bins: 8 }),
  ),
  model("naive-three-classes", () =>
    conform(additive(MIXED, THREE, { seed: 3 }), inputs({ seed: 103, count: 90 }), { bins: 6 }),
  ),
  model("naive-five-classes", () =>
    conform(additive(DISCRETE, FIVE, { seed: 4 }), inputs({ seed: 104, count: 70 }), { pseudocount: 0.5 }),
  ),
  model("naive-binned", () =>
    conform(
      additive(MIXED, TWO, { seed: 5, columns: BINNED }),
      inputs({ seed: 105, count: 80, missing: 0.1 }),
    ),
  ),
  model("naive-no-smoothing", () =>
    conform(additive(DISCRETE, TWO, { seed: 6 }), inputs({ seed: 106, count: 40 }), { pseudocount: 0 }),
  ),
  model("naive-steep", () =>
    conform(additive(MIXED, TWO, { seed: 7, scale: 12 }), inputs({ seed: 107, count: 60 }), { bins: 6 }),
  ),
  model("naive-marginals", () => {
    const classifier = additive(MIXED, THREE, { seed: 8 });
    const rows = inputs({ seed: 108, count: 60 });
    const weights = rows.map((_, r) => 0.5 + (r % 3));
    return conform(classifier, countMarginals(classifier.schema, rows, { bins: 5, weights }));
  }),
  model("naive-imported", () => {
    const rows = inputs({ seed: 109, count: 70, missing: 0.1 });
    return conform(readClassifier(CLASSIFIER_JSON, rows), rows, { bins: 8 });
  }),

  // Mixtures of atoms.
  model("mixture-discrete", () =>
    conformMixture(additive(DISCRETE, TWO, { seed: 10 }), inputs({ seed: 110, count: 100, missing: 0.2 }), {
      components: 3,
    }),
  ),
  model("mixture-mixed", () =>
    conformMixture(additive(MIXED, TWO, { seed: 11 }), inputs({ seed: 111, count: 100, missing: 0.1 }), {
      components: 2,
      numeric: "atoms",
      bins: 6,
    }),
  ),
  model("mixture-three-classes", () =>
    conformMixture(additive(MIXED, THREE, { seed: 12 }), inputs({ seed: 112, count: 100 }), {
      components: 3,
      numeric: "atoms",
      bins: 6,
      restarts: 2,
      seed: 5,
    }),
  ),
  model("mixture-binned", () =>
    conformMixture(
      additive(MIXED, THREE, { seed: 13, columns: BINNED }),
      inputs({ seed: 113, count: 90, missing: 0.2 }),
      { components: 2 },
    ),
  ),
  model("mixture-added-columns", () =>
    conformMixture(additive(["age", "smoker"], TWO, { seed: 14 }), inputs({ seed: 114, count: 90 }), {
      components: 2,
      numeric: "atoms",
      bins: 6,
      also: ["city", "dose"],
    }),
  ),
  {
    name: "mixture-chunks",
    fitModel: async () => {
      const rows = inputs({ seed: 115, count: 160, missing: 0.1 });
      const chunks = () => [{ data: rows.slice(0, 70) }, { data: rows.slice(70) }];
      const options = { components: 2, numeric: "atoms", bins: 6, sampleRows: 80, seed: 3 } as const;
      return { model: await conformChunks(additive(MIXED, TWO, { seed: 15 }), chunks, options) };
    },
  },

  // Gaussian columns.
  model("gaussian-numbers", () =>
    conformMixture(additive(NUMBERS, TWO, { seed: 20 }), inputs({ seed: 120, count: 80, missing: 0.1 }), {
      components: 1,
      numeric: "gaussian",
    }),
  ),
  model("gaussian-three-classes", () =>
    conformMixture(additive(MIXED, THREE, { seed: 21 }), inputs({ seed: 121, count: 80 }), {
      components: 1,
      numeric: "gaussian",
    }),
  ),
  model("gaussian-mixture", () =>
    conformMixture(
      additive([...MIXED, "pressure"], TWO, { seed: 22 }),
      inputs({ seed: 122, count: 120, missing: 0.15 }),
      { components: 2, numeric: "gaussian" },
    ),
  ),
  model("gaussian-mixture-three-classes", () =>
    conformMixture(additive([...NUMBERS, "city"], THREE, { seed: 23 }), inputs({ seed: 123, count: 120 }), {
      components: 3,
      numeric: "gaussian",
    }),
  ),
  model("gaussian-and-atoms", () =>
    conformMixture(
      additive([...NUMBERS, "smoker"], TWO, { seed: 24 }),
      inputs({ seed: 124, count: 100, missing: 0.1 }),
      { components: 2, numeric: ["age", "dose"], bins: 6 },
    ),
  ),
  model("chosen-automatically", () =>
    conformMixture(
      additive(["age", "dose", "smoker"], TWO, { seed: 25 }),
      inputs({ seed: 125, count: 120, missing: 0.05 }),
      { most: 4, bins: 8, timeLimit: NO_LIMIT },
    ),
  ),
  model("shifted", () =>
    shiftMissing(
      conformMixture(additive(MIXED, TWO, { seed: 26 }), inputs({ seed: 126, count: 90 }), {
        components: 2,
        numeric: "gaussian",
      }),
      { age: 0.7, smoker: -0.5, city: { Ulm: 1 } },
    ),
  ),

  // Classifiers that are trained here, on rows with missing values too.
  model("trained", () => {
    const rows = patients({ seed: 130, count: 120, classes: THREE, missing: 0.05 });
    return conform(train(rows, { label: "outcome", l2: 0.5 }), rows, { bins: 8 });
  }),
  {
    name: "trained-with-missing-values",
    fitModel: () => {
      const rows = patients({ seed: 131, count: 120, missing: 0.2 });
      const {
        model,
        heldOutLoss,
        indicators: gaps,
      } = trainOnIncomplete(rows, {
        ...{ label: "outcome", columns: MIXED, components: 2, numeric: "gaussian" },
        ...{ maxRounds: 2, draws: 2, timeLimit: NO_LIMIT },
      });
      return { model, beside: { heldOutLoss, gaps } };
    },
  },
  {
    name: "informative-missingness",
    fitModel: () => {
      const rows = patients({ seed: 132, count: 160, missing: 0.05, informative: true });
      const {
        model,
        heldOutLoss,
        indicators: gaps,
      } = trainOnIncomplete(rows, {
        ...{ label: "outcome", columns: ["age", "smoker", "city"], components: 2, numeric: "atoms", bins: 6 },
        ...{ maxRounds: 2, draws: 2, missing: "informative", timeLimit: NO_LIMIT },
      });
      return { model, beside: { heldOutLoss, gaps } };
    },
  },
  {
    name: "informative-missingness-gaussian",
    fitModel: () => {
      const rows = patients({ seed: 133, count: 160, classes: THREE, missing: 0.05, informative: true });
      const {
        model,
        heldOutLoss,
        indicators: gaps,
      } = trainOnIncomplete(rows, {
        ...{ label: "outcome", columns: ["age", "smoker", "dose"], components: 1, numeric: "gaussian" },
        ...{ maxRounds: 1, draws: 2, missing: "informative", timeLimit: NO_LIMIT },
      });
      return { model, beside: { heldOutLoss, gaps } };
    },
  },

  // Trees.
  model("trees-xgboost", () =>
    conform(
      trees({ seed: 40, link: "logistic", classes: TWO, trees: 8, depth: 3, single: true }),
      inputs({ seed: 140, count: 80, missing: 0.1 }),
      { bins: 6 },
    ),
  ),
  model("trees-xgboost-three-classes", () =>
    conformMixture(
      trees({ seed: 41, link: "softmax", classes: THREE, trees: 6, depth: 2, single: true }),
      inputs({ seed: 141, count: 100 }),
      { components: 2, numeric: "gaussian" },
    ),
  ),
  model("trees-lightgbm", () =>
    conformMixture(
      trees({ seed: 42, link: "logistic", classes: TWO, trees: 6, depth: 3, sets: true }),
      inputs({ seed: 142, count: 90, missing: 0.1 }),
      { components: 2, numeric: "atoms", bins: 6 },
    ),
  ),
  model("trees-forest", () =>
    conformMixture(
      trees({ seed: 43, link: "probability", classes: TWO, trees: 7, depth: 3 }),
      inputs({ seed: 143, count: 90 }),
      { components: 2, numeric: "atoms", bins: 6 },
    ),
  ),
  model("trees-forest-three-classes", () =>
    conformMixture(
      trees({ seed: 44, link: "probability", classes: THREE, trees: 5, depth: 2 }),
      inputs({ seed: 144, count: 90 }),
      { components: 1, numeric: "gaussian" },
    ),
  ),
  model("trees-boosted", () => {
    const rows = patients({ seed: 145, count: 160, missing: 0.05 });
    const options = { label: "outcome", columns: MIXED, maxIterations: 10, rate: 0.3, leaves: 5 };
    return conformMixture(trainTrees(rows, options), rows, { components: 2, numeric: "atoms", bins: 6 });
  }),
  model("trees-boosted-three-classes", () => {
    const rows = patients({ seed: 146, count: 160, classes: THREE });
    const options = {
      label: "outcome",
      columns: ["age", "city", "smoker"],
      maxIterations: 6,
      rate: 0.3,
      leaves: 4,
    };
    const grown = addColumns(trainTrees(rows, options), pickColumns(["dose"]).columns);
    return conformMixture(grown, rows, { components: 2, numeric: "atoms", bins: 6 });
  }),
];
