import {
  classify,
  createClassifier,
  logisticFromNaiveBayes,
  modelFromNaiveBayes,
  naiveBayesFromLogistic,
  naiveBayesOf,
  predict,
  readClassifier,
  train,
  trainRemote,
  trainWithGaps,
  valueCount,
} from "../../../../src/index.ts";
import { check, checkProbabilities, near } from "../world.ts";
import type { Entry } from "./entry.ts";

export const classifiers = {
  createClassifier: ({ classifier }, { whole }) => {
    check(
      createClassifier(classifier).weights.length === classifier.weights.length,
      "a copy has the same weights",
    );
    createClassifier({ ...classifier, weights: classifier.weights.slice(whole[0]) });
  },
  classify: (world) => {
    checkProbabilities(Object.values(classify(world.classifier, world.row)), "the classifier's answers");
  },
  readClassifier: (world, { real, flag }) => {
    const { columns } = world.classifier.schema;
    const linear = columns
      .filter(({ kind }) => kind === "numeric" || kind === "binary")
      .map(({ name }) => name);
    const bits = columns.flatMap((column) =>
      column.kind === "categorical" ? column.values.map((value) => `${column.name}=${value}`) : [],
    );
    const features = [...linear, ...bits];
    const coef = features.map((_, f) => real[f % real.length]);
    const options = flag[0] ? { mean: coef.map(() => real[1]), scale: coef.map(() => real[2]) } : {};
    const json = { classes: ["no", "yes"], features, intercept: [real[0]], coef: [coef], ...options };
    const read = readClassifier(json, flag[1] ? world.classifier.schema : world.rows);
    check(read.weights.every(Number.isFinite), "weights are numbers");
  },
  train: (world, { whole, real, flag }) => {
    const options = {
      label: "label",
      ...(flag[0] && { l2: Math.abs(real[0]) }),
      ...(flag[1] && { tolerance: Math.abs(real[1]) }),
      ...(flag[2] && { maxIterations: whole[0] }),
      ...world.weights,
    };
    const { training, weights, intercept } = train(world.labelled, options);
    check([...weights, ...intercept].every(Number.isFinite), "weights are numbers");
    check(
      training !== undefined && !Number.isNaN(training.objective),
      `training ends with ${JSON.stringify(training)}`,
    );
    if (training?.status === "converged")
      check(
        training.gradientNorm <= (options.tolerance ?? 1e-6) * (1 + 1e-9),
        `converged with a gradient of ${training.gradientNorm}`,
      );
  },
  trainRemote: async (world, { whole }) => {
    const { classifier } = world;
    const schema = {
      columns: [
        ...classifier.schema.columns,
        { name: "label", kind: "categorical" as const, values: classifier.classes },
      ],
    };
    const codes = Int32Array.from(world.problem.labels, (label) =>
      label === null ? -1 : classifier.classes.indexOf(label),
    );
    const table = { ...world.table, schema, columns: [...world.table.columns, codes] };
    const learned = await trainRemote(
      table,
      { rows: world.rows.length, rowsWithGaps: 0, scaling: new Map() },
      { label: "label", maxIterations: whole[0] },
      async ({ classes, weights }) => {
        const outputs = classes.length === 2 ? 1 : classes.length;
        return {
          value: 1,
          residuals: new Array(outputs).fill(0),
          bySlot: new Array((weights.length / classes.length) * outputs).fill(0),
        };
      },
    );
    check(learned.weights.every(Number.isFinite), "weights are numbers");
  },
  trainWithGaps: (world, { whole, flag }) => {
    const { classifier, model, heldOutLoss } = trainWithGaps(world.labelled, {
      label: "label",
      rounds: 1 + (whole[0] % 3),
      draws: 1 + (whole[1] % 3),
      seed: whole[2],
      ...(flag[0] ? { components: 1 + (whole[3] % 3) } : { most: 2 }),
      ...(flag[1] && { numeric: "gaussian" as const }),
      ...(flag[2] && world.weights),
    });
    check(classifier.weights.every(Number.isFinite), "weights are numbers");
    check(
      heldOutLoss.every((loss) => loss >= 0),
      `losses are ${heldOutLoss}`,
    );
    checkProbabilities(Object.values(predict(model, world.row)), "predictions");
  },
  naiveBayesFromLogistic: (world, { share }) => {
    const theta = world.problem.columns.map((column) => {
      const values = column.kind === "numeric" ? 2 : valueCount(column);
      return values === 2 ? share[0] : new Array<number>(values).fill(1 / values);
    });
    const bayes = naiveBayesFromLogistic(world.classifier, theta);
    checkProbabilities(bayes.logPrior.map(Math.exp), "the prior");
  },
  naiveBayesOf: (world) => {
    const bayes = naiveBayesOf(world.model);
    checkProbabilities(bayes.logPrior.map(Math.exp), "the prior");
  },
  logisticFromNaiveBayes: (world) => {
    const bayes = naiveBayesOf(world.model);
    const { weights } = logisticFromNaiveBayes(bayes);
    check(weights.every(Number.isFinite), "weights are numbers");
  },
  modelFromNaiveBayes: (world) => {
    const model = modelFromNaiveBayes(naiveBayesOf(world.model));
    const [ours, theirs] = [model, world.model].map((one) => Object.values(predict(one, world.row)));
    if (Math.max(...world.problem.weights.map(Math.abs), ...world.problem.intercept.map(Math.abs)) < 50)
      check(
        ours.every((p, k) => near(p, theirs[k], 100)),
        `naive Bayes predicts ${ours}, the model ${theirs}`,
      );
  },
} satisfies Record<string, Entry>;
