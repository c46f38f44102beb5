import { CliError, listed, quoted } from "../errors.ts";

/** A column of a table and the engine's name of its type. */
export interface TypedColumn {
  readonly name: string;
  readonly type: string;
}

/** Whether a column of one type stores all values of another without loss, or fails with an error. */
export type Holds = (column: string, values: string) => boolean;

/**
 * Throws unless an existing table has all columns of a result, in types that store them without loss: engines round, and
 * ClickHouse drops bits, silently.
 */
export function checkResultTable(
  table: string,
  present: readonly TypedColumn[],
  result: readonly TypedColumn[],
  holds: Holds,
): void {
  const hint = "give the name of a table that is not there yet, and it is made";
  const types = new Map(present.map(({ name, type }) => [name, type]));
  const missing = result.flatMap(({ name }) => (types.has(name) ? [] : [name]));
  if (missing.length > 0)
    throw new CliError("wrong-table", `--into ${quoted(table)}: the table lacks ${listed(missing)}`, {
      hint,
    });
  const narrow = result.find(({ name, type }) => !holds(types.get(name) as string, type));
  if (narrow === undefined) return;
  const { name, type } = narrow;
  throw new CliError(
    "wrong-table",
    `--into ${quoted(table)}, column ${quoted(name)}: expected the type ${type}, got ${types.get(name)}`,
    { hint },
  );
}
