import {
  BASELINE_NAMES,
  classifyImputed,
  classifyRows,
  fitBaseline,
  fitChainedEquations,
  fitConstants,
  fitEm,
  fitImputer,
  fitNearestNeighbours,
  type Imputer,
  imputeRows,
  predict,
  reducedModels,
  trainNaiveBayes,
} from "../../../../src/index.ts";
import type { Knobs } from "../problem.ts";
import { check, checkProbabilities, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Fits that may refuse, and answers that must be probabilities where the numbers are of a size that can be squared. */
function checkImputer(world: World, imputer: Imputer): void {
  const { probabilities } = classifyImputed(world.classifier, imputer, world.rows);
  const K = world.classifier.classes.length;
  for (let r = 0; r < world.rows.length; r++)
    checkProbabilities(probabilities.subarray(r * K, (r + 1) * K), `row ${r} filled by ${imputer.method}`);
}

const METHODS = ["min", "max", "mean", "median", "most_frequent", "em", "mice", "knn"] as const;

function imputerOf(world: World, { whole }: Knobs): Imputer {
  return fitImputer(METHODS[whole[0] % METHODS.length], world.classifier.schema, world.data(whole[1]));
}

export const baselines = {
  fitConstants: (world, { whole }) => {
    checkImputer(
      world,
      fitConstants(world.classifier.schema, world.data(whole[1]), METHODS[whole[0] % 5] as "min"),
    );
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
    for (const row of imputeRows(imputerOf(world, knobs), world.rows))
      check(
        Object.values(row).every((value) => value !== undefined && !Number.isNaN(value)),
        `a filled row is ${JSON.stringify(row)}`,
      );
  },
  classifyRows: (world) => {
    check(
      classifyRows(world.classifier, world.table).length ===
        world.rows.length * world.classifier.classes.length,
      "K answers a row",
    );
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
