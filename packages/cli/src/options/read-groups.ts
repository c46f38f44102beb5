import { CliError, quoted } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { readList } from "./read-value.ts";
import { requireModelColumn } from "./unknown-column.ts";

/** `--groups "bill=bill_length+bill_depth,…"`: columns that are asked for together. */
export function readGroups(parsed: Parsed, columns: readonly string[]): Record<string, string[]> {
  const groups = new Map<string, string[]>();
  const groupOf = new Map<string, string>();
  for (const item of readList(parsed, "groups") ?? []) {
    const at = item.indexOf("=");
    if (at <= 0) throw new CliError("usage", `--groups must be NAME=COLUMN+COLUMN, got ${quoted(item)}`);
    const group = item.slice(0, at).trim();
    if (groups.has(group)) throw new CliError("usage", `--groups: ${quoted(group)} is given twice`);
    const members = splitMembers(item.slice(at + 1), columns);
    groups.set(group, members);
    for (const name of members) {
      // Part of an address may be its password, which only the whole address lets messages recognize.
      if (item.includes("://") && !columns.includes(name))
        throw new CliError("usage", `--groups must be NAME=COLUMN+COLUMN, got ${quoted(item)}`);
      requireModelColumn("--groups names", name, columns);
      const other = groupOf.get(name);
      if (other !== undefined)
        throw new CliError(
          "usage",
          `--groups: ${quoted(name)} stands ${other === group ? "twice" : `in ${quoted(other)} and`} in ${quoted(group)}`,
        );
      groupOf.set(name, group);
    }
    if (columns.includes(group) && groupOf.get(group) !== group)
      throw new CliError("usage", `--groups: ${quoted(group)} is the name of a column outside of it`);
  }
  return Object.fromEntries(groups); // in which "__proto__" is a name like any other
}

/** Splits names at plus signs. Names may contain a plus, so the longest column name wins; an unknown name is returned unchanged. */
function splitMembers(text: string, columns: readonly string[]): string[] {
  const parts = text.split("+");
  const members: string[] = [];
  for (let from = 0; from < parts.length; ) {
    const nameUpTo = (to: number): string => parts.slice(from, to).join("+").trim();
    let to = parts.length;
    while (to > from + 1 && !columns.includes(nameUpTo(to))) to--;
    members.push(nameUpTo(to));
    from = to;
  }
  return members;
}
