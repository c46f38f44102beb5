import { createTreeRegressor } from "../../../../src/entries/trees.ts";
import {
  calibrate,
  conform,
  conformMixture,
  createRegressor,
  functionRegressor,
  isRegression,
  type LinearRegressor,
  loadAnyModel,
  loadNumberCalibration,
  loadRegressionModel,
  predict,
  predictColumns,
  predictionInterval,
  predictionIntervals,
  readRegressor,
  regress,
  saveCalibration,
  saveModel,
  trainRegressor,
  trainTreeRegressor,
} from "../../../../src/index.ts";
import { check, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** The scores of the last class as a regressor. */
function regressorOf({ classifier }: World, link: LinearRegressor["link"]): LinearRegressor {
  const { schema, intercept, weights } = classifier;
  const K = intercept.length;
  return createRegressor({
    schema,
    output: "score",
    link,
    intercept: intercept[K - 1],
    weights: weights.filter((_, at) => at % K === K - 1),
  });
}

/** A linear model with labeled rows. */
function calibrated(world: World) {
  const model = conform(regressorOf(world, "identity"), world.rows);
  const rows = world.rows.map((row, r) => ({ ...row, label: r + 0.5 }));
  return { model, calibration: calibrate(model, rows, { label: "label" }) };
}

const LINKS = ["identity", "log", "logit", "probit"] as const;

export const regressors = {
  loadNumberCalibration: (world) => {
    const text = saveCalibration(calibrated(world).calibration);
    check(saveCalibration(loadNumberCalibration(text)) === text, "it reads back to another file");
  },
  predictionInterval: (world, { share, flag }) => {
    const { model, calibration } = calibrated(world);
    const { value, lower, upper, enough } = predictionInterval(model, calibration, world.row, {
      ...(flag[0] && { coverage: share[0] }),
    });
    check(lower <= value && value <= upper, `${value} is not between ${lower} and ${upper}`);
    check(enough || upper === Number.POSITIVE_INFINITY, "too few rows give a bound");
  },
  predictionIntervals: (world, { whole }) => {
    const { model, calibration } = calibrated(world);
    const { lower, upper } = predictionIntervals(model, calibration, world.data(whole[0]));
    check(
      lower.every((x, r) => x <= upper[r]),
      "an interval is upside down",
    );
  },
  createRegressor: (world, { whole }) => {
    const regressor = regressorOf(world, "identity");
    check(createRegressor(regressor).weights.length === regressor.weights.length, "a copy is as long");
    createRegressor({ ...regressor, weights: regressor.weights.slice(whole[0]) });
  },
  readRegressor: (world, { real, flag }) => {
    const { columns } = world.classifier.schema;
    const features = columns
      .filter(({ kind }) => kind === "numeric" || kind === "binary")
      .map(({ name }) => name);
    const coef = features.map((_, f) => real[f % real.length]);
    const options = flag[0] ? { mean: coef.map(() => real[1]), scale: coef.map(() => real[2]) } : {};
    const json = { output: "y", features, intercept: real[0], coef, ...options };
    const read = readRegressor(json, flag[1] ? world.classifier.schema : world.rows);
    check(read.weights.every(Number.isFinite), "weights are numbers");
  },
  regress: (world, { whole }) => {
    const number = regress(regressorOf(world, LINKS[whole[0] % 4]), world.row);
    check(!Number.isNaN(number), "a complete row has a number");
  },
  trainRegressor: (world, { whole, real, flag }) => {
    const rows = world.labelled.map((row, r) => ({ ...row, label: real[r % real.length] * (r + 1) }));
    const regressor = trainRegressor(rows, {
      label: "label",
      ...(flag[0] && { l2: Math.abs(real[0]) }),
      ...(flag[1] && { family: (["gaussian", "poisson", "gamma"] as const)[whole[0] % 3] }),
      ...(flag[2] && { maxIterations: whole[1] }),
    });
    check(regressor.weights.every(Number.isFinite), "weights are numbers");
  },
  trainTreeRegressor: (world, { whole, real, flag }) => {
    const rows = world.labelled.map((row, r) => ({
      ...row,
      label: Math.abs(real[r % real.length]) * (r + 1),
    }));
    const trees = trainTreeRegressor(rows, {
      label: "label",
      maxIterations: 3,
      ...(flag[0] && { link: "log" }),
      ...(flag[1] && { leaves: whole[0] }),
    });
    check(trees.values.every(Number.isFinite), "leaves are numbers");
    check(createTreeRegressor(trees).output === "label", "the number has the name of the label");
  },
  createTreeRegressor: (world, { whole }) => {
    const rows = world.labelled.map((row, r) => ({ ...row, label: r }));
    const trees = trainTreeRegressor(rows, { label: "label", maxIterations: 1 });
    createTreeRegressor({ ...trees, values: trees.values.slice(whole[0]) });
  },
  isRegression: (world, { whole }) => {
    const regressor = regressorOf(world, LINKS[whole[0] % 4]);
    const model = conform(regressor, world.rows, { pseudocount: 1 });
    check(isRegression(model), "a model of a number is one");
    const some = predict(model, {});
    const { values, standardErrors } = predictColumns(model, [{}, {}]);
    if (standardErrors) return check(some >= 0 && some <= 1 && values[0] >= 0 && values[0] <= 1, "rates");
    const allowed = 1e-9 * Math.abs(some);
    check(some === values[0] || Math.abs(some - values[0]) <= allowed, `${some} is not ${values[0]}`);
  },
  functionRegressor: ({ classifier, rows, row }, { real }) => {
    const { schema } = classifier;
    const made = functionRegressor({
      schema,
      output: "y",
      answer: (own) => Object.keys(own).length + real[0],
    });
    const model = conformMixture(made, rows, { components: 1 });
    const number = predict(model, row);
    const all = schema.columns.length + real[0];
    check(Math.abs(number - all) <= 1e-9 * Math.max(1, Math.abs(all)), `${number} is not ${all}`);
  },
  loadRegressionModel: (world, { whole }) => {
    const model = conform(regressorOf(world, LINKS[whole[0] % 4]), world.rows, { pseudocount: 1 });
    const text = saveModel(model);
    check(saveModel(loadRegressionModel(text)) === text, "a file reads back");
  },
  loadAnyModel: (world) => {
    const text = saveModel(world.model);
    check(saveModel(loadAnyModel(text)) === text, "a file reads back");
  },
} satisfies Record<string, Entry>;
