import { ConformantError, requireMade, show } from "../errors.ts";
import { kindOf } from "../model/kinds.ts";
import type { KnownPredictor, KnownRegressor } from "../model/model.ts";
import type { PredictorKind } from "../predictors/predictor.ts";
import { byName, isMissingCell, type Row, type Table } from "../schema/data.ts";
import { encode } from "../schema/encode.ts";

/**
 * The predictor's own answer, F_k(x), to a row that has every column it uses: class name to probability.
 *
 *     classify(classifier, { age: 40, sex: "f" }); // { no: 0.7, yes: 0.3 }
 */
export function classify(predictor: KnownPredictor, row: Row): Record<string, number> {
  requireMade("classifier of any kind", predictor, "classifier");
  const kind: PredictorKind<KnownPredictor> = kindOf(predictor, "classifier");
  const { kind: answers, outputs } = kind.response(predictor);
  if (answers === "number") throw wrongKind("classify", "classifier", "regressor", predictor);
  return byName(outputs, answerTo(kind, predictor, row, "classify"));
}

/**
 * The regressor's own answer, f(x), to a row that has every column it uses.
 *
 *     regress(regressor, { age: 40, sex: "f" }); // 1203.5
 */
export function regress(predictor: KnownRegressor, row: Row): number {
  requireMade("classifier of any kind", predictor, "regressor");
  const kind: PredictorKind<KnownRegressor> = kindOf(predictor, "regressor");
  if (kind.response(predictor).kind === "classes")
    throw wrongKind("regress", "regressor", "classifier", predictor);
  return answerTo(kind, predictor, row, "regress")[0];
}

function wrongKind(what: string, needs: string, got: string, value: unknown): ConformantError {
  return new ConformantError("invalid-argument", `${what} needs a ${needs}, got a ${got}`, {
    argument: needs,
    value,
  });
}

function answerTo<P extends KnownPredictor | KnownRegressor>(
  kind: PredictorKind<P>,
  predictor: P,
  row: Row,
  what: string,
): Float64Array {
  const { schema } = predictor;
  const table = encode(schema, [row], { strict: true });
  const missing = kind.columnsUsed(predictor).find((i) => isMissingCell(table.columns[i], 0));
  if (missing === undefined) return kind.evaluate(predictor, table);
  const { name } = schema.columns[missing];
  const message = `${what} needs every column, but ${show(name)} is missing; predict answers rows with missing values`;
  throw new ConformantError("missing-value", message, { column: name });
}

/** The predictor's own answers to many rows, rows × K, whose columns are found by name. */
export function classifyRows(predictor: KnownPredictor | KnownRegressor, rows: Table): Float64Array {
  requireMade("classifier of any kind", predictor, "classifier");
  const kind: PredictorKind<KnownPredictor | KnownRegressor> = kindOf(predictor, "classifier");
  return kind.evaluate(predictor, encode(predictor.schema, rows));
}
