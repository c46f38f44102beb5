import { parseArgs } from "node:util";
import type { CompareTable } from "./tables/compare-table.ts";
import { TABLES } from "./tables/tables.ts";

export interface CompareOptions {
  readonly tables: readonly CompareTable[];
  readonly splits: number;
  /** Whether to write the page. */
  readonly publish: boolean;
}

/** Reads the command line: names of tables, `--splits N`, `--publish`. Throws for anything else. */
export function readOptions(words: readonly string[]): CompareOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { splits: { type: "string", default: "6" }, publish: { type: "boolean", default: false } },
  });
  const splits = Number(values.splits);
  if (!Number.isInteger(splits) || splits < 2)
    throw new Error(`--splits must be a whole number of at least 2, got ${values.splits}`);
  const stranger = positionals.find((name) => !TABLES.some((table) => table.name === name));
  if (stranger !== undefined)
    throw new Error(`there is no table ${stranger}; there are ${TABLES.map(({ name }) => name).join(", ")}`);
  const tables = TABLES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  return { tables, splits, publish: values.publish };
}
