import { addColumns as addToAdditive } from "../classifier/add-columns.ts";
import type { Classifier } from "../classifier/classifier.ts";
import { requireList, requireMade, requireOptions } from "../errors.ts";
import type { Marginals } from "../marginals/marginals.ts";
import { type AlsoOptions, alsoColumns } from "../schema/also-columns.ts";
import { type Column, checkSchema } from "../schema/column.ts";
import type { Data } from "../schema/data.ts";
import type { TreeClassifier } from "../trees/tree-classifier.ts";

/**
 * The classifier on more columns, behind its own, that it does not use: its answers stay as they are, to the last bit, and a model
 * fitted to it may tell missing columns from them. {@link conform} and {@link conformMixture} do the same by their option `also`;
 * for rows in chunks or elsewhere this says what the columns are.
 */
export function addColumns<Kind extends Classifier | TreeClassifier>(
  classifier: Kind,
  columns: readonly Column[],
): Kind {
  requireMade("classifier of any kind", classifier, "classifier");
  requireList("columns", columns);
  if (columns.length === 0) return classifier;
  if (!("kind" in classifier)) return addToAdditive(classifier, columns) as Kind;
  return { ...classifier, schema: checkSchema({ columns: [...classifier.schema.columns, ...columns] }) };
}

/** The classifier on its own columns and those that the option names. */
export function withAlso<Kind extends Classifier | TreeClassifier>(
  classifier: Kind,
  data: Data | Marginals,
  options: AlsoOptions,
): Kind {
  requireOptions(options);
  const { schema, label } = classifier;
  return addColumns(classifier, alsoColumns(data as Data, options, schema, [label]));
}
