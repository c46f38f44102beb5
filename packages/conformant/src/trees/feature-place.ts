import { ConformantError, show, showNames } from "../errors.ts";
import type { Column } from "../schema/column.ts";

/** Where a feature stands in the data. */
export interface FeaturePlace {
  readonly column: Column;
  /** The value that a one-hot bit stands for. */
  readonly bit?: string;
  /** The categories in the order of the codes that sets are made of. */
  readonly categories?: readonly string[];
}

/**
 * Finds a feature among the columns: a column itself, or `column=value` for a bit of a categorical one.
 *
 * @param categories the names of the codes, where the feature is split by sets of them
 * @param asked whether any tree looks at it: one that none looks at is not missed
 */
export function placeOf(
  name: string,
  columns: readonly Column[],
  { categories, asked }: { readonly categories: readonly string[] | null; readonly asked: boolean },
): FeaturePlace | undefined {
  const whole = columns.find((column) => column.name === name);
  if (whole && (whole.kind !== "categorical" || categories))
    return { column: whole, ...(categories && { categories }) };
  for (let at = name.indexOf("="); at > 0; at = name.indexOf("=", at + 1)) {
    const column = columns.find((other) => other.name === name.slice(0, at));
    if (column?.kind === "categorical") return { column, bit: name.slice(at + 1) };
  }
  if (!asked) return undefined;
  const message = whole
    ? `the trees compare ${show(name)} with numbers, but the column is categorical`
    : `the trees ask about ${show(name)}, but the data has only ${showNames(columns.map((column) => column.name))}`;
  throw new ConformantError("unknown-column", message, { argument: "trees.features", column: name });
}

/** A categorical column also has the values that only the trees know. */
export function withOwnValues(column: Column, places: readonly (FeaturePlace | undefined)[]): Column {
  if (column.kind !== "categorical") return column;
  const named = places.flatMap((place) =>
    place?.column === column
      ? [...(place.bit === undefined ? [] : [place.bit]), ...(place.categories ?? [])]
      : [],
  );
  return { ...column, values: [...new Set([...column.values, ...named])] };
}
