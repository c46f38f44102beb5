import type { RegressionTreesJson, TreesJson } from "conformant";
import { listed, quoted } from "../source/quoted.ts";
import { type ClassifierWords, type ImportedClassifier, isTrees, refuseFile } from "./imported-classifier.ts";

/** Names for what the file of a classifier only numbers. */
export interface CountedNames {
  /** The classes, in order. */
  readonly classes?: readonly string[] | undefined;
  /** The codes of columns, in order: `column=first`, then the other values of the column. */
  readonly categories?: readonly string[] | undefined;
}

/** Trees with the given names; codes without a name are reported. */
export function nameCounted(
  { json, counted = [], ...brought }: ImportedClassifier,
  path: string,
  { classes, categories = [] }: CountedNames,
  words: ClassifierWords,
): ImportedClassifier {
  if ("output" in json && classes)
    throw refuseFile(path, `it predicts a number, and ${words.classes} names classes`);
  if (!isTrees(json)) return { json, ...brought };
  const named = namesByColumn(json, path, categories, words);
  const unnamed = counted.filter((feature) => !named.has(feature));
  const note = `the values of ${listed(unnamed)} must be the codes 0, 1, … of the file; for pandas categories, list cat.categories in order: ${words.categories} ${unnamed[0]}=A,B,…`;
  return {
    ...brought,
    json: {
      ...("output" in json ? json : nameClasses(json, path, classes, words)),
      ...(named.size > 0 && { categories: renamed(json, path, named, words) }),
    },
    notes: unnamed.length > 0 ? [...brought.notes, note] : brought.notes,
  };
}

function nameClasses(
  json: TreesJson,
  path: string,
  classes: readonly string[] | undefined,
  words: ClassifierWords,
): TreesJson {
  if (!classes) return json;
  if (classes.length !== json.classes.length)
    throw refuseFile(
      path,
      `the trees have ${json.classes.length} classes, ${words.classes} names ${classes.length}`,
    );
  return { ...json, classes };
}

/** The list by columns. An item starts a column where it begins with the name of a column with codes and an equal sign. */
function namesByColumn(
  { features, categories }: TreesJson | RegressionTreesJson,
  path: string,
  items: readonly string[],
  words: ClassifierWords,
): Map<string, string[]> {
  const coded = features.filter((_, f) => categories?.[f]);
  const found = new Map<string, string[]>();
  let names: string[] | undefined;
  for (const item of items) {
    const column = coded.find((feature) => item.startsWith(`${feature}=`));
    if (column !== undefined) {
      names = [item.slice(column.length + 1)];
      found.set(column, names);
    } else if (names) names.push(item);
    else
      throw refuseFile(
        path,
        `${words.categories} must begin with COLUMN= and a column that the trees split by codes, got ${quoted(item)}`,
        coded.length > 0 ? `these are ${listed(coded)}` : "the trees split by numbers only",
      );
  }
  return found;
}

function renamed(
  { features, categories = [] }: TreesJson | RegressionTreesJson,
  path: string,
  named: ReadonlyMap<string, readonly string[]>,
  words: ClassifierWords,
): (readonly string[] | null)[] {
  return features.map((feature, f) => {
    const codes = categories[f] ?? null;
    const names = named.get(feature);
    if (!codes || !names) return codes;
    // A file may not mention the last codes, but a name too few would shift all others.
    if (names.length < codes.length)
      throw refuseFile(
        path,
        `the trees split ${quoted(feature)} by ${codes.length} codes or more, ${words.categories} names ${names.length}`,
      );
    return names;
  });
}
