import type { ClassifierJson, RegressorJson } from "conformant";
import { valueLabels } from "conformant/internal";
import { type ImportedClassifier, type ReadingContext, refuseFile } from "./imported-classifier.ts";

/** A binned number: bin j is [edges[j − 1], edges[j]), with a weight for each bin in every row of coefficients. */
interface BinnedJson {
  readonly column: string;
  readonly edges: readonly number[];
  readonly coef: readonly (readonly number[])[];
}

type DocumentJson = ClassifierJson & { readonly format?: unknown; readonly binned?: unknown };

/**
 * A classifier in this project's format: classes, features, intercept, coef, and optionally mean, scale and binned numbers. A regressor has
 * an output in place of classes.
 */
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
  if (isRegressor) return regressorOf(json as unknown as RegressorDocument, path);
  const { classes, intercept, coef } = json;
  return withBins({ classes, intercept, coef, ...shared(json) }, json.binned, path);
}

/** The parts that classifiers and regressors have in common; the library checks them. */
function shared({ features, mean, scale, label }: ClassifierJson | RegressorJson) {
  return { features, ...(mean && { mean }), ...(scale && { scale }), ...(label && { label }) };
}

type RegressorDocument = RegressorJson & { readonly binned?: unknown };

/** A linear regressor, which has one list of coefficients in place of a list of rows. */
function regressorOf(json: RegressorDocument, path: string): ImportedClassifier {
  const { output, link, intercept, coef } = json;
  const binned = Array.isArray(json.binned)
    ? json.binned.map((own) => ({ ...own, coef: [own?.coef] }))
    : json.binned;
  const row = { coef: [coef], ...shared(json) };
  const { json: read, ...more } = withBins(row, binned, path);
  return { ...more, json: { ...read, output, ...(link && { link }), intercept, coef: read.coef[0] } };
}

function parse(text: string, path: string): DocumentJson {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseFile(path, `not JSON: ${(cause as Error).message}`, undefined, cause);
  }
}

/** The same with a feature for each bin, if there are any. */
function withBins<Json extends Pick<ClassifierJson, "features" | "coef" | "mean" | "scale">>(
  json: Json,
  binned: unknown,
  path: string,
): Omit<ImportedClassifier, "json"> & { readonly json: Json } {
  if (binned === undefined) return { json, notes: [] };
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

function checkBins(
  binned: unknown,
  { coef }: Pick<ClassifierJson, "coef">,
  path: string,
): asserts binned is readonly BinnedJson[] {
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
