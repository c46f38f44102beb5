export { ConformantError, type ErrorCode, type ErrorDetails } from "../errors.ts";
export { loadModel } from "../model/additive-load-model.ts";
export type { Model } from "../model/model.ts";
export { predict } from "../questions/additive-predict.ts";
export type { QueryOptions } from "../questions/row-input.ts";
export type { Row, Value } from "../schema/data.ts";

/**
 * Answers for small pages: a model of an additive classifier is read and asked about one row after the other, by the same code as in
 * `conformant` but without what trees and many rows take.
 *
 * @module
 */
