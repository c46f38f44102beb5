import {
  BASELINE_NAMES,
  classifyImputed,
  fitBaseline,
  fitChainedEquations,
  fitConstants,
  fitEm,
  fitImputer,
  fitNearestNeighbours,
  type Imputer,
  imputeRows,
  reducedModels,
} from "../../../../src/entries/baselines.ts";
import { trainNaiveBayes } from "../../../../src/entries/naive-bayes.ts";
import { classify, classifyRows, predict } from "../../../../src/index.ts";
import type { Knobs } from "../problem.ts";
import { readCell } from "../truth.ts";
import { check, checkProbabilities, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Fits that may refuse, and answers that must be probabilities where the numbers are of a size that can be squared. */
function checkImputer(world: World, imputer: Imputer): void {
  const { probabilities } = classifyImputed(world.classifier, imputer, world.rows);
  const K = world.classifier.classes.length;
  for (let r = 0; r < world.rows.length; r++)
    checkProbabilities(probabilities.subarray(r * K, (r + 1) * K), `row ${r} filled by ${imputer.method}`);
}

/** What a statistic of the known cells is, by its definition. */
const STATISTICS: Readonly<Record<string, (sorted: readonly number[]) => number>> = {
  min: (x) => x[0],
  max: (x) => x[x.length - 1],
  mean: (x) => x.reduce((sum, one) => sum + one / x.length, 0),
  median: (x) => (x[Math.floor((x.length - 1) / 2)] + x[Math.ceil((x.length - 1) / 2)]) / 2,
};

/** Fails where a row is filled with something else than the statistic, or where a known cell is another than before. */
function checkFilled(world: World, imputer: Imputer, statistic: string): void {
  const filled = imputeRows(imputer, world.rows);
  world.problem.columns.forEach((column) => {
    const cells = world.rows.map((row) => readCell(column, row));
    if (column.kind !== "numeric") return;
    const known = cells.filter((x) => x !== undefined).sort((a, b) => a - b);
    const expected = STATISTICS[statistic]?.(known);
    filled.forEach((row, r) => {
      const x = row[column.name];
      if (cells[r] !== undefined) check(Object.is(x, cells[r]), `${column.name} was ${cells[r]}, is ${x}`);
      else if (expected !== undefined && known.length > 0)
        check(
          Math.abs((x as number) - expected) <=
            1e-9 * Math.max(Math.abs(known[0]), Math.abs(known[known.length - 1])),
          `${column.name} is filled with ${x}, its ${statistic} is ${expected}`,
        );
    });
  });
}

const METHODS = ["min", "max", "mean", "median", "most_frequent", "em", "mice", "knn"] as const;

function imputerOf(world: World, { whole }: Knobs): Imputer {
  return fitImputer(METHODS[whole[0] % METHODS.length], world.classifier.schema, world.data(whole[1]));
}

export const baselines = {
  fitConstants: (world, { whole }) => {
    const statistic = METHODS[whole[0] % 5] as "min";
    const imputer = fitConstants(world.classifier.schema, world.data(whole[1]), statistic);
    checkImputer(world, imputer);
    checkFilled(world, imputer, statistic);
  },
  fitEm: (world, { whole, real, flag }) => {
    checkImputer(
      world,
      fitEm(world.classifier.schema, world.rows, {
        ...(flag[0] && { ridge: Math.abs(real[0]) }),
        ...(flag[1] && { tolerance: Math.abs(real[1]) }),
        maxIterations: 1 + whole[0],
      }),
    );
  },
  fitChainedEquations: (world, { whole, real, flag }) => {
    checkImputer(
      world,
      fitChainedEquations(world.classifier.schema, world.rows, {
        rounds: whole[0],
        ...(flag[0] && { ridge: Math.abs(real[0]) }),
      }),
    );
  },
  fitNearestNeighbours: (world, { whole }) => {
    checkImputer(world, fitNearestNeighbours(world.classifier.schema, world.rows, { neighbours: whole[0] }));
  },
  fitImputer: (world, knobs) => checkImputer(world, imputerOf(world, knobs)),
  classifyImputed: (world, knobs) => checkImputer(world, imputerOf(world, knobs)),
  imputeRows: (world, knobs) => {
    const imputer = imputerOf(world, knobs);
    checkFilled(world, imputer, "any");
    for (const row of imputeRows(imputer, world.rows))
      check(
        Object.values(row).every((value) => value !== undefined && !Number.isNaN(value)),
        `a filled row is ${JSON.stringify(row)}`,
      );
  },
  classifyRows: (world) => {
    const { classifier, rows } = world;
    const K = classifier.classes.length;
    const answers = classifyRows(classifier, world.table);
    check(answers.length === rows.length * K, "K answers a row");
    rows.forEach((row, r) => {
      const complete = classifier.schema.columns.every((column) => readCell(column, row) !== undefined);
      if (!complete) return;
      const alone = classify(classifier, row);
      check(
        classifier.classes.every((name, k) => near(alone[name], answers[r * K + k], world.blur)),
        `row ${r} alone gets ${Object.values(alone)}, among others ${answers.subarray(r * K, r * K + K)}`,
      );
    });
  },
  fitBaseline: (world, { whole }) => {
    const name = BASELINE_NAMES[whole[0] % BASELINE_NAMES.length];
    const { probabilities } = fitBaseline(name, world.classifier, world.labelled).predict(world.rows);
    const K = world.classifier.classes.length;
    for (let r = 0; r < world.rows.length; r++)
      checkProbabilities(probabilities.subarray(r * K, (r + 1) * K), `row ${r} by ${name}`);
  },
  reducedModels: (world, { whole, real, flag }) => {
    const models = reducedModels(world.classifier, world.labelled, {
      label: "label",
      ...(flag[0] && { l2: Math.abs(real[0]) }),
      maxPatterns: 1 + whole[0],
    });
    const { probabilities } = models.predict([world.row]);
    checkProbabilities(probabilities, "the reduced model's answers");
  },
  trainNaiveBayes: (world, { whole, real, flag }) => {
    const model = trainNaiveBayes(world.labelled, {
      label: "label",
      ...(flag[0] && { pseudocount: Math.abs(real[0]) }),
      ...(flag[1] && { bins: whole[0] }),
      ...(flag[2] && world.weights),
    });
    checkProbabilities(Object.values(predict(model, world.row, { extra: "ignore" })), "naive Bayes");
  },
} satisfies Record<string, Entry>;
