import type { Model } from "conformant";
import { classifierJson } from "./classifier-json.ts";
import { fillValues, hasFillValues } from "./fill-values.ts";
import { gaussianColumnNames, gaussianJson } from "./gaussian-json.ts";
import { constantRow, scoreTable } from "./score-table.ts";

/**
 * The classifier in the format of --classifier, with everything needed to predict rows with missing values by hand: the initial M·K scores,
 * and what each column adds to them (docs/use-it-from.md). With a Gaussian also the mean and covariance of its columns in each component;
 * for two classes and one component of atoms the constants that missing values can be filled with.
 */
export function exportJson(model: Model): string {
  const { gaussianColumns } = model;
  const {
    schema,
    response: { outputs: classes },
  } = model;
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
  return `${JSON.stringify(
    {
      ...classifierJson(model),
      components: model.components.length,
      start: constantRow(model),
      columns: tables,
      ...(gaussianColumns && {
        gaussian_columns: gaussianColumnNames(model),
        // For two classes `coef` has only the difference, but the effect of missing numbers is not linear in it.
        gaussian_weights: classes.map((_, k) => [...gaussianColumns.weights.subarray(k * n, (k + 1) * n)]),
        gaussians: model.components.flatMap(({ gaussian }) => (gaussian ? [gaussianJson(gaussian)] : [])),
      }),
      ...(hasFillValues(model) && { fill: Object.fromEntries(fillValues(model)) }),
    },
    null,
    1,
  )}\n`;
}
