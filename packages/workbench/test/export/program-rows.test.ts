import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type AnyModel,
  conform,
  createClassifier,
  createRegressor,
  type KnownPredictor,
  type KnownRegressor,
  type Row,
} from "conformant";
import { expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportPython } from "../../src/export/export-python.ts";
import { exportR } from "../../src/export/export-r.ts";
import { makeModel } from "./support/model-recipes.ts";
import { hasPython, python } from "./support/python.ts";
import { hasR, rscript } from "./support/rscript.ts";

const place = new Workplace();
const { model } = makeModel({ classes: 2, components: 8, block: 3, seed: 1 }, 0);
const support = (name: string): string => fileURLToPath(new URL(`./support/${name}`, import.meta.url));

test.skipIf(!hasPython("numpy, pandas, sklearn"))(
  "the Python file reads frames, dicts and arrays of all types, and is an estimator of scikit-learn",
  () => {
    place.write("exported.py", exportPython(model));
    expect(python(readFileSync(support("read_rows.py"), "utf8"), [], place.folder)).toBe("all well\n");
  },
);

/** What a fitted model cannot do: learn other classes than its own, fit new data, or be without a fit. */
const CANNOT = ["check_estimators_unfitted", "check_fit_check_is_fitted", "check_n_features_in"];
const CANNOT_CLASSIFY = [
  "check_classifiers_classes",
  "check_classifiers_one_label",
  "check_classifiers_train",
  ...CANNOT,
];
const CANNOT_REGRESS = [...CANNOT, "check_regressors_train"];

test.skipIf(!hasPython("sklearn")).each([
  { name: "classifier", predictor: classifierOf, cannot: CANNOT_CLASSIFY },
  { name: "regressor", predictor: regressorOf, cannot: CANNOT_REGRESS },
])(
  "the $name passes every check of scikit-learn's check_estimator that a fitted model can",
  ({ name, predictor, cannot }) => {
    const widths = [1, 2, 3, 4, 5, 10];
    for (const width of widths)
      place.write(`${name}${width}.py`, exportPython(modelOfNumbers(width, predictor)));
    const words = widths.map((width) => name + width);
    const verdicts = JSON.parse(
      python(readFileSync(support("check_estimator.py"), "utf8"), words, place.folder),
    );
    const failed = Object.keys(verdicts).filter((check) => verdicts[check] !== "passes");
    expect(failed.sort()).toEqual(cannot);
    expect(Object.keys(verdicts).length).toBeGreaterThan(35);
  },
);

type Columns = KnownPredictor["schema"]["columns"];

/** A classifier of four classes. */
function classifierOf(columns: Columns): KnownPredictor {
  return createClassifier({
    schema: { columns },
    classes: ["0", "1", "2", "3"],
    intercept: new Float64Array(4),
    weights: Float64Array.from({ length: 4 * columns.length }, (_, j) => Math.sin(j)),
  });
}

function regressorOf(columns: Columns): KnownRegressor {
  const weights = Float64Array.from(columns, (_, j) => Math.sin(j));
  return createRegressor({ schema: { columns }, output: "y", link: "identity", intercept: 1, weights });
}

/** A model of some numbers. */
function modelOfNumbers(
  width: number,
  predictorOf: (columns: Columns) => KnownPredictor | KnownRegressor,
): AnyModel {
  const columns = Array.from({ length: width }, (_, i) => ({ name: `x${i}`, kind: "numeric" as const }));
  const row = (r: number): Row =>
    Object.fromEntries(columns.map(({ name }, i) => [name, Math.sin(r * (i + 1))]));
  return conform(
    predictorOf(columns) as KnownPredictor,
    Array.from({ length: 50 }, (_, r) => row(r)),
  );
}

test.skipIf(!hasR())("the R file reads data frames of all types and leaves the session as it was", () => {
  place.write("exported.R", exportR(model));
  expect(rscript(support("read_rows.R"), [], place.folder)).toBe(
    'Expected predictions of "class 0" "class 1" from 6 columns, any of which may be missing\n',
  );
});
