import type { CategoricalColumn } from "conformant";
import { sortLabels } from "conformant/texts";
import { mergeSpellings } from "../columns/categories.ts";
import type { TextCounts } from "../columns/column-counts.ts";
import { count, counted as number } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

/** More classes than this are a number that was taken for a label. */
const MOST_CLASSES = 1000;
/** So many rows, of which more than half have a class of their own, have no classes. */
const ENOUGH_ROWS = 20;

export interface LabelReading {
  readonly column: CategoricalColumn;
  /** Rows per class, in the order of the column's values. */
  readonly counts: readonly number[];
  /** Rows without a label, which are skipped. */
  readonly unlabeled: number;
}

/** The classes of the label column: one row or more must have one, and there must be two or more. */
export function readLabel<Cells extends CellReading>(
  source: TableSource<Cells>,
  cells: Cells,
  label: string,
  rows: number,
  counted: TextCounts | undefined,
): LabelReading {
  if (!cells.fields.has(label) || !counted)
    throw new TableError(
      "unsupported-type",
      `${quoted(source.name)}: the label ${quoted(label)} is a date or a nested value, expected classes`,
    );
  const { known } = counted;
  const counts = mergeSpellings(counted.counts);
  const where = `${quoted(source.name)}, label ${quoted(label)}`;
  if (counts.size > MOST_CLASSES) {
    throw new TableError(
      "unsupported-type",
      `${where}: expected at most ${count(MOST_CLASSES)} classes, it has more`,
      { hint: source.remedies.tooManyClasses },
    );
  }
  if (known >= ENOUGH_ROWS && counts.size > known / 2) {
    throw new TableError(
      "unsupported-type",
      `${where}: expected classes that come again and again, got ${count(counts.size)} different values in ${number(known, "row")}`,
      { hint: "is it a name, or a number to make classes of? Another column may be the label" },
    );
  }
  if (known === 0)
    throw new TableError(
      "missing-label",
      `${where}: ${number(rows, "row")} and none has a label, expected classes`,
    );
  if (counts.size < 2) {
    throw new TableError(
      "single-class",
      `${where}: expected two or more classes, got only ${quoted([...counts.keys()][0])}`,
    );
  }
  const values = sortLabels(counts.keys());
  return {
    column: { name: label, kind: "categorical", values },
    counts: values.map((value) => counts.get(value) ?? 0),
    unlabeled: rows - known,
  };
}
