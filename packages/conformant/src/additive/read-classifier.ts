import { ConformantError, show, showNames } from "../errors.ts";
import { type Column, isLinear, type Schema, slotOffsets, valueLabels } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import { inferSchema } from "../schema/infer-schema.ts";
import { type Classifier, createClassifier } from "./classifier.ts";

/** A classifier as other software writes it: one number per feature and class. */
export interface ClassifierJson {
  readonly classes: readonly string[];
  /**
   * `column=value` is a one-hot bit of a categorical column (or of a binned one, its bins written as `valueLabels` writes them);
   * any other name is a numeric or 0/1 column.
   */
  readonly features: readonly string[];
  /** One number for two classes (the log-odds of the second), else one per class. */
  readonly intercept: readonly number[];
  /** One row for two classes, else one row per class; one number per feature. */
  readonly coef: readonly (readonly number[])[];
  /** The classifier saw (x − mean) / scale; one number per feature. */
  readonly mean?: readonly number[];
  readonly scale?: readonly number[];
  readonly label?: string;
}

/**
 * Brings in a classifier that was trained elsewhere. The data (or its schema) says which columns are categorical and
 * which values they have: a value without a feature of its own is the reference level and has weight 0.
 *
 *     readClassifier({ classes: ["no", "yes"], features: ["age"], intercept: [0], coef: [[0.1]] }, rows);
 *
 * @throws `unknown-column` where a feature is not in the data, `invalid-weights` where the numbers do not fit
 */
export function readClassifier(json: ClassifierJson, data: Data | Schema): Classifier {
  checkShape(json);
  const K = json.classes.length;
  const {
    schema,
    intercepts,
    weights: rows,
  } = readCoefficients(json, data, { what: "classifier", rows: json.coef.length });
  const slots = rows.length / json.coef.length;
  const intercept = new Float64Array(K);
  const weights = new Float64Array(slots * K);
  json.coef.forEach((_, r) => {
    const k = json.coef.length === 1 ? 1 : r;
    intercept[k] = intercepts[r];
    for (let slot = 0; slot < slots; slot++) weights[slot * K + k] = rows[r * slots + slot];
  });
  return createClassifier({
    schema,
    classes: json.classes,
    intercept,
    weights,
    ...(json.label && { label: json.label }),
  });
}

/** What coefficients say of the columns of some data. */
interface ReadCoefficients {
  readonly schema: Schema;
  /** One per row of `coef`. */
  readonly intercepts: Float64Array;
  /** rows of `coef` × slots. */
  readonly weights: Float64Array;
}

/** Reads coefficients by feature as weights by slot, on the original scale of the features. */
export function readCoefficients(
  json: Pick<ClassifierJson, "features" | "intercept" | "coef" | "mean" | "scale">,
  data: Data | Schema,
  { what, rows }: { readonly what: string; readonly rows: number },
): ReadCoefficients {
  checkCoefficients(json, rows, what);
  const known = isSchema(data) ? data : inferSchema(data);
  const places = json.features.map((feature) => locate(feature, known, what));
  const used = known.columns.filter((column) => places.some((place) => place.column === column));
  const schema: Schema = { columns: used.map((column) => withNewValues(column, places)) };
  const start = slotOffsets(schema);
  const slots = start[used.length];
  const intercepts = Float64Array.from(json.intercept);
  const weights = new Float64Array(slots * rows);
  json.coef.forEach((row, r) => {
    row.forEach((coefficient, f) => {
      const weight = coefficient / (json.scale?.[f] ?? 1);
      intercepts[r] -= weight * (json.mean?.[f] ?? 0);
      const i = used.indexOf(places[f].column);
      weights[r * slots + start[i] + slotOf(schema.columns[i], places[f].value)] = weight;
    });
  });
  return { schema, intercepts, weights };
}

interface Place {
  readonly column: Column;
  /** The value a one-hot bit stands for; empty for a number or 0/1 column. */
  readonly value: string;
}

/** The slot of a value within its column. */
function slotOf(column: Column, value: string): number {
  return isLinear(column) ? 0 : valueLabels(column).indexOf(value);
}

function locate(feature: string, schema: Schema, what: string): Place {
  const whole = schema.columns.find((column) => column.name === feature);
  if (whole && isLinear(whole)) return { column: whole, value: "" };
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1)) {
    const column = schema.columns.find(({ name }) => name === feature.slice(0, at));
    const value = feature.slice(at + 1);
    if (column?.kind === "categorical" || (column?.kind === "binned" && slotOf(column, value) >= 0))
      return { column, value };
  }
  const message = whole
    ? `feature ${show(feature)} is one number, but the column is ${whole.kind}: it needs a feature per value (${show(`${feature}=${whole.kind === "binned" ? valueLabels(whole)[0] : "value"}`)})`
    : `the ${what} names ${show(feature)}, but the data has only ${showNames(schema.columns.map(({ name }) => name))}`;
  throw new ConformantError("unknown-column", message, { argument: `${what}.features`, column: feature });
}

/** A categorical column also has the values that only the classifier knows. */
function withNewValues(column: Column, places: readonly Place[]): Column {
  if (column.kind !== "categorical") return column;
  const named = places.filter((place) => place.column === column).map((place) => place.value);
  return { ...column, values: [...new Set([...column.values, ...named])] };
}

function isSchema(data: Data | Schema): data is Schema {
  const columns: unknown = (data as Schema | null | undefined)?.columns;
  return (
    !Array.isArray(data) &&
    Array.isArray(columns) &&
    columns.every((column) => typeof column?.kind === "string")
  );
}

function checkShape(json: ClassifierJson): void {
  const { classes, coef } = json ?? {};
  if (!Array.isArray(classes) || classes.length < 2)
    fail("classifier", "classes", "a list of two or more names", classes);
  const rows = classes.length === 2 ? 1 : classes.length;
  const two = classes.length === 2 && Array.isArray(coef) && coef.length === 2;
  checkFeatures(json, "classifier");
  if (two)
    fail(
      "classifier",
      "coef",
      "one row for two classes, the log-odds of the second (subtract the first row from the second)",
      coef,
    );
  checkCoefficients(json, rows, "classifier");
}

type Coefficients = Pick<ClassifierJson, "features" | "intercept" | "coef" | "mean" | "scale">;

function checkFeatures({ features }: Coefficients, what: string): void {
  if (!Array.isArray(features) || features.length === 0)
    fail(what, "features", "a non-empty list of names", features);
  const repeated = features.find((feature, f) => features.indexOf(feature) !== f);
  if (repeated !== undefined) fail(what, "features", "distinct names", repeated);
}

/** @param rows how many rows of weights there must be */
function checkCoefficients(json: Coefficients, rows: number, what: string): void {
  checkFeatures(json, what);
  const { features, intercept, coef, mean, scale } = json;
  checkRow(what, "intercept", intercept, rows);
  if (!Array.isArray(coef) || coef.length !== rows)
    fail(what, "coef", `${rows} row${rows > 1 ? "s" : ""} of weights`, coef);
  for (const [r, row] of coef.entries()) checkRow(what, `coef[${r}]`, row, features.length);
  if (mean !== undefined) checkRow(what, "mean", mean, features.length);
  if (scale !== undefined) checkRow(what, "scale", scale, features.length);
  const zero = scale?.indexOf(0) ?? -1;
  if (zero >= 0) fail(what, `scale[${zero}]`, "a number other than 0", 0);
}

function checkRow(what: string, argument: string, row: unknown, length: number): void {
  if (!Array.isArray(row) || row.length !== length) fail(what, argument, `${length} numbers`, row);
  const bad = row.findIndex((x: unknown) => !Number.isFinite(x));
  if (bad >= 0) fail(what, `${argument}[${bad}]`, "a finite number", row[bad]);
}

function fail(what: string, argument: string, need: string, value: unknown): never {
  throw new ConformantError("invalid-weights", `${what}.${argument} must be ${need}, got ${show(value)}`, {
    argument: `${what}.${argument}`,
    value,
  });
}
