import { withSequences } from "../sql/fields.ts";
import { readClassifierFile } from "./read-classifier-file.ts";

/**
 * The names in a classifier, which tell the header of a table: its features, what stands before their equal signs, and the
 * sequences that these are positions of. A file that cannot be read without the table is reported where it is needed.
 */
export function featureNames(path: string, names: readonly string[] | undefined): string[] {
  try {
    const { json } = readClassifierFile({ path, columns: [], names, classes: undefined });
    return withSequences(json.features.flatMap((feature) => [feature, ...parents(feature)]));
  } catch {
    return [];
  }
}

function parents(feature: string): string[] {
  const found: string[] = [];
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1))
    found.push(feature.slice(0, at));
  return found;
}
