/**
 * Answers for small pages: a model of an additive classifier is read and asked about one row after the other, by the same code as in
 * `conformant` but without what trees and many rows take.
 *
 * @module
 */

export { loadModel } from "../answers/additive/load-model.ts";
export { predict } from "../answers/additive/predict.ts";
export { ConformantError, type ErrorCode, type ErrorDetails } from "../errors.ts";
export type { Model } from "../model/model.ts";
export type { QueryOptions } from "../queries/terms/query-input.ts";
export type { Row, Value } from "../schema/data.ts";
