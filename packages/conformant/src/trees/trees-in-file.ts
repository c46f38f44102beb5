import type { Classifier } from "../additive/classifier.ts";
import { ConformantError, need } from "../errors.ts";
import { NUMBER_LINKS, type NumberLink } from "../predictors/number-link.ts";
import { isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import { finiteThreshold } from "./threshold.ts";
import {
  createTreeClassifier,
  createTreeRegressor,
  type TreeClassifier,
  type TreeEnsemble,
  type TreeLink,
  type TreeRegressor,
} from "./tree-ensemble.ts";

/** Trees in a model file, on the columns of its schema. Per node; a leaf has column −1. */
export interface TreesInFile {
  readonly link: TreeLink | NumberLink;
  readonly base: readonly number[];
  readonly roots: readonly number[];
  readonly column: readonly number[];
  /** null where a set decides, and for leaves. */
  readonly threshold: readonly (number | null)[];
  /** Which of `sets` decides, −1 where the threshold does. */
  readonly set: readonly number[];
  /** Of a leaf its position among the leaves. */
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly gapsLeft: readonly number[];
  readonly sets: readonly (readonly number[])[];
  readonly width: number;
  readonly values: readonly number[];
  readonly outputs: readonly number[];
}

/** Trees as they are written. */
export function writeTrees({
  link,
  base,
  roots,
  nodes,
  sets,
  width,
  values,
  outputs,
}: TreeEnsemble): TreesInFile {
  return {
    link,
    base: [...base],
    roots: [...roots],
    column: [...nodes.column],
    threshold: Array.from(nodes.threshold, (t, n) =>
      nodes.column[n] < 0 || nodes.set[n] >= 0 ? null : finiteThreshold(t),
    ),
    set: [...nodes.set],
    left: [...nodes.left],
    right: [...nodes.right],
    gapsLeft: [...nodes.gapsLeft],
    sets: sets.map((set) => [...set]),
    width,
    values: [...values],
    outputs: [...outputs],
  };
}

/** The trees of a model file whose answers are class probabilities, all of them checked. */
export function readTreesInFile(
  json: TreesInFile,
  { schema, classes, label }: Pick<Classifier, "schema" | "classes" | "label">,
): TreeClassifier {
  return read(json, schema, ["probability", "logistic", "softmax"], (parts) =>
    createTreeClassifier({
      kind: "trees",
      classes,
      ...(label !== undefined && { label }),
      ...parts,
      link: json.link as TreeLink,
    }),
  );
}

/** The same whose answer is a number. */
export function readRegressionTrees(
  json: TreesInFile,
  {
    schema,
    output,
    label,
  }: Pick<TreeRegressor, "schema" | "output"> & { readonly label?: string | undefined },
): TreeRegressor {
  return read(json, schema, NUMBER_LINKS, (parts) =>
    createTreeRegressor({
      kind: "regression-trees",
      output,
      ...(label !== undefined && { label }),
      ...parts,
      link: json.link as NumberLink,
    }),
  );
}

/** Checks the parts and hands them on. */
function read<T>(
  json: TreesInFile,
  schema: Schema,
  links: readonly string[],
  create: (parts: Omit<TreeEnsemble, "label" | "link">) => T,
): T {
  const count = json?.column?.length;
  const lists = ["column", "threshold", "set", "left", "right", "gapsLeft"] as const;
  for (const name of lists)
    need(
      `trees.${name}`,
      `${count} entries`,
      json?.[name],
      Array.isArray(json?.[name]) && json[name].length === count,
    );
  for (const name of ["base", "roots", "values", "outputs"] as const)
    need(
      `trees.${name}`,
      "a list of numbers",
      json[name],
      Array.isArray(json[name]) && json[name].every(Number.isFinite),
    );
  need("trees.link", "a known one", json.link, links.includes(json.link));
  need(
    "trees.sets",
    "lists of 0 and 1",
    json.sets,
    Array.isArray(json.sets) &&
      json.sets.every((set) => Array.isArray(set) && set.every((one: unknown) => one === 0 || one === 1)),
  );
  json.set.forEach((set, n) => {
    const column = schema.columns[json.column[n]];
    if (!(set >= 0) || column === undefined || json.sets[set] === undefined) return;
    const values = isDiscrete(column) ? valueCount(column) : 0;
    need(`trees.sets[${set}]`, `${values} entries`, json.sets[set], json.sets[set].length === values);
  });
  try {
    return create({
      schema,
      base: Float64Array.from(json.base),
      roots: Int32Array.from(json.roots),
      nodes: {
        column: Int32Array.from(json.column),
        // Where a threshold decides it must be there: NaN is rejected.
        threshold: Float64Array.from(
          json.threshold,
          (t, n) => t ?? (json.column[n] < 0 || json.set[n] >= 0 ? 0 : Number.NaN),
        ),
        set: Int32Array.from(json.set),
        left: Int32Array.from(json.left),
        right: Int32Array.from(json.right),
        gapsLeft: Uint8Array.from(json.gapsLeft),
      },
      sets: json.sets.map((set) => Uint8Array.from(set)),
      width: json.width,
      values: Float64Array.from(json.values),
      outputs: Int32Array.from(json.outputs),
    });
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    throw new ConformantError("model-format", `the model file's ${cause.message}`, cause.details, { cause });
  }
}
