import { ConformantError, requireMade, show } from "../errors.ts";
import { kindOf } from "../model/kinds.ts";
import type { KnownPredictor } from "../model/model.ts";
import { byName, isMissingCell, type Row, type Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";

/**
 * The predictor's own answer, F_k(x), to a row that has every column it uses: class name to probability.
 *
 *     classify(classifier, { age: 40, sex: "f" }); // { no: 0.7, yes: 0.3 }
 */
export function classify(predictor: KnownPredictor, row: Row): Record<string, number> {
  requireMade("classifier of any kind", predictor, "classifier");
  const kind = kindOf(predictor, "classifier");
  const { schema } = predictor;
  const table = encode(schema, [row], { strict: true });
  const missing = kind.columnsUsed(predictor).find((i) => isMissingCell(table.columns[i], 0));
  if (missing !== undefined) {
    const { name } = schema.columns[missing];
    const message = `classify needs every column, but ${show(name)} is missing; predict answers rows with missing values`;
    throw new ConformantError("missing-value", message, { column: name });
  }
  return byName(kind.response(predictor).outputs, kind.evaluate(predictor, table));
}

/** The predictor's own answers to many rows, rows × K, whose columns are found by name. */
export function classifyRows(predictor: KnownPredictor, rows: Table): Float64Array {
  requireMade("classifier of any kind", predictor, "classifier");
  return kindOf(predictor, "classifier").evaluate(predictor, encode(predictor.schema, rows));
}
