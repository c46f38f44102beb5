import type { NumberStyle } from "conformant/texts";
import type { AskedKind, ColumnOptions } from "conformant-workbench";
import { CliError, listed, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import { closest } from "./closest.ts";
import type { Parsed } from "./command.ts";
import { readList } from "./read-value.ts";

/** Options about columns. */
export interface CommandColumns extends ColumnOptions {
  /** Names for the classes of a classifier that numbers them. */
  readonly classes?: readonly string[] | undefined;
  /** Names for the codes of columns, each list after `column=`, for a classifier that numbers them. */
  readonly categories?: readonly string[] | undefined;
}

export function readColumnOptions(parsed: Parsed): CommandColumns {
  const types = new Map<string, AskedKind>();
  for (const item of readList(parsed, "type") ?? []) {
    const at = item.lastIndexOf("=");
    const kind = item.slice(at + 1);
    if (at <= 0 || !["numeric", "binary", "categorical"].includes(kind)) {
      throw new CliError(
        "usage",
        `--type must be COLUMN=numeric, binary or categorical, got ${quoted(item)}`,
      );
    }
    types.set(item.slice(0, at), kind as AskedKind);
  }
  return {
    columns: readList(parsed, "columns"),
    exclude: readList(parsed, "exclude") ?? [],
    also: parsed.text("also") === "all" ? "all" : readList(parsed, "also"),
    types,
    group: parsed.text("group"),
    decimal: readDecimal(parsed),
    classes: readList(parsed, "classes"),
    categories: readList(parsed, "categories"),
  };
}

/** All columns that the options name. */
export function namesIn({ columns, exclude, also, types, group }: ColumnOptions): string[] {
  return [
    ...(columns ?? []),
    ...exclude,
    ...(group === undefined ? [] : [group]),
    ...(also === "all" ? [] : (also ?? [])),
    ...types.keys(),
  ];
}

/** The value of --decimal. */
export function readDecimal(parsed: Parsed): NumberStyle["decimal"] | undefined {
  return parsed.text("decimal") as NumberStyle["decimal"] | undefined;
}

/** Throws unless the source has a column of this name; `who` names it in the message. */
export function requireColumn(connector: Connector, who: string, name: string): void {
  const names = connector.columns.map((column) => column.name);
  if (names.includes(name)) return;
  const near = closest(name, names);
  throw new CliError(
    "unknown-column",
    `${who} names ${quoted(name)}, but ${quoted(connector.name)} has ${names.length > 0 ? `only ${listed(names)}` : "no column"}`,
    {
      hint: near && `did you mean ${quoted(near)}?`,
    },
  );
}

/** Throws for a column that the source lacks, or that options name for two purposes. */
export function requireNamed(connector: Connector, options: ColumnOptions, label: string): void {
  const { columns, exclude, also, types, group } = options;
  for (const name of columns ?? []) requireColumn(connector, "--columns", name);
  for (const name of exclude) requireColumn(connector, "--exclude", name);
  for (const name of types.keys()) requireColumn(connector, "--type", name);
  if (group !== undefined) requireColumn(connector, "--group", group);
  const role =
    group === label
      ? "which is the label"
      : columns?.includes(group ?? "") && "which --columns makes an input";
  if (group !== undefined && role) throw new CliError("usage", `--group names ${quoted(group)}, ${role}`);
  if (also === "all" && columns === undefined)
    throw new CliError("usage", "--also all requires --columns with the columns that the classifier uses");
  requireBeside(connector, options, columns ?? [], label);
}

/** Throws for a column of --also that the source lacks, or that has another role already. */
export function requireBeside(
  connector: Connector,
  { also = [], exclude, group }: ColumnOptions,
  used: readonly string[],
  label?: string,
): void {
  if (also === "all") return;
  for (const name of also) {
    requireColumn(connector, "--also", name);
    const why = used.includes(name)
      ? "which the classifier uses"
      : exclude.includes(name)
        ? "which --exclude leaves out"
        : name === label
          ? "which is the label"
          : name === group && "which --group names";
    if (why) throw new CliError("usage", `--also names ${quoted(name)}, ${why}`);
  }
}
