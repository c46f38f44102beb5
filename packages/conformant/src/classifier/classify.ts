import { ConformantError, requireMade, show } from "../errors.ts";
import { softmaxInPlace } from "../math/softmax.ts";
import { slotOffsets } from "../schema/column.ts";
import { isGapCell, type Row } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { addScores } from "./add-scores.ts";
import type { Classifier } from "./classifier.ts";

/** The classifier's own answer, F_k(x), for a row that has every column: class name to probability. */
export function classify(classifier: Classifier, row: Row): Record<string, number> {
  requireMade("classifier", classifier);
  const { schema, classes, intercept, weights } = classifier;
  const K = classes.length;
  const table = encode(schema, [row], { strict: true });
  const slots = slotOffsets(schema);
  const gaps = new Float64Array(K).fill(Number.NaN);
  const scores = Float64Array.from(intercept);
  schema.columns.forEach((column, i) => {
    addScores(scores, K, column, table.columns[i], 0, 1, weights, slots[i], gaps, 0);
    if (isGapCell(table.columns[i], 0)) {
      const message = `classify needs every column, but ${show(column.name)} is missing; predict answers rows with gaps`;
      throw new ConformantError("missing-value", message, { column: column.name });
    }
  });
  softmaxInPlace(scores);
  return Object.fromEntries(classes.map((name, k) => [name, scores[k]]));
}
