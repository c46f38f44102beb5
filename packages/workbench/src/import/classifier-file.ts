import { withSequences } from "../source/positions.ts";
import type { TableColumn } from "../source/table-source.ts";
import {
  type ImportedClassifier,
  MOST_BYTES,
  type ReadingContext,
  refuseFile,
} from "./imported-classifier.ts";
import { type CountedNames, nameCounted } from "./name-counted.ts";
import { formatOf, parseClassifier } from "./parse-classifier.ts";

/** The file of an existing classifier, read once. */
export interface ClassifierFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /**
   * Names by which the header of a table is recognized: features, what precedes their equal signs, and the sequences whose positions they
   * are.
   */
  readonly names: readonly string[];
  /** The classifier for a source with these columns. */
  readonly on: (columns: readonly TableColumn[]) => ImportedClassifier;
}

/** Options for the file. */
export interface OpeningOptions extends Omit<ReadingContext, "path" | "columns">, CountedNames {}

/** Rejects a file that is too large for a classifier, before it is read. */
export function refuseLarge(path: string, size: number): void {
  if (size > MOST_BYTES)
    throw refuseFile(path, `a classifier may have ${MOST_BYTES / 2 ** 20} MiB, the file has ${size} bytes`);
}

/** Opens the file. The names in a table of coefficients depend on the columns of the data; everything else is read at once. */
export function openClassifier(
  path: string,
  bytes: Uint8Array,
  { classes, categories, ...context }: OpeningOptions,
): ClassifierFile {
  const on = (columns: readonly TableColumn[]): ImportedClassifier => {
    const parsed = parseClassifier(bytes, { path, columns, ...context });
    return nameCounted(parsed, path, { classes, categories }, context.words);
  };
  if (formatOf(path, bytes) === "table") return { path, bytes, names: [], on };
  const brought = on([]);
  return { path, bytes, names: headerNames(brought.json.features), on: () => brought };
}

function headerNames(features: readonly string[]): string[] {
  return withSequences(features.flatMap((feature) => [feature, ...parents(feature)]));
}

function parents(feature: string): string[] {
  const found: string[] = [];
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1))
    found.push(feature.slice(0, at));
  return found;
}
