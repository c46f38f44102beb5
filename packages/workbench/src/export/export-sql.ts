import { type AnyModel, type Column, isRegression, type TreeEnsemble } from "conformant";
import { treesOf } from "conformant/trees";
import { sequencesOf } from "../columns/sequence-columns.ts";
import { isIndicatorColumn } from "../source/positions.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { Dialect } from "../sql/dialects/dialect.ts";
import { fieldsOf } from "../sql/fields.ts";
import { hasGaussianTerms, MOST_GAUSSIAN } from "../sql/gaussian-stages.ts";
import { withMarks } from "../sql/mark-fields.ts";
import { splitName } from "../sql/quote.ts";
import { labelSql, scoreNames, scoreSql } from "../sql/score.ts";
import type { SourceColumn } from "../sql/source-column.ts";
import { countTreeTerms, gaussianQuestions } from "../sql/tree-stages.ts";

export interface SqlExportOptions {
  readonly dialect: Dialect;
  /** The table to score, perhaps with a schema before a dot. */
  readonly table: string;
  /** Columns to copy. */
  readonly keep: readonly string[];
}

/**
 * One SELECT that scores a table with missing values: the prediction, the probability of each class, and copied columns. For boosted
 * classifiers it has the exact expected margins.
 */
export function exportSql(model: AnyModel, { dialect, table, keep }: SqlExportOptions): string {
  requireBlockTerms(model);
  const trees = treesOf(model);
  if (trees) requireTreeTerms(dialect, model, trees);
  const { schema } = model;
  const supplied = schema.columns.filter((column) => !isIndicatorColumn(column));
  const source = {
    dialect,
    columns: sourceColumns(supplied),
    relation: () => tableParts(table).map(dialect.identifier).join("."),
  };
  const names = supplied.map(({ name }) => name);
  const fields = withMarks(dialect, fieldsOf(source, names, { gaps: [] }), schema.columns);
  const answers = scoreSql(dialect, model, fields, keep.map(dialect.identifier));
  const columns = [
    ...answerColumns(dialect, model, trees),
    ...keep.map((name, t): AnswerColumn => [scoreNames.copy(t), name]),
  ];
  requireDistinct(columns);
  const selected = columns.map(([expression, name]) => `${expression} AS ${dialect.identifier(name)}`);
  return `SELECT\n  ${selected.join(",\n  ")}\nFROM (\n${answers}\n) AS answers\n`;
}

type AnswerColumn = readonly [expression: string, name: string];

/** The expressions per row, by name. */
function answerColumns(dialect: Dialect, model: AnyModel, trees: TreeEnsemble | undefined): AnswerColumn[] {
  if (isRegression(model)) return [[scoreNames.probability(0), "prediction"]];
  const { outputs: classes } = model.response;
  const named = (names: readonly string[]): AnswerColumn[] =>
    names.map((name, place) => [scoreNames.probability(place), name]);
  if (trees && trees.link !== "probability") {
    const own = trees.link === "logistic" ? classes.slice(1) : classes; // the log-odds of the second class
    return named(own.map((name) => `margin_${name}`));
  }
  return [[labelSql(dialect, classes), "prediction"], ...named(classes.map((name) => `p_${name}`))];
}

/** The name of a table with its schema and catalog, outermost first. */
function tableParts(table: string): string[] {
  const parts = splitName(table);
  if (!parts.includes("")) return parts;
  throw new TableError(
    "usage",
    `the table must be a name, perhaps with a schema before a dot, got ${quoted(table)}`,
  );
}

/** Throws where a copied column has the name of another result column. */
function requireDistinct(columns: readonly AnswerColumn[]): void {
  const names = columns.map(([, name]) => name);
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined)
    throw new TableError("usage", `--keep ${quoted(twice)} would give two columns of that name`);
}

/** Throws where the expected sums of trees are not products over columns, or the query is too long. */
function requireTreeTerms(
  { name: engine, mostTreeTerms: most }: Dialect,
  model: AnyModel,
  trees: TreeEnsemble,
): void {
  if (isRegression(model) && trees.link !== "identity")
    throw new TableError(
      "not-exportable",
      `SQL can add up trees whose answer is their sum, and these have the link ${trees.link}`,
      { hint: "--to js, python and r carry every model of trees" },
    );
  const [name] = gaussianQuestions(model, trees);
  if (name !== undefined)
    throw new TableError(
      "not-exportable",
      `SQL supports trees without a Gaussian, and a Gaussian describes "${name}"`,
      { hint: "fit with --numeric atoms; --to js, python, r and page carry every model of trees" },
    );
  const terms = countTreeTerms(model, trees);
  if (terms > most)
    throw new TableError(
      "not-exportable",
      `these trees are too large for the SQL of ${engine}: ${terms} nodes (counted per component and class), expected at most ${most}`,
      {
        hint: "fit with fewer --components, or grow fewer and smaller trees; --to js, python, r and page carry them",
      },
    );
}

/** Throws where the Gaussian of a model is too large for an expression. */
function requireBlockTerms(model: AnyModel): void {
  if (hasGaussianTerms(model)) return;
  const columns = model.gaussianColumns?.columns.length;
  throw new TableError(
    "not-exportable",
    `a Gaussian over ${columns} columns in ${model.components.length} component${model.components.length === 1 ? "" : "s"} is too large for SQL, expected at most ${MOST_GAUSSIAN.columns} columns and ${MOST_GAUSSIAN.components} components`,
    {
      hint: "--to onnx, js and json carry it; fit with fewer --columns or --components, or with --numeric atoms, for a model that fits",
    },
  );
}

/** The columns as a table has them: numbers as numbers, the rest as texts; the letters of a sequence in one text. */
function sourceColumns(columns: readonly Column[]): SourceColumn[] {
  const sequences = sequencesOf(columns);
  return columns.map(({ name, kind }) => ({
    name: sequences.get(name) ?? name,
    storage: kind === "numeric" || kind === "binned" ? "number" : "text",
    type: "",
  }));
}
