import { ConformantError, show, showNames } from "../errors.ts";
import type { Column, Schema } from "./column.ts";
import { checkData, type Data, isTable, type Table } from "./data.ts";
import { inferSchema, namesOfData } from "./infer-schema.ts";

/** Columns beside those that a classifier uses: their names, or all there are. */
export type AlsoOption = readonly string[] | "all";

/** For fits that may learn from columns which the classifier does not use. */
export interface AlsoOptions {
  /**
   * Columns of the data that the classifier does not use, or "all" of them but its label. They get no weight, so that the answers to
   * complete rows stay the classifier's own, and help to tell what is missing. Default: none.
   */
  readonly also?: AlsoOption | undefined;
}

/**
 * The columns that an option names, as they are in the data.
 *
 * @param taken columns that are there already
 * @param others columns that "all" does not mean: the label, and what was left out
 */
export function alsoColumns(
  data: Data | Pick<Table, "schema">,
  { also }: AlsoOptions,
  taken: Schema,
  others: readonly (string | undefined)[],
): readonly Column[] {
  if (also === undefined) return [];
  if (also !== "all" && !(Array.isArray(also) && also.every((name) => typeof name === "string")))
    throw wrong(`must be a list of columns or "all", got ${show(also)}`, also);
  const known = isTable(data as Data) ? (data as Table).schema : undefined;
  if (!known) checkData(data);
  const names = known ? known.columns.map(({ name }) => name) : namesOfData(data as Data);
  const own = new Set(taken.columns.map(({ name }) => name));
  const asked =
    also === "all" ? names.filter((name) => !own.has(name) && !others.includes(name)) : [...new Set(also)];
  const twice = asked.find((name) => own.has(name));
  if (twice !== undefined) throw wrong(`names ${show(twice)}, which the classifier uses`, twice);
  const stranger = asked.find((name) => !names.includes(name));
  if (stranger !== undefined) {
    const what = `names ${show(stranger)}, but the data has only ${showNames(names)}`;
    throw wrong(what, stranger, "unknown-column");
  }
  if (asked.length === 0) return [];
  if (!known) return inferSchema(data as Data, { columns: asked }).columns;
  return asked.map((name) => known.columns[names.indexOf(name)]);
}

function wrong(
  what: string,
  value: unknown,
  code: "invalid-argument" | "unknown-column" = "invalid-argument",
): ConformantError {
  const argument = "options.also";
  return new ConformantError(code, `${argument} ${what}`, { argument, value });
}
