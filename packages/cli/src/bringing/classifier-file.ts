import { withSequences } from "../sql/fields.ts";
import type { SourceColumn } from "../sql/source-column.ts";
import type { BroughtClassifier, ReadingContext } from "./brought-classifier.ts";
import { type CountedNames, nameCounted } from "./name-counted.ts";
import { formatOf, parseClassifier, readBytes } from "./read-classifier-file.ts";

/** The file of a classifier that was trained elsewhere, read once. */
export interface ClassifierFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Names that tell the header of a table: the features, what stands before their equal signs, and the sequences they are positions of. */
  readonly names: readonly string[];
  /** The classifier that it is for a source of these columns. */
  readonly on: (columns: readonly SourceColumn[]) => BroughtClassifier;
}

/** What the command line says about it. */
export interface OpeningOptions extends Pick<ReadingContext, "names">, CountedNames {}

/** Reads the file. What the names in a table of coefficients mean depends on the columns, all else is known at once. */
export function openClassifier(path: string, { names, ...counted }: OpeningOptions): ClassifierFile {
  const bytes = readBytes(path);
  const on = (columns: readonly SourceColumn[]): BroughtClassifier =>
    nameCounted(parseClassifier(bytes, { path, columns, names }), path, counted);
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
