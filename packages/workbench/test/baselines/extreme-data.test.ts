import { encode, predict } from "conformant";
import fc from "fast-check";
import { it } from "vitest";
import { type Knobs, knobs, problems } from "../../../conformant/test/checks/torture/problem.ts";
import { readCell } from "../../../conformant/test/checks/torture/truth.ts";
import {
  check,
  checkProbabilities,
  checkThrown,
  World,
} from "../../../conformant/test/checks/torture/world.ts";
import { BASELINE_NAMES, fitBaseline, fitImputer } from "../../src/baselines/baseline.ts";
import { classifyImputed } from "../../src/baselines/classify-imputed.ts";
import { fitChainedEquations } from "../../src/baselines/fit-chained-equations.ts";
import { fitConstants } from "../../src/baselines/fit-constants.ts";
import { fitEm } from "../../src/baselines/fit-em.ts";
import { fitNearestNeighbors } from "../../src/baselines/fit-nearest-neighbors.ts";
import { type Imputer, slotRows } from "../../src/baselines/imputer.ts";
import { trainNaiveBayes } from "../../src/baselines/naive-bayes.ts";
import { reducedModels } from "../../src/baselines/reduced-models.ts";

/** The same in every run, so that a failure belongs to a change. */
const [SEED, RUNS] = [1, 300];

const METHODS = ["min", "max", "mean", "median", "most_frequent", "em", "mice", "knn"] as const;

/** Statistics of the known values of a column, by their definition. */
const STATISTICS: Readonly<Record<string, (sorted: readonly number[]) => number>> = {
  min: (x) => x[0],
  max: (x) => x[x.length - 1],
  mean: (x) => x.reduce((sum, one) => sum + one / x.length, 0),
  median: (x) => (x[Math.floor((x.length - 1) / 2)] + x[Math.ceil((x.length - 1) / 2)]) / 2,
};

function checkAnswers(world: World, probabilities: Float64Array, by: string): void {
  const K = world.classifier.classes.length;
  for (let r = 0; r < probabilities.length / K; r++)
    checkProbabilities(probabilities.subarray(r * K, (r + 1) * K), `row ${r} by ${by}`);
}

function checkImputer(world: World, imputer: Imputer): void {
  const { probabilities } = classifyImputed(world.classifier, imputer, world.rows);
  checkAnswers(world, probabilities, imputer.method);
}

/** Fails where a missing number is imputed by something else than the statistic, or where a known one changes. */
function checkConstants(world: World, imputer: Imputer): void {
  const { schema } = world.classifier;
  schema.columns.forEach((column) => {
    if (column.kind !== "numeric") return;
    const only = encode({ columns: [column] }, world.rows);
    const slots = slotRows(only);
    const constants = fitConstants(only.schema, world.rows, imputer.method as "mean");
    constants.fill(slots, only.rows);
    const cells = world.rows.map((row) => readCell(column, row));
    const known = cells.filter((x) => x !== undefined).sort((a, b) => a - b);
    const expected = STATISTICS[imputer.method]?.(known);
    const scale = Math.max(Math.abs(known[0]), Math.abs(known[known.length - 1]));
    cells.forEach((x, r) => {
      if (x !== undefined) check(Object.is(slots[r], x), `${column.name} was ${x}, is ${slots[r]}`);
      else if (expected !== undefined)
        check(Math.abs(slots[r] - expected) <= 1e-9 * scale, `${slots[r]} is not the ${imputer.method}`);
    });
  });
}

const calls: Readonly<Record<string, (world: World, knobs: Knobs) => void>> = {
  fitConstants: (world, { whole }) => {
    const imputer = fitConstants(
      world.classifier.schema,
      world.data(whole[1]),
      METHODS[whole[0] % 5] as "mean",
    );
    checkImputer(world, imputer);
    checkConstants(world, imputer);
  },
  fitEm: (world, { whole, real, flag }) => {
    const options = {
      ...(flag[0] && { ridge: Math.abs(real[0]) }),
      ...(flag[1] && { tolerance: Math.abs(real[1]) }),
      maxIterations: 1 + whole[0],
    };
    checkImputer(world, fitEm(world.classifier.schema, world.rows, options));
  },
  fitChainedEquations: (world, { whole, real, flag }) => {
    const options = { rounds: whole[0], ...(flag[0] && { ridge: Math.abs(real[0]) }) };
    checkImputer(world, fitChainedEquations(world.classifier.schema, world.rows, options));
  },
  fitNearestNeighbors: (world, { whole }) => {
    const neighbors = Math.max(1, whole[0]);
    checkImputer(world, fitNearestNeighbors(world.classifier.schema, world.rows, { neighbors }));
  },
  fitImputer: (world, { whole }) => {
    const method = METHODS[whole[0] % METHODS.length];
    checkImputer(world, fitImputer(method, world.classifier.schema, world.data(whole[1])));
  },
  fitBaseline: (world, { whole }) => {
    const name = BASELINE_NAMES[whole[0] % BASELINE_NAMES.length];
    const { probabilities } = fitBaseline(name, world.classifier, world.labelled).predict(world.rows);
    checkAnswers(world, probabilities, name);
  },
  reducedModels: (world, { whole, real, flag }) => {
    const options = { label: "label", ...(flag[0] && { l2: Math.abs(real[0]) }), maxPatterns: 1 + whole[0] };
    const models = reducedModels(world.classifier, world.labelled, options);
    checkAnswers(world, models.predict([world.row]).probabilities, "reduced models");
  },
  trainNaiveBayes: (world, { whole, real, flag }) => {
    const model = trainNaiveBayes(world.labelled, {
      label: "label",
      ...(flag[0] && { pseudocount: Math.abs(real[0]) }),
      ...(flag[1] && { bins: whole[0] }),
    });
    const answer = predict(model, world.row, { extra: "ignore" });
    checkProbabilities(
      Float64Array.from(model.response.outputs, (name) => answer[name]),
      "naive Bayes",
    );
  },
};

it.each(Object.entries(calls))(
  "%s gives probabilities on extreme data, or an error of its own",
  (_, call) => {
    const property = fc.property(problems, knobs, (problem, chosen) => {
      const world = new World(problem);
      try {
        call(world, chosen);
      } catch (error) {
        checkThrown(error);
      }
    });
    fc.assert(property, { seed: SEED, numRuns: RUNS });
  },
);
