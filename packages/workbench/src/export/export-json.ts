import {
  type AnyModel,
  type Distribution,
  isRegression,
  type LinearRegressor,
  type Model,
  type RegressionModel,
} from "conformant";
import { linearSums } from "conformant/internal";
import { treesOf } from "conformant/trees";
import { classifierJson, featuresOf } from "./classifier-json.ts";
import { fillValues, hasFillValues } from "./fill-values.ts";
import { gaussianColumnNames, gaussianJson } from "./gaussian-json.ts";
import { constantRow, scoreTable } from "./score-table.ts";
import { distributionJson, treesJson } from "./trees-json.ts";

/** A model as JSON, for programs in any language. */
export function exportJson(model: AnyModel): string {
  const trees = treesOf(model);
  if (trees) return write({ ...treesJson(trees), distribution: distributionJson(model) });
  if (!isRegression(model)) return write(additiveJson(model));
  const { predictor } = model;
  if (predictor.kind !== "linear") throw new TypeError("a function of a row cannot be written");
  return write(linearJson(model, predictor));
}

/**
 * The classifier in the format of --classifier, with everything needed to predict rows with missing values by hand: the initial M·K scores,
 * and what each column adds to them (docs/use-it-from.md). With a Gaussian also the mean and covariance of its columns in each component;
 * for two classes and one component of atoms the constants that missing values can be filled with.
 */
function additiveJson(model: Model): object {
  return {
    ...classifierJson(model),
    ...scoresJson(model),
    ...(hasFillValues(model) && { fill: Object.fromEntries(fillValues(model)) }),
  };
}

/**
 * A linear regressor in the format of --classifier, with the scores of its sum (`linearSums`) in the place of those of classes: `unit` is
 * what they are divided by.
 */
function linearJson(model: RegressionModel, regressor: LinearRegressor): object {
  const { output, link, intercept, weights, label } = regressor;
  const { scored, unit } = linearSums(regressor, model);
  return {
    output,
    link,
    features: featuresOf(model).flat(),
    intercept,
    coef: [...weights],
    ...(label !== undefined && { label }),
    unit,
    ...scoresJson(scored),
  };
}

/** The scores of components and classes. */
function scoresJson(model: Distribution): object {
  const { gaussianColumns, schema, tilt, components } = model;
  const n = gaussianColumns?.columns.length ?? 0;
  const tables = schema.columns.map((column, i) => {
    const table = scoreTable(model, i);
    const edges = model.atoms.columns[i].edges;
    return {
      ...column,
      ...(edges && { edges: [...edges] }),
      scores: table.slice(0, -1),
      gap: table[table.length - 1],
    };
  });
  return {
    components: components.length,
    start: constantRow(model),
    columns: tables,
    ...(gaussianColumns && {
      gaussian_columns: gaussianColumnNames(model),
      // For two classes `coef` has only the difference, but the effect of missing numbers is not linear in it.
      gaussian_weights: Array.from(tilt.intercept, (_, k) => [
        ...gaussianColumns.weights.subarray(k * n, (k + 1) * n),
      ]),
      gaussians: components.flatMap(({ gaussian }) => (gaussian ? [gaussianJson(gaussian)] : [])),
    }),
  };
}

function write(json: object): string {
  return `${JSON.stringify(json, null, 1)}\n`;
}
