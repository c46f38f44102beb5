import type { Column, Model } from "conformant";
import { CliError } from "../errors.ts";
import { ansiDialect } from "../sql/dialects/ansi-dialect.ts";
import { clickhouseDialect } from "../sql/dialects/clickhouse-dialect.ts";
import type { Dialect } from "../sql/dialects/dialect.ts";
import { duckdbDialect } from "../sql/dialects/duckdb-dialect.ts";
import { postgresDialect } from "../sql/dialects/postgres-dialect.ts";
import { sqliteDialect } from "../sql/dialects/sqlite-dialect.ts";
import { fieldsOf, sequenceOf } from "../sql/fields.ts";
import { hasBlockTerms, MOST_BLOCK } from "../sql/scoring/block-stages.ts";
import { labelSql, scoreNames, scoreSql } from "../sql/scoring/score.ts";
import type { SourceColumn } from "../sql/source-column.ts";

/** The dialects that can be written, by name. */
export const sqlDialects: ReadonlyMap<string, Dialect> = new Map(
  [ansiDialect, duckdbDialect, postgresDialect, sqliteDialect, clickhouseDialect].map((dialect) => [
    dialect.name,
    dialect,
  ]),
);

export interface SqlExportOptions {
  readonly dialect: Dialect;
  /** The table to score, perhaps with a schema before a dot. */
  readonly table: string;
  /** Columns to copy. */
  readonly keep: readonly string[];
}

/** One SELECT that scores a table with gaps: the prediction, the probability of each class, and the columns to keep. */
export function exportSql(model: Model, { dialect, table, keep }: SqlExportOptions): string {
  requireBlockTerms(model);
  const { classes, schema } = model.classifier;
  const source = {
    dialect,
    columns: sourceColumns(schema.columns),
    relation: () => table.split(".").map(dialect.identifier).join("."),
  };
  const names = schema.columns.map(({ name }) => name);
  const fields = fieldsOf(source, names, { gaps: [] });
  const answers = scoreSql(dialect, model, fields, keep.map(dialect.identifier));
  const columns = [
    `${labelSql(dialect, classes)} AS ${dialect.identifier("prediction")}`,
    ...classes.map((name, k) => `${scoreNames.probability(k)} AS ${dialect.identifier(`p_${name}`)}`),
    ...keep.map((name, t) => `${scoreNames.copy(t)} AS ${dialect.identifier(name)}`),
  ];
  return `SELECT\n  ${columns.join(",\n  ")}\nFROM (\n${answers}\n) AS answers\n`;
}

/** Throws where the Gaussian block of a model is too large for an expression. */
function requireBlockTerms(model: Model): void {
  if (hasBlockTerms(model)) return;
  const columns = model.block?.columns.length;
  throw new CliError(
    "not-exportable",
    `a Gaussian over ${columns} columns in ${model.components.length} component${model.components.length === 1 ? "" : "s"} is too large for SQL, expected at most ${MOST_BLOCK.columns} columns and ${MOST_BLOCK.components} components`,
    {
      hint: "--to onnx, js and json carry it; fit with fewer --columns or --components, or with --numeric atoms, for a model that fits",
    },
  );
}

/** The columns as a table has them: numbers as numbers, the rest read as texts; letters of a sequence in one text. */
function sourceColumns(columns: readonly Column[]): SourceColumn[] {
  const names = new Set(columns.map(({ name }) => name));
  return columns.map(({ name, kind }) => ({
    name: sequenceOf(name, names) ?? name,
    storage: kind === "numeric" || kind === "binned" ? "number" : "text",
    type: "",
  }));
}
