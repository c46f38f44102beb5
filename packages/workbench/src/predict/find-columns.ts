import type { AnyModel, Column } from "conformant";
import type { NumberStyle } from "conformant/texts";
import type { StoredReading } from "../columns/column-options.ts";
import { findNumberStyles } from "../columns/number-styles.ts";
import { counted } from "../source/count.ts";
import { isIndicatorColumn, sourceColumnOf } from "../source/positions.ts";
import { listed, quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

/** How cells are read for a model. */
export interface CellOptions {
  /** Texts that stand for a missing value. */
  readonly gaps: readonly string[];
  readonly decimal?: NumberStyle["decimal"] | undefined;
  /** How the data of the model was read. */
  readonly stored?: StoredReading | undefined;
  /** Takes a sentence about texts in a column of numbers, which then count as missing; without it they are an error when they are read. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Texts that stand for 1 and 0 in a binary column. */
const TRUTH = /^(?:true|false)$/i;

/** Texts that a sentence shows. */
const EXAMPLES = 5;

/** Columns whose kinds are known, in a source: none of their categories is a gap, and texts are numbers where they must be. */
export async function cellsOfSchema<Cells extends CellReading>(
  source: TableSource<Cells>,
  columns: readonly Column[],
  { gaps, decimal, stored, warn }: CellOptions,
): Promise<Cells> {
  const names = columns.filter((column) => !isIndicatorColumn(column)).map(({ name }) => name);
  const categories = new Map(
    columns.flatMap((column) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  const gapsIn = new Map(Object.entries(stored?.missingIn ?? {}));
  const asTexts = source.cells(names, { gaps, gapsIn, categories });
  const numeric = columns.filter(({ kind }) => kind !== "categorical").map(({ name }) => name);
  const numbers = await findNumberStyles(source, asTexts, numeric, {
    decimal: decimal ?? stored?.decimal,
    stored: stored?.styles,
  });
  const cells = source.cells(names, { gaps, gapsIn, categories, numbers });
  if (!warn) return cells;
  const strays = await source.strays(cells, numeric);
  if (strays.size === 0) return cells;
  const bits = new Set(columns.filter(({ kind }) => kind === "binary").map(({ name }) => name));
  for (const [name, found] of strays) {
    const counts = new Map([...found].filter(([text]) => !(bits.has(name) && TRUTH.test(text))));
    if (counts.size === 0) continue;
    const rows = [...counts.values()].reduce((a, b) => a + b, 0);
    const texts = listed([...counts.keys()], EXAMPLES);
    warn(
      `column ${quoted(name)}: ${counted(rows, "row")} with a text instead of a number, counted as missing (${texts})`,
    );
    gapsIn.set(name, [...(gapsIn.get(name) ?? []), ...counts.keys()]);
  }
  return source.cells(names, { gaps, gapsIn, categories, numbers });
}

/** The model's columns in a source. */
export interface FoundColumns {
  /** Columns of the source to read. */
  readonly sources: readonly string[];
  /** Columns of the model that the source lacks: missing in every row. */
  readonly missing: readonly string[];
}

/** Finds the model's columns by name, in any order; a table that has none of them is the wrong one. */
export function findColumns(
  table: Pick<TableSource, "name" | "columns">,
  model: AnyModel,
  modelName: string,
): FoundColumns {
  const sources = new Set<string>();
  const missing: string[] = [];
  for (const { name } of model.schema.columns.filter((column) => !isIndicatorColumn(column))) {
    const source = sourceColumnOf(table.columns, name);
    if (!source) missing.push(name);
    else sources.add(source.name);
  }
  if (sources.size === 0) {
    const message = `${quoted(table.name)} has none of the columns of ${quoted(modelName)}: expected ${listed(missing, 6)}, got ${listed(
      table.columns.map(({ name }) => name),
      6,
    )}`;
    throw new TableError("wrong-table", message, {
      hint: "is this the table that the model is for? A file without a header needs the names it was fitted with",
    });
  }
  return { sources: [...sources], missing };
}

/** Throws for a column of the model that the source has in a type that is not a number, text or boolean. */
export function requireFields(
  table: Pick<TableSource, "name" | "columns">,
  model: AnyModel,
  { fields }: CellReading,
  missing: readonly string[],
): void {
  const lost = model.schema.columns.find(({ name }) => !fields.has(name) && !missing.includes(name));
  if (!lost) return;
  const { type } = sourceColumnOf(table.columns, lost.name) ?? { type: "unknown" };
  const need = lost.kind === "categorical" ? "texts" : "numbers";
  const where = `${quoted(table.name)}, column ${quoted(lost.name)}`;
  throw new TableError("wrong-table", `${where}: expected ${need}, got the type ${type}`);
}
