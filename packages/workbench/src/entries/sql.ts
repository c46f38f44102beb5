/**
 * Counts, sums and predictions as SQL, and the dialects of engines.
 *
 * @module
 */

export { CHECKSUM_SHAPES, checksumSql, joinSums, partSql } from "../sql/checksum.ts";
export { COUNT_SHAPES, countSql } from "../sql/count.ts";
export { clickhouseDialect, clickhouseWithoutSettings } from "../sql/dialects/clickhouse-dialect.ts";
export type { Dialect } from "../sql/dialects/dialect.ts";
export { duckdbDialect } from "../sql/dialects/duckdb-dialect.ts";
export type { EngineDialect } from "../sql/dialects/engine-dialect.ts";
export { postgresDialect } from "../sql/dialects/postgres-dialect.ts";
export { sqlDialects } from "../sql/dialects/sql-dialects.ts";
export { encodeSql, encodeTexts, shapeOf } from "../sql/encode.ts";
export {
  classScores,
  completeScores,
  firstSlot,
  incompleteScores,
  type SlotScores,
  slotCount,
  slotGroups,
  slotSumsSql,
} from "../sql/expectation.ts";
export { copySql, type Field, type FieldSet, fieldsOf, namedColumnSql } from "../sql/fields.ts";
export { lossSql, momentsSql, type Scaling } from "../sql/loss.ts";
export { withMarks } from "../sql/mark-fields.ts";
export { blanksAround } from "../sql/number-text.ts";
export { quoteIdentifier, quoteLiteral, splitName } from "../sql/quote.ts";
export { sampleSql } from "../sql/sample.ts";
export { labelSql, scoreNames, scoreSql } from "../sql/score.ts";
export { slotsWithin } from "../sql/slot-groups.ts";
export type { Shape, SourceColumn } from "../sql/source-column.ts";
