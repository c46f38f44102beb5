import type { Column, ColumnMarginal } from "conformant";
import { sortLabels } from "conformant/texts";
import { mergeSpellings } from "./categories.ts";
import type { NumberCounts, TextCounts } from "./column-counts.ts";
import type { ColumnNote, NoteKind } from "./column-notes.ts";

/** What became of a column of the source: columns of the model, or left out and why. */
export interface ColumnDecision {
  readonly name: string;
  readonly chosen: readonly ChosenColumn[];
  readonly leftOut?: string;
  /** What the reason for leaving it out is about. */
  readonly about?: NoteKind;
  /** What a person may not expect. */
  readonly notes?: readonly ColumnNote[] | undefined;
  /** Texts that are read as missing in this column alone. */
  readonly gaps?: readonly string[] | undefined;
}

/** A column of the model and what was counted of it. */
export interface ChosenColumn {
  readonly column: Column;
  readonly known: number;
  /** Numbers: the least and the largest. */
  readonly range?: readonly [number, number];
  readonly marginal: ColumnMarginal;
}

/** A column of categories, those that are one in several spellings taken together. */
export function categoryColumn(name: string, texts: TextCounts): ChosenColumn {
  return spelledColumn(name, { ...texts, counts: mergeSpellings(texts.counts) });
}

/** A column of categories in the spelling that they have. */
export function spelledColumn(name: string, { known, counts }: TextCounts): ChosenColumn {
  const values = sortLabels(counts.keys());
  return {
    column: { name, kind: "categorical", values },
    known,
    marginal: { kind: "discrete", counts: Float64Array.from(values, (value) => counts.get(value) ?? 0) },
  };
}

/** A column of numbers, or of 0 and 1. */
export function numberColumn(
  name: string,
  { known, least, most, marginal }: NumberCounts,
  bits: boolean,
): ChosenColumn {
  const range = [least, most] as const;
  if (!bits) return { column: { name, kind: "numeric" }, known, range, marginal };
  const counts = new Float64Array(2);
  marginal.values.forEach((value, j) => {
    counts[value] = marginal.counts[j];
  });
  return { column: { name, kind: "binary" }, known, range, marginal: { kind: "discrete", counts } };
}
