import { ConformantError, requireMade, show } from "../errors.ts";
import { probabilitiesInPlace } from "../math/exponential/softmax.ts";
import { byName } from "../schema/by-name.ts";
import { isGapCell, type Row } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { cellsOfRow } from "../schema/rows/read-row.ts";
import { weightedColumns } from "./add-columns.ts";
import type { Classifier } from "./classifier.ts";
import { neededGaps } from "./classify-rows.ts";
import { scoreRow } from "./score-row.ts";

/** The classifier's own answer, F_k(x), for a row that has every column with weights: class name to probability. */
export function classify(classifier: Classifier, row: Row): Record<string, number> {
  requireMade("classifier", classifier);
  const { schema, classes } = classifier;
  const table = encode(schema, [row], { strict: true });
  const gap = weightedColumns(classifier).find((i) => isGapCell(table.columns[i], 0));
  if (gap !== undefined) {
    const { name } = schema.columns[gap];
    const message = `classify needs every column, but ${show(name)} is missing; predict answers rows with gaps`;
    throw new ConformantError("missing-value", message, { column: name });
  }
  const scores = new Float64Array(classes.length);
  scoreRow(classifier, neededGaps(classifier), cellsOfRow(table, 0), scores);
  probabilitiesInPlace(scores);
  return byName(classes, scores);
}
