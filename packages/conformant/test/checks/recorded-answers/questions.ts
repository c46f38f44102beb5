import {
  askNext,
  askPlan,
  askTree,
  type Classifier,
  type Column,
  calibrate,
  classify,
  createClassifier,
  type Explanation,
  encode,
  expectedPrediction,
  explain,
  explainInWords,
  howSure,
  impute,
  loadCalibration,
  loadModel,
  logEvidence,
  type Model,
  type ModelJson,
  predict,
  predictColumns,
  predictionSet,
  predictionSets,
  predictRow,
  type Questionnaire,
  type Row,
  random,
  type Schema,
  type Sensitivity,
  type Shift,
  sample,
  saveCalibration,
  saveModel,
  sensitivity,
  sensitivityInWords,
  shapley,
  shiftMissing,
  surprise,
} from "conformant";
import {
  branchInWords,
  classifyRows,
  completeTable,
  decisionInWords,
  logJoint,
  mixtureBetween,
  mixtureShape,
  usualRange,
} from "conformant/internal";
import { loadModel as loadSmallModel, predict as predictSmall } from "conformant/predict";
import { additiveOf, answerOfTrees, answerRows } from "conformant/trees";
import { patients } from "./patients.ts";

/** A model with what is asked of it. */
export interface Case {
  readonly model: Model;
  /** The text of its file. */
  readonly text: string;
  readonly schema: Schema;
  /** The columns that a row may have: all but those that mark missing values. */
  readonly columns: readonly Column[];
  readonly classes: readonly string[];
  readonly complete: Row;
  /** Rows with missing values: about half of the columns known, then one. */
  readonly half: Row;
  readonly sparse: Row;
  /** Those three and the row about which nothing is known. */
  readonly rows: readonly Row[];
  /** Rows with 0 to all values missing. */
  readonly many: readonly Row[];
  /** Rows with the column "outcome", some with missing values. */
  readonly labeled: readonly Row[];
  /** What several questions are about, computed once. */
  readonly explanations: () => readonly Explanation[];
  readonly sensitivities: () => readonly Sensitivity[];
}

/** Reads a model file and makes up rows for it. */
export function readCase(text: string): Case {
  const model = loadModel(text);
  const { schema, classifier, trees } = JSON.parse(text) as ModelJson;
  if (!classifier) throw new Error("a model of classes has a classifier");
  const { classes } = classifier;
  const columns = schema.columns.filter((column) => column.kind !== "binary" || column.gapOf === undefined);
  const keep = (row: Row, known: (i: number) => boolean): Row =>
    Object.fromEntries(columns.filter((_, i) => known(i)).map(({ name }) => [name, row[name]]));
  const fresh = patients({ seed: 900, count: 16 });
  const complete = keep(fresh[0], () => true);
  const half = keep(fresh[1], (i) => i % 2 === 0);
  const sparse = keep(fresh[2], (i) => i === 1);
  const many = fresh.map((row, r) => keep(row, (i) => ((r >> (i % 4)) & 1) === 1));
  const labeled = patients({ seed: 901, count: 60, classes, missing: 0.15 }).map((row) => ({
    ...keep(row, () => true),
    outcome: row.outcome,
  }));
  const rows = [complete, half, sparse, {}];
  return {
    ...{ model, text, schema, columns, classes, complete, half, sparse, rows, many, labeled },
    explanations: once(() => rows.map((row) => explain(model, row, { timeLimit: NO_LIMIT }))),
    // Trees take long where much is missing.
    sensitivities: once(() => (trees ? [half] : [half, sparse]).map((row) => sensitivity(model, row))),
  };
}

function once<T>(compute: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: compute() };
    return found.value;
  };
}

/** The limit of a search, in seconds: so long that the clock never decides. */
const NO_LIMIT = 3600;

/** Two columns that go together, where a row has that many. */
const firstTwo = ({ columns }: Case): Record<string, string[]> => ({
  both: columns.slice(0, 2).map(({ name }) => name),
});

/** Missing columns of a row. */
const missingOf = ({ columns }: Case, row: Row): string[] =>
  columns.map(({ name }) => name).filter((name) => row[name] === undefined);

/** A function of a complete row that no model knows. */
function score(row: Row): number {
  const { age = 0, dose = 0, smoker = 0, city, stage } = row;
  return (
    Math.tanh(Number(age)) +
    0.5 * Number(smoker) * Number(dose) +
    (city === "Ulm" ? 0.3 : 0) +
    (stage === "late" ? 1 : 0)
  );
}

/** A classifier on the model's columns that the model was not made for. */
function otherClassifier({ columns }: Case): Classifier {
  const used = columns.filter(({ kind }) => kind === "binary" || kind === "numeric");
  const classes = ["down", "up"];
  return createClassifier({
    schema: { columns: used },
    classes,
    intercept: Float64Array.of(0, 0.2),
    weights: Float64Array.from({ length: 2 * used.length }, (_, at) => (at % 2 ? 0.9 - 0.4 * at : 0)),
  });
}

/** Shifts of the first columns of each kind. */
function shifts({ columns }: Case): Record<string, Shift> {
  return Object.fromEntries(
    columns
      .slice(0, 3)
      .map((column) => [column.name, column.kind === "categorical" ? { [column.values[0]]: 0.8 } : -0.6]),
  );
}

/** The texts of all branches of a questionnaire, depth first. */
function branchTexts({ question }: Questionnaire): string[] {
  return (question?.branches ?? []).flatMap((branch) => [branchInWords(branch), ...branchTexts(branch.next)]);
}

/** A questionnaire and its branches in words. */
function askTwice({ model }: Case, row: Row): unknown {
  const questionnaire = askTree(model, row, { depth: 2, threshold: 0.9 });
  return { questionnaire, words: branchTexts(questionnaire) };
}

/** A question: what is asked, and for which models. */
type Question = (asked: Case) => unknown;

/** Questions that every model answers. */
const ALL: Readonly<Record<string, Question>> = {
  predict: ({ model, rows }) => rows.map((row) => predict(model, row)),
  "predict, unseen category": ({ model, half, columns }) => {
    const category = columns.find(({ kind }) => kind === "categorical");
    return category ? predict(model, { ...half, [category.name]: "elsewhere" }) : "no category";
  },
  predictColumns: ({ model, many }) => predictColumns(model, many),
  "predictColumns, columns": ({ model, many, columns }) => {
    const data = Object.fromEntries(columns.map(({ name }) => [name, many.map((row) => row[name])]));
    return predictColumns(model, data).probabilities;
  },

  explain: ({ explanations }) => explanations(),
  "explain, at least": ({ model, complete, half }) =>
    [complete, half].map((row) => {
      const { probability, prior } = explain(model, row, { timeLimit: NO_LIMIT });
      // Between what is known of no row and of this one; both are away from 0 and 1.
      const wanted = Math.round(100 * (0.3 * Math.min(prior, probability) + 0.7 * probability)) / 100;
      const threshold = Math.min(0.99, Math.max(0.01, wanted));
      return explain(model, row, { threshold, timeLimit: NO_LIMIT });
    }),
  "explain, groups": (asked) =>
    explain(asked.model, asked.complete, { groups: firstTwo(asked), timeLimit: NO_LIMIT }),
  "explain, use": ({ model, complete, columns }) =>
    explain(model, complete, { use: [columns[1].name], timeLimit: NO_LIMIT }),
  "explain, avoid": ({ model, complete, columns }) =>
    explain(model, complete, { avoid: [columns[0].name], timeLimit: NO_LIMIT }),
  explainInWords: ({ model, explanations, complete, columns }) => [
    ...explanations().map(explainInWords),
    explainInWords(explain(model, complete, { avoid: [columns[0].name], timeLimit: NO_LIMIT })),
  ],
  decisionInWords: ({ explanations }) => explanations().map(decisionInWords),

  shapley: ({ model, complete, half }) => [complete, half].map((row) => shapley(model, row)),
  "shapley, log-odds of a class": ({ model, complete, half, classes }) =>
    [complete, half].map((row) => shapley(model, row, { scale: "logOdds", class: classes[0] })),
  "shapley, groups": (asked) => shapley(asked.model, asked.complete, { groups: firstTwo(asked) }),
  "shapley, interventional": ({ model, complete, half }) =>
    [complete, half].map((row) => shapley(model, row, { game: "interventional", tolerance: 0.04, seed: 7 })),

  askNext: ({ model, half, sparse }) => [half, sparse, {}].map((row) => askNext(model, row)),
  "askNext, costs": (asked) =>
    askNext(asked.model, asked.half, { costs: { [missingOf(asked, asked.half)[0]]: 3 } }),
  "askNext, look-ahead": ({ model, half }) => askNext(model, half, { lookAhead: true }),
  "askNext, groups": (asked) => askNext(asked.model, {}, { groups: firstTwo(asked) }),
  askPlan: ({ model, half }) => askPlan(model, half, { samples: 60, enumerate: 256, seed: 4 }),

  howSure: ({ model, rows }) => rows.map((row) => howSure(model, row, { samples: 500 })),
  "howSure, threshold": ({ model, half, classes }) =>
    howSure(model, half, { class: classes[0], threshold: 0.3, coverage: 0.5, samples: 500, seed: 2 }),
  sensitivity: ({ sensitivities }) => sensitivities(),
  sensitivityInWords: ({ sensitivities }) => sensitivities().map(sensitivityInWords),
  "shiftMissing, predict": (asked) => {
    const shifted = shiftMissing(asked.model, shifts(asked));
    return asked.rows.map((row) => predict(shifted, row));
  },
  "shiftMissing, impute": (asked) => {
    const imputed = impute(shiftMissing(asked.model, shifts(asked)), asked.sparse);
    return Object.fromEntries(
      Object.entries(imputed).map(([name, { kind, ...found }]) => [
        name,
        "mean" in found ? [kind, found.mean, found.standardDeviation] : [kind, found.probabilities],
      ]),
    );
  },

  impute: ({ model, half }) => impute(model, half),
  "impute, usual ranges": ({ model, sparse }) =>
    Object.fromEntries(
      Object.entries(impute(model, sparse)).flatMap(([name, imputed]) => {
        if (imputed.kind === "discrete") return [];
        const between = imputed.density && mixtureBetween(imputed.density, 0, 1);
        return [
          [
            name,
            {
              ...{ mean: imputed.mean, deviation: imputed.standardDeviation },
              ...{ range: usualRange(imputed), between },
            },
          ],
        ];
      }),
    ),
  sample: ({ model, half, sparse }) => [half, sparse].map((row) => sample(model, row, { count: 4, seed: 6 })),
  completeTable: ({ model, schema, columns, classes, labeled }) => {
    // Rows without a label are not asked for: what is drawn for them is known to be wrong.
    const label: Column = { name: "outcome", kind: "categorical", values: classes };
    if (schema.columns.length !== columns.length) return "columns that mark missing values";
    const table = encode({ columns: [...columns, label] }, labeled.slice(0, 12));
    const completed = completeTable(model, table, random(8));
    return { columns: completed.table.columns, rowsCompleted: completed.rowsCompleted };
  },
  surprise: ({ model, rows }) => rows.slice(0, 3).map((row) => surprise(model, row, { samples: 300 })),
  "surprise, reference": ({ model, half }) =>
    surprise(model, half, { reference: [-9, -7, -5, -4, -3, -2.5, -2, -1] }),
  logEvidence: ({ model, rows }) => rows.map((row) => logEvidence(model, row)),
  logJoint: ({ model, rows }) => rows.map((row) => logJoint(model, row)),
  expectedPrediction: ({ model, half, sparse }) =>
    [half, sparse].map((row) => expectedPrediction(score, model, row, { enumerate: 500, samples: 200 })),
  "expectedPrediction, another classifier": (asked) =>
    expectedPrediction(otherClassifier(asked), asked.model, asked.half, { enumerate: 500, samples: 200 }),

  predictionSet: ({ model, labeled, rows }) => {
    const calibration = calibrate(model, labeled, { label: "outcome" });
    return rows.map((row) => predictionSet(model, calibration, row, { coverage: 0.8 }));
  },
  "predictionSet, randomized": ({ model, labeled, half }) => {
    const calibration = calibrate(model, labeled, { label: "outcome" });
    return predictionSet(model, calibration, half, { coverage: 0.7, randomized: random(3) });
  },
  predictionSets: ({ model, labeled, many }) => {
    const calibration = loadCalibration(saveCalibration(calibrate(model, labeled, { label: "outcome" })));
    const { members, pValues, calibrationRows } = predictionSets(model, calibration, many.slice(0, 6));
    return { members, pValues, calibrationRows };
  },

  mixtureShape: ({ model }) => mixtureShape(model),
  "saveModel, same text": ({ model, text }) => saveModel(model) === text,
};

/** Questions about additive classifiers. */
const ADDITIVE: Readonly<Record<string, Question>> = {
  classify: ({ model, complete }) => classify(model.predictor, complete),
  classifyRows: ({ model, schema, columns, labeled }) => {
    return schema.columns.length === columns.length
      ? classifyRows(model.predictor, encode(schema, labeled.slice(0, 8)))
      : "columns that mark missing values";
  },
  askTree: (asked) => askTwice(asked, asked.sparse),
  "conformant/predict": ({ text, rows }) => {
    const small = loadSmallModel(text);
    return rows.map((row) => predictSmall(small, row));
  },
};

/** Questions about trees. */
const TREES: Readonly<Record<string, Question>> = {
  askTree: (asked) => askTwice(asked, asked.half),
  predictRow: ({ model, rows }) => rows.map((row) => predictRow(model, row)),
  answerRows: ({ model, labeled }) =>
    model.predictor.kind === "trees" &&
    answerRows(
      model.predictor,
      labeled.slice(0, 8).map(({ outcome: _, ...row }) => row),
    ),
  answerOfTrees: ({ model, schema, complete }) => {
    if (model.predictor.kind !== "trees") return false;
    const cells = encode(schema, [complete]).columns.map(([cell]) => cell);
    return answerOfTrees(model.predictor, Float64Array.from(cells));
  },
  additiveOf: ({ model }) => model.predictor.kind === "trees" && additiveOf(model.predictor) === undefined,
};

/** The questions for the model of a file. */
export function questionsFor(text: string): Readonly<Record<string, Question>> {
  return { ...ALL, ...("trees" in (JSON.parse(text) as ModelJson) ? TREES : ADDITIVE) };
}
