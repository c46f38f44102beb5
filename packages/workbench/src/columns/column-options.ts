import { MISSING_TEXTS, type NumberStyle } from "conformant/texts";
import type { TableSource } from "../source/table-source.ts";

/** What a column can be said to be. */
export type AskedKind = "numeric" | "binary" | "categorical";

/** What a person says about columns. */
export interface ColumnOptions {
  /** Those to use, where not all. */
  readonly columns: readonly string[] | undefined;
  readonly exclude: readonly string[];
  /** Columns that only help to tell what is missing: their names, or all that are not used otherwise. */
  readonly also?: readonly string[] | "all" | undefined;
  /** The column whose rows with the same value, as of one patient, are held out together; it is no input. */
  readonly group?: string | undefined;
  readonly types: ReadonlyMap<string, AskedKind>;
  /** The mark before the fraction of numbers in texts, where it is said. */
  readonly decimal?: NumberStyle["decimal"] | undefined;
}

/** The columns that come into question for a classifier, in order: those asked for, or all but the label and what is set apart. */
export function ownColumns(
  { columns: found }: Pick<TableSource, "columns">,
  { columns, exclude, also, group }: ColumnOptions,
  label: string | undefined,
): string[] {
  const beside = columns === undefined && also !== "all" ? (also ?? []) : [];
  const apart = new Set([label, group, ...exclude, ...beside]);
  return (columns ?? found.map(({ name }) => name)).filter((name) => !apart.has(name));
}

/**
 * The columns that only help to tell what is missing, in order.
 *
 * @param used columns of the source that the classifier uses
 */
export function alsoColumns(
  { columns }: Pick<TableSource, "columns">,
  { also = [], exclude, group }: ColumnOptions,
  used: readonly string[],
  label: string | undefined,
): string[] {
  if (also !== "all") return [...new Set(also)];
  const apart = new Set([label, group, ...exclude, ...used]);
  return columns.map(({ name }) => name).filter((name) => !apart.has(name));
}

/** Whether a column is asked for by its name. */
export function isNamed({ columns, also = [] }: ColumnOptions, name: string): boolean {
  return (columns?.includes(name) ?? false) || (also !== "all" && also.includes(name));
}

/** How the texts of the training data were read; later files are read alike unless options say otherwise. */
export interface StoredReading {
  /** Texts that stand for a missing value, where they are not the usual ones. */
  readonly missing?: readonly string[];
  /** Texts that stand for a missing value in one column. */
  readonly missingIn?: Readonly<Record<string, readonly string[]>>;
  /** The decimal mark that was given. */
  readonly decimal?: NumberStyle["decimal"];
  /** Columns whose texts are amounts, grouped numbers or dates. */
  readonly styles?: Readonly<Record<string, NumberStyle>>;
}

/** The usual texts for a missing value, or those that were stored with a model, and others that a person added. */
export function missingTexts(
  { missing = MISSING_TEXTS }: StoredReading = {},
  added: readonly string[] = [],
): string[] {
  return [...new Set([...missing, ...added])];
}
