import { random } from "conformant";
import {
  evaluateNumbers,
  fitAnyModel,
  NATIVE,
  readLabeledNumbers,
  shuffled,
  USUAL_TRAINING,
} from "conformant-workbench";
import { silent, sourceOf } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { type PublishedTable, pickTexts, readPublished, type TextRows } from "../tables/published-table.ts";

/** Shares of the cells that are masked. */
export const RATES = [0.2, 0.4, 0.6, 0.8] as const;
/** The share of the rows that is trained on. */
const TRAINED = 0.7;
/** Rows of large tables that are used. */
const MOST = { training: 4000, test: 1000 };

/** The regressors, by the option `--model`. */
export const REGRESSORS = { linear: "logistic", "boosted trees": "trees" } as const;
export type RegressorName = keyof typeof REGRESSORS;

/** Ways to predict with the same regressor where values are missing. */
const OTHERS = ["mean", "knn", "mice"] as const;
export const METHODS = {
  ours: "expected",
  mean: "mean",
  knn: "nearest neighbors",
  mice: "chained equations",
  native: "native",
};
export type MethodKey = keyof typeof METHODS;

/** The root mean squared error of each method at each rate; without "native" for linear regressors. */
export type Errors = Readonly<Partial<Record<MethodKey, readonly number[]>>>;

/** Trains a regressor on one split of a table, and scores it on the other rows as more cells are masked. */
export async function evaluateRegression(
  table: PublishedTable,
  regressor: RegressorName,
  seed: number,
): Promise<Errors> {
  return kept(["regression", table.name, `split ${seed}`, regressor], async () => {
    const all = await readPublished(table);
    const order = shuffled(all.rows.length, random(seed));
    const cut = Math.round(TRAINED * order.length);
    const training = pickTexts(all, order.subarray(0, Math.min(cut, MOST.training)));
    const test = pickTexts(all, order.subarray(cut, cut + MOST.test));
    const { model } = await fitAnyModel(
      sourceOf(training),
      {
        label: table.label,
        task: "regression",
        columns: { columns: undefined, exclude: [], types: new Map() },
        missingTexts: [],
        training: { ...USUAL_TRAINING, model: REGRESSORS[regressor], crossValidation: false },
      },
      silent,
    );
    if (model.response.kind !== "number") throw new Error(`${table.name}: expected a number`);
    const read = (rows: TextRows): ReturnType<typeof readLabeledNumbers> =>
      readLabeledNumbers(
        model as Parameters<typeof readLabeledNumbers>[0],
        sourceOf(rows),
        { modelName: "model", label: table.label, seed: 0, gaps: [] },
        silent.reporter,
      );
    const { methods } = evaluateNumbers(
      model as Parameters<typeof evaluateNumbers>[0],
      await read(test),
      await read(training),
      {
        plan: { rates: RATES, repeats: 1, mechanism: "mcar", blocks: [], seed },
        against: [...OTHERS, ...(regressor === "linear" ? [] : [NATIVE])],
        mostRows: MOST.test,
      },
      silent.reporter,
    );
    return Object.fromEntries(methods.map(({ name, mean }) => [name, mean.rmse]));
  });
}
