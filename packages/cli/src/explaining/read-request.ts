import type { ExplainOptions, Model, ShapleyOptions } from "conformant";
import type { Parsed } from "../arguments/command.ts";
import { readList, readNumber } from "../arguments/read-value.ts";
import { requireModelColumn } from "../arguments/unknown-column.ts";
import { CliError, quoted } from "../errors.ts";

/** What is asked of an explanation, and what is asked for beside it. */
export interface ExplainRequest extends ExplainOptions {
  readonly shapley?: Pick<ShapleyOptions, "game">;
  /** Whether to say how far from random gaps may be. */
  readonly sensitivity: boolean;
}

/** What the command line asks of an explanation, with every name checked before a row is read. */
export function readRequest(parsed: Parsed, model: Model): ExplainRequest {
  const columns = model.classifier.schema.columns.map(({ name }) => name);
  const groups = readGroups(parsed, columns);
  const names = [...columns, ...Object.keys(groups)];
  const [use, avoid] = ["use", "avoid"].map((option) => {
    const list = readList(parsed, option) ?? [];
    for (const name of list) requireModelColumn(`--${option} names`, name, names);
    return list;
  });
  const both = use.find((name) => avoid.includes(name));
  if (both !== undefined) throw new CliError("usage", `--use and --avoid both name ${quoted(both)}`);
  return {
    groups,
    use,
    avoid,
    timeLimit: 1000 * readNumber(parsed, "time-limit", 1, 0),
    sensitivity: parsed.flag("sensitivity"),
    ...readAtLeast(parsed),
    ...readShapley(parsed),
  };
}

/** `--groups "bill=bill_length+bill_depth,…"`: columns that come and go together. */
function readGroups(parsed: Parsed, columns: readonly string[]): Record<string, string[]> {
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

function readShapley(parsed: Parsed): Pick<ExplainRequest, "shapley"> {
  const game = parsed.flag("interventional") ? "interventional" : "conditional";
  if (parsed.flag("shapley")) return { shapley: { game } };
  if (game === "interventional")
    throw new CliError("usage", "--interventional is of --shapley, which is not given");
  return {};
}

function readAtLeast(parsed: Parsed): Pick<ExplainOptions, "atLeast"> {
  if (parsed.text("at-least") === undefined) return {};
  const atLeast = Number(parsed.text("at-least"));
  if (atLeast > 0 && atLeast < 1) return { atLeast };
  throw new CliError(
    "usage",
    `--at-least must be a probability between 0 and 1, got ${quoted(parsed.text("at-least") ?? "")}`,
  );
}
