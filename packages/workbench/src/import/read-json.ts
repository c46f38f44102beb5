import type { ClassifierJson, RegressorJson } from "conformant";
import { valueLabels } from "conformant/internal";
import { type ImportedClassifier, type ReadingContext, refuseFile } from "./imported-classifier.ts";

/** A binned number: bin j is [edges[j − 1], edges[j]), with a weight for each bin in every row of coefficients. */
interface BinnedJson {
  readonly column: string;
  readonly edges: readonly number[];
  readonly coef: readonly (readonly number[])[];
}

type DocumentJson = ClassifierJson & { readonly format?: unknown; readonly binned?: readonly BinnedJson[] };

/** A classifier in this project's format: classes, features, intercept, coef, and optionally mean, scale and binned numbers. */
export function readJson(text: string, { path }: ReadingContext): ImportedClassifier {
  const json = parse(text, path);
  if (json?.format === "conformant-model")
    throw refuseFile(
      path,
      "this is a fitted model, expected a classifier",
      "conformant export MODEL --to json writes the classifier of a model",
    );
  const isRegressor = json !== null && typeof json === "object" && "output" in json;
  const named = isRegressor ? (["features"] as const) : (["classes", "features"] as const);
  for (const name of named) {
    const list: unknown = json?.[name];
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string" && item !== ""))
      throw refuseFile(path, `expected ${JSON.stringify(name)}, a list of names that are non-empty texts`);
  }
  if (json.label !== undefined && typeof json.label !== "string")
    throw refuseFile(path, 'expected "label", the name of a column');
  if (isRegressor) return { json: regressorOf(json as unknown as RegressorJson), notes: [] };
  const { classes, features, intercept, coef, mean, scale, label } = json;
  const linear: ClassifierJson = {
    classes,
    features,
    intercept,
    coef,
    ...(mean && { mean }),
    ...(scale && { scale }),
    ...(label && { label }),
  };
  return json.binned === undefined ? { json: linear, notes: [] } : withBins(linear, json.binned, path);
}

/** The parts of a linear regressor; the library checks them. */
function regressorOf({
  output,
  link,
  features,
  intercept,
  coef,
  mean,
  scale,
  label,
}: RegressorJson): RegressorJson {
  return {
    output,
    ...(link && { link }),
    features,
    intercept,
    coef,
    ...(mean && { mean }),
    ...(scale && { scale }),
    ...(label && { label }),
  };
}

function parse(text: string, path: string): DocumentJson {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseFile(path, `not JSON: ${(cause as Error).message}`, undefined, cause);
  }
}

/** The same with a feature for each bin. */
function withBins(json: ClassifierJson, binned: readonly BinnedJson[], path: string): ImportedClassifier {
  checkBins(binned, json, path);
  const bins = binned.map(({ column, edges }) =>
    valueLabels({ name: column, kind: "binned", edges }).map((bin) => `${column}=${bin}`),
  );
  const more = bins.flat();
  return {
    json: {
      ...json,
      features: [...json.features, ...more],
      coef: json.coef.map((row, r) => [...row, ...binned.flatMap((own) => own.coef[r])]),
      ...(json.mean && { mean: [...json.mean, ...more.map(() => 0)] }),
      ...(json.scale && { scale: [...json.scale, ...more.map(() => 1)] }),
    },
    notes: [],
    edges: new Map(binned.map(({ column, edges }) => [column, edges])),
  };
}

function checkBins(binned: unknown, { coef }: ClassifierJson, path: string): void {
  const isRow = (list: unknown, length: number): boolean =>
    Array.isArray(list) && list.length === length && list.every(Number.isFinite);
  const isBinned = ({ column, edges, coef: own }: Partial<BinnedJson>): boolean =>
    typeof column === "string" &&
    column !== "" &&
    Array.isArray(edges) &&
    isRow(edges, edges.length) &&
    edges.every((edge, j) => j === 0 || edge > edges[j - 1]) &&
    Array.isArray(own) &&
    Array.isArray(coef) &&
    own.length === coef.length &&
    own.every((row) => isRow(row, edges.length + 1));
  if (
    !Array.isArray(binned) ||
    !binned.every((own) => typeof own === "object" && own !== null && isBinned(own))
  )
    throw refuseFile(
      path,
      'expected "binned", a list of { column, edges, coef } with ascending edges and in each row of coef one weight more than edges',
    );
}
