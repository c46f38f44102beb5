import { CliError, quoted } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { readList } from "./read-value.ts";
import { requireModelColumn } from "./unknown-column.ts";

/** `--groups "bill=bill_length+bill_depth,…"`: columns that come and go together. */
export function readGroups(parsed: Parsed, columns: readonly string[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  const groupOf = new Map<string, string>();
  for (const item of readList(parsed, "groups") ?? []) {
    const at = item.indexOf("=");
    if (at <= 0) throw new CliError("usage", `--groups must be NAME=COLUMN+COLUMN, got ${quoted(item)}`);
    const group = item.slice(0, at).trim();
    if (groups.has(group)) throw new CliError("usage", `--groups: ${quoted(group)} is given twice`);
    const members = item
      .slice(at + 1)
      .split("+")
      .map((name) => name.trim());
    groups.set(group, members);
    for (const name of members) {
      requireModelColumn("--groups names", name, columns);
      if (groupOf.has(name))
        throw new CliError(
          "usage",
          `--groups: ${quoted(name)} stands in ${quoted(groupOf.get(name) ?? "")} and in ${quoted(group)}`,
        );
      groupOf.set(name, group);
    }
    if (columns.includes(group) && groupOf.get(group) !== group)
      throw new CliError("usage", `--groups: ${quoted(group)} is the name of a column outside of it`);
  }
  return Object.fromEntries(groups); // in which "__proto__" is a name like any other
}
