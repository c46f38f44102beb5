import { ConformantError, requireMade, show } from "../errors.ts";
import { probabilitiesInPlace } from "../math/softmax.ts";
import { byName } from "../schema/by-name.ts";
import { isGapCell, type Row } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import type { Classifier } from "./classifier.ts";
import { sameGaps } from "./classify-rows.ts";
import { scoreRow } from "./score-row.ts";

/** The classifier's own answer, F_k(x), for a row that has every column: class name to probability. */
export function classify(classifier: Classifier, row: Row): Record<string, number> {
  requireMade("classifier", classifier);
  const { schema, classes } = classifier;
  const table = encode(schema, [row], { strict: true });
  const gap = table.columns.findIndex((cells) => isGapCell(cells, 0));
  if (gap >= 0) {
    const { name } = schema.columns[gap];
    const message = `classify needs every column, but ${show(name)} is missing; predict answers rows with gaps`;
    throw new ConformantError("missing-value", message, { column: name });
  }
  const scores = new Float64Array(classes.length);
  scoreRow(classifier, sameGaps(classifier, Number.NaN), cellsOfRow(table, 0), scores);
  probabilitiesInPlace(scores);
  return byName(classes, scores);
}
