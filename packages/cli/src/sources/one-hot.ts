import type { FitReport } from "conformant-workbench";
import type { ClassifierFile } from "conformant-workbench/import";
import { namedColumnSql, type SourceColumn } from "conformant-workbench/sql";
import { CliError, listed, quoted } from "../errors.ts";
import { type Connector, queryRow } from "./connector.ts";

/** What separates the column from the value in the name of a one-hot column: `contract_Two year`, `contract=Two year`. */
const SEPARATOR = /^[_=.](?=.)/;

/** How a 1 and a 0 are written, in lower case; pandas writes True and False. */
const [ONES, ZEROS] = [
  ["1", "1.0", "true", "t"],
  ["0", "0.0", "false", "f"],
];

interface OneHotGroup {
  readonly name: string;
  readonly bits: readonly { readonly column: string; readonly value: string }[];
}

/**
 * A query that reads each group of 0/1 columns as one column. A row without a 1 has a missing value there: `get_dummies` of pandas writes
 * missing values so. Undefined where the source has the named columns themselves.
 *
 * @param from the source in a query
 * @param missing texts that mean missing
 */
export async function oneHotQuery(
  connector: Connector,
  names: readonly string[],
  from: string,
  missing: readonly string[],
): Promise<string | undefined> {
  const groups = names.flatMap((name) => findGroup(connector, name));
  if (groups.length === 0) return undefined;
  for (const group of groups) await requireOneHot(connector, group, missing);
  const { dialect } = connector;
  const bits = new Set(groups.flatMap((group) => group.bits.map(({ column }) => column)));
  const others = connector.columns.flatMap(({ name }) => (bits.has(name) ? [] : [dialect.identifier(name)]));
  const values = groups.map(({ name, bits: own }) => {
    const cases = own.map(
      ({ column, value }) =>
        `WHEN ${isOneOf(connector, dialect.identifier(column), ONES)} THEN ${dialect.literal(value)}`,
    );
    return `CASE ${cases.join(" ")} ELSE NULL END AS ${dialect.identifier(name)}`;
  });
  return `SELECT ${[...others, ...values].join(", ")} FROM ${from}`;
}

/** The columns of a group: those with its name, a separator and a value. */
function findGroup({ columns, name: source }: Connector, name: string): OneHotGroup[] {
  if (columns.some((column) => column.name === name)) return [];
  const bits = columns.flatMap(({ name: column }: SourceColumn) =>
    column.startsWith(name) && SEPARATOR.test(column.slice(name.length))
      ? [{ column, value: column.slice(name.length + 1) }]
      : [],
  );
  if (bits.length >= 2) return [{ name, bits }];
  const names = listed(columns.map((column) => column.name));
  throw new CliError(
    "unknown-column",
    `--one-hot requires two or more columns ${quoted(`${name}_VALUE`)}, but ${quoted(source)} has only ${names}`,
  );
}

/** Throws unless the columns of a group are 0 and 1, at most one of them 1 in each row. */
async function requireOneHot(
  connector: Connector,
  { name, bits }: OneHotGroup,
  missing: readonly string[],
): Promise<void> {
  const expressions = bits.map(({ column }) => namedColumnSql(connector, column));
  const ones = expressions.map((bit) => `CASE WHEN ${isOneOf(connector, bit, ONES)} THEN 1 ELSE 0 END`);
  const known = [...ONES, ...ZEROS, "", ...missing.map((text) => text.toLowerCase())];
  const others = expressions.map(
    (bit) => `sum(CASE WHEN NOT (${isOneOf(connector, bit, known)}) THEN 1 ELSE 0 END)`,
  );
  const [several, ...counts] = await queryRow(
    connector,
    `SELECT ${[`sum(CASE WHEN ${ones.join(" + ")} > 1 THEN 1 ELSE 0 END)`, ...others].map(connector.dialect.text).join(", ")} FROM ${connector.relation()}`,
    bits.length + 1,
  );
  const where = `--one-hot ${quoted(name)}: ${quoted(connector.name)}`;
  const wrong = bits.find((_, b) => Number(counts[b] ?? 0) > 0);
  if (wrong)
    throw new CliError(
      "invalid-value",
      `${where}, column ${quoted(wrong.column)} has values other than 0 and 1`,
    );
  if (Number(several ?? 0) > 0)
    throw new CliError(
      "invalid-value",
      `${where} has ${several} rows with more than one 1, expected at most one`,
    );
}

function isOneOf({ dialect }: Connector, expression: string, texts: readonly string[]): string {
  return `lower(${dialect.trim(dialect.text(expression))}) IN (${[...new Set(texts)].map(dialect.literal).join(", ")})`;
}

/** Renames the classifier's one-hot features to `column=value`, which makes them values of one column. */
export function renameOneHot(file: ClassifierFile, names: readonly string[]): ClassifierFile {
  if (names.length === 0) return file;
  return {
    ...file,
    names: [...file.names, ...names],
    on: (columns) => {
      const { json, guessed, ...rest } = file.on(columns);
      const rename = (feature: string): string => {
        if (columns.some(({ name }) => name === feature)) return feature;
        const name = names.find(
          (own) => feature.startsWith(own) && SEPARATOR.test(feature.slice(own.length)),
        );
        if (name === undefined) return feature;
        const value = feature.slice(name.length + 1);
        // A coefficient `contract_Two year` of a table is read as the value `_Two year`.
        return `${name}=${guessed?.has(feature) ? value.replace(SEPARATOR, "") : value}`;
      };
      return {
        ...rest,
        json: { ...json, features: json.features.map(rename) },
        ...(guessed && { guessed: new Map([...guessed].map(([feature, own]) => [rename(feature), own])) }),
      };
    },
  };
}

/** Columns whose shares of ones add up to 1 within this tolerance count as a one-hot group; single bits may be missing. */
const NEARLY = 0.01;

/** Groups of columns that look like a one-hot encoding: 0/1 columns of one prefix whose shares of ones add up to 1. */
export function findOneHotGroups(
  chosen: FitReport["reading"]["chosen"],
): { readonly name: string; readonly columns: readonly string[] }[] {
  const groups = new Map<string, { columns: string[]; share: number; isBinary: boolean }>();
  for (const { column, known, marginal } of chosen) {
    const ones = column.kind === "binary" && marginal.kind === "discrete" ? marginal.counts[1] : undefined;
    for (let at = 1; at < column.name.length - 1; at++) {
      if (!SEPARATOR.test(column.name.slice(at))) continue;
      const name = column.name.slice(0, at);
      const group = groups.get(name) ?? { columns: [], share: 0, isBinary: true };
      groups.set(name, {
        columns: [...group.columns, column.name],
        share: group.share + (ones ?? 0) / Math.max(1, known),
        isBinary: group.isBinary && ones !== undefined,
      });
    }
  }
  const found = [...groups].flatMap(([name, { columns, share, isBinary }]) =>
    isBinary && columns.length >= 2 && Math.abs(share - 1) <= NEARLY ? [{ name, columns }] : [],
  );
  // Of two names for the same columns, the longer: `phone.type`, not `phone`.
  return found.filter(
    ({ name, columns }) =>
      !found.some((other) => other.name.length > name.length && other.columns.join() === columns.join()),
  );
}
