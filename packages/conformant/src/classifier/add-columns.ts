import { madeOnce } from "../made-once.ts";
import { type Column, checkSchema, type Schema, slotCount, slotOffsets } from "../schema/column.ts";
import { type Classifier, createClassifier } from "./classifier.ts";

/**
 * The classifier on more columns, behind its own and without weights: what it answers stays as it is, to the last bit, and a
 * distribution that conforms with it may tell missing columns from them.
 */
export function addColumns(classifier: Classifier, columns: readonly Column[]): Classifier {
  if (columns.length === 0) return classifier;
  const { classes, weights } = classifier;
  const schema: Schema = checkSchema({ columns: [...classifier.schema.columns, ...columns] });
  const slots = columns.reduce((sum, column) => sum + slotCount(column), 0);
  const wider = new Float64Array(weights.length + slots * classes.length);
  wider.set(weights);
  return createClassifier({
    ...classifier,
    schema,
    weights: wider,
  });
}

const weighted = new WeakMap<Classifier, readonly number[]>();

/** Positions of the columns whose values change the classifier's answer: those with a weight that is not 0. */
export function weightedColumns(classifier: Classifier): readonly number[] {
  return madeOnce(weighted, classifier, findWeighted);
}

function findWeighted({ schema, classes, weights }: Classifier): readonly number[] {
  const [slots, K] = [slotOffsets(schema), classes.length];
  return schema.columns.flatMap((_, i) =>
    weights.subarray(slots[i] * K, slots[i + 1] * K).some((weight) => weight !== 0) ? [i] : [],
  );
}
