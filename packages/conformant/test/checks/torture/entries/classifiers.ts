import { classifyRows, completeTable, pickRows, valueCount } from "../../../../src/entries/internal.ts";
import { lossSums, trainRemote } from "../../../../src/entries/remote.ts";
import {
  type Classifier,
  type Column,
  classify,
  createClassifier,
  predict,
  type Row,
  random,
  readClassifier,
  type Table,
  train,
  trainOnIncomplete,
} from "../../../../src/index.ts";
import { logSum, readCell } from "../truth.ts";
import { check, checkProbabilities, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** log softmax_k( b_k + Σ_i s_ki(x_i) ) of a row in which no column with weights is missing, by its definition. */
function logSoftmaxOf({ schema, intercept, weights }: Classifier, row: Row): number[] {
  const K = intercept.length;
  const scores = Array.from(intercept);
  let slot = 0;
  for (const column of schema.columns) {
    const x = (readCell(column, row) ?? Number.NaN) as number;
    const cuts = column.kind === "binned" ? column.edges : undefined;
    const v = cuts ? cuts.filter((edge) => edge <= x).length : x;
    const linear = column.kind === "numeric" || column.kind === "binary";
    if (!Number.isNaN(x))
      for (let k = 0; k < K; k++)
        scores[k] += linear ? x * weights[slot * K + k] : weights[(slot + v) * K + k];
    slot += linear ? 1 : valueCount(column as Exclude<Column, { kind: "numeric" }>);
  }
  const all = logSum(scores);
  return scores.map((score) => score - all);
}

/**
 * Fails where training says that it has converged, but the objective is not what the weights make of the rows, or where another
 * intercept or another weight makes it clearly less.
 */
function checkOptimal(world: World, { training, ...classifier }: Classifier, l2: number): void {
  const { schema, classes } = classifier;
  const K = classes.length;
  const given = world.problem.rowWeights ?? world.rows.map(() => 1);
  const used = world.labelled.flatMap((row, r) => {
    const complete = schema.columns.every((column) => readCell(column, row) !== undefined);
    const k = classes.indexOf(String(row.label));
    return complete && k >= 0 && given[r] > 0 ? [{ row, k, w: given[r] }] : [];
  });
  const total = used.reduce((sum, { w }) => sum + w, 0);
  if (!(total > 1e-6 && total < 1e6) || schema.columns.some(({ kind }) => kind === "binned")) return;
  // The penalty is on the weights of numbers divided by their standard deviation; one that is constant is not used.
  const slots = schema.columns.flatMap((column): { mean: number; scale: number }[] => {
    if (column.kind !== "numeric") {
      const count = column.kind === "categorical" ? column.values.length : 1;
      return Array.from({ length: count }, () => ({ mean: 0, scale: 1 }));
    }
    const cells = used.map(({ row, w }) => ({ x: readCell(column, row) as number, w: w / total }));
    const mean = cells.reduce((sum, { x, w }) => sum + x * w, 0);
    return [{ mean, scale: Math.sqrt(cells.reduce((sum, { x, w }) => sum + w * (x - mean) ** 2, 0)) }];
  });
  if (slots.some(({ scale }) => !(scale > 1e-3))) return;
  const objective = (one: Omit<Classifier, "training">): number =>
    used.reduce((sum, { row, k, w }) => sum - w * logSoftmaxOf(one, row)[k], 0) +
    (l2 / 2) * one.weights.reduce((sum, w, at) => sum + (w * slots[Math.floor(at / K)].scale) ** 2, 0);
  const here = objective(classifier);
  if (!Number.isFinite(here)) return;
  check(
    Math.abs(here - (training?.objective ?? 0)) <= 1e-6 * (1 + here),
    `the objective is ${training?.objective}, by its definition ${here}`,
  );
  const step = 1e-3;
  // The first of two classes has no weights, and the gradient of the rest is within 1e-6 of 0 per row, with columns about their mean.
  for (let at = K === 2 ? 1 : 0; at < classifier.weights.length; at += K === 2 ? 2 : 1)
    for (const by of [-step, step]) {
      const { mean, scale } = slots[Math.floor(at / K)];
      const [weights, intercept] = [classifier.weights.slice(), classifier.intercept.slice()];
      weights[at] += by / scale;
      intercept[at % K] -= (by / scale) * mean;
      const there = objective({ ...classifier, weights, intercept });
      check(
        there >= here - 2e-6 * total * step - 1e-9 * (1 + here),
        `weight ${at} could be better: ${there} < ${here}`,
      );
    }
}

function isKnown({ classifier, rows }: World, r: number): boolean {
  return classifier.schema.columns.every((column) => readCell(column, rows[r]) !== undefined);
}

/** Some rows as a table with the label as its last column, and which they are. */
function withLabels(world: World, which: (r: number) => boolean): { table: Table; rows: number[] } {
  const { classes, schema } = world.classifier;
  const rows = Array.from(world.rows.keys()).filter(which);
  const picked = pickRows(world.table, Int32Array.from(rows));
  const codes = Int32Array.from(rows, (r) => classes.indexOf(String(world.problem.labels[r])));
  const label = { name: "label", kind: "categorical" as const, values: classes };
  return {
    table: {
      ...picked,
      schema: { columns: [...schema.columns, label] },
      columns: [...picked.columns, codes],
    },
    rows,
  };
}

export const classifiers = {
  createClassifier: ({ classifier }, { whole }) => {
    check(
      createClassifier(classifier).weights.length === classifier.weights.length,
      "a copy has the same weights",
    );
    createClassifier({ ...classifier, weights: classifier.weights.slice(whole[0]) });
  },
  classify: (world) => {
    const named = classify(world.classifier, world.row);
    const answers = world.classifier.classes.map((name) => named[name]);
    checkProbabilities(answers, "the classifier's answers");
    const truth = logSoftmaxOf(world.classifier, world.row).map(Math.exp);
    check(
      truth.every((p, k) => near(answers[k], p, world.blur)),
      `the classifier answers ${answers}, not ${truth}`,
    );
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
    const learned = train(world.labelled, options);
    const { training, weights, intercept } = learned;
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
    if (training?.status === "converged" && !flag[1] && world.blur <= 1)
      checkOptimal(world, learned, options.l2 ?? 1);
  },
  lossSums: (world) => {
    const { classifier } = world;
    const table = withLabels(world, (r) => world.problem.labels[r] !== null && isKnown(world, r));
    const { value, residuals } = lossSums(classifier, table.table, new Map());
    const truth = table.rows.reduce((sum, r) => {
      const k = classifier.classes.indexOf(String(world.problem.labels[r]));
      return sum - logSoftmaxOf(classifier, world.rows[r])[k];
    }, 0);
    // Where a label is all but impossible, the definition has no digits left.
    if (world.blur <= 1)
      check(
        Math.abs(value - truth) <= 1e-6 * (1 + truth),
        `the loss is ${value}, by its definition ${truth}`,
      );
    check(
      residuals.every((x) => !Number.isNaN(x)),
      `residuals are ${residuals}`,
    );
  },
  completeTable: (world, { whole }) => {
    const { table } = withLabels(world, (r) => world.problem.labels[r] !== null);
    const completed = completeTable(world.model, table, random(whole[0]));
    for (const [i, cells] of completed.table.columns.entries())
      cells.forEach((x, r) => {
        const [before, numbers] = [table.columns[i][r], cells instanceof Float64Array];
        const gap = numbers ? Number.isNaN(before) : before < 0;
        if (gap) check(numbers ? !Number.isNaN(x) : x >= 0, `cell ${r} of column ${i} is drawn`);
        else check(Object.is(x, before), `cell ${r} of column ${i} was ${before}, is ${x}`);
      });
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
  trainOnIncomplete: (world, { whole, flag }) => {
    const { classifier, model, heldOutLoss } = trainOnIncomplete(world.labelled, {
      label: "label",
      maxRounds: 1 + (whole[0] % 3),
      draws: 1 + (whole[1] % 3),
      seed: whole[2],
      ...(flag[0] ? { components: 1 + (whole[3] % 3) } : { most: 2 }),
      ...(flag[1] && { numeric: "gaussian" as const }),
      ...(flag[2] && world.weights),
      ...(flag[0] && flag[3] && { missing: flag[4] ? ("auto" as const) : ("informative" as const) }),
    });
    check(classifier.weights.every(Number.isFinite), "weights are numbers");
    check(
      heldOutLoss.every((loss) => loss >= 0),
      `losses are ${heldOutLoss}`,
    );
    checkProbabilities(Object.values(predict(model, world.row)), "predictions");
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
} satisfies Record<string, Entry>;
