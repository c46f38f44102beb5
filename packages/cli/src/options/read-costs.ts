import type { AnyModel } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { numberIn } from "./read-value.ts";
import { requireModelColumn } from "./unknown-column.ts";

/** Costs of learning a column or a group: a JSON object {"column": cost}, or lines of column,cost. */
export function readCosts(
  path: string,
  model: AnyModel,
  groups: readonly string[] = [],
): Record<string, number> {
  const text = readTextFile(path).replace(/^\ufeff/, "");
  const entries = /^\s*[[{]/.test(text) ? fromJson(path, text) : fromLines(text);
  const names = [...model.schema.columns.map(({ name }) => name), ...groups];
  for (const [column, cost] of entries) checkCost(path, column, cost, names);
  return Object.fromEntries(entries) as Record<string, number>;
}

function fromJson(path: string, text: string): [string, unknown][] {
  try {
    const costs: unknown = JSON.parse(text);
    if (typeof costs === "object" && costs !== null && !Array.isArray(costs)) return Object.entries(costs);
  } catch (cause) {
    throw new CliError("invalid-costs", `${quoted(path)} is not complete JSON`, { cause });
  }
  throw new CliError("invalid-costs", `${quoted(path)}: expected an object {"column": cost, …}`);
}

/** Column and cost, separated by a comma, semicolon or tab; a first line whose cost is not a number is a header. */
function fromLines(text: string): [string, unknown][] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const entries = lines.map((line): [string, unknown] => {
    const [, name, cost] = /^(.*)[,;\t]\s*([^,;\t]*)$/.exec(line) ?? [line, line, ""];
    const number = numberIn(cost);
    return [unquote(name), Number.isNaN(number) ? cost.trim() : number];
  });
  return entries.length > 1 && typeof entries[0][1] === "string" ? entries.slice(1) : entries;
}

function unquote(name: string): string {
  const trimmed = name.trim();
  return /^".*"$/s.test(trimmed) ? trimmed.slice(1, -1).replaceAll('""', '"') : trimmed;
}

function checkCost(path: string, column: string, cost: unknown, names: readonly string[]): void {
  requireModelColumn(`${quoted(path)} has a cost for`, column, names);
  if (typeof cost === "number" && cost > 0 && Number.isFinite(cost)) return;
  throw new CliError(
    "invalid-costs",
    `${quoted(path)}: the cost of ${quoted(column)} must be a positive number, got ${JSON.stringify(cost)}`,
  );
}
