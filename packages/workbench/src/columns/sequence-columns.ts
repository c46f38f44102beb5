import type { Column } from "conformant";
import { positionName, positionOf } from "../source/positions.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import type { TextCounts, TextScreen } from "./column-counts.ts";
import { type ChosenColumn, categoryColumn } from "./column-decision.ts";

/** Texts of one length in this range, of letters only and of few different ones, are sequences: DNA, proteins. */
const [SHORTEST, LONGEST, MOST_LETTERS] = [8, 1000, 26];
/** A text column with no more values than this is one of categories. */
export const MOST_CATEGORIES = 1000;

/**
 * A column of sequences becomes one categorical column per position, `name[1]`, `name[2]`, …; undefined where it is none.
 * A position that has the same letter in every row is left out.
 */
export async function sequenceColumns<Cells extends CellReading>(
  source: TableSource<Cells>,
  { name, shortest, longest }: TextScreen,
): Promise<ChosenColumn[] | undefined> {
  if (shortest !== longest || longest < SHORTEST || longest > LONGEST) return undefined;
  const names = Array.from({ length: longest }, (_, p) => positionName(name, p + 1));
  const { columns } = await source.count(source.cells(names, { gaps: [] }), names, 1);
  const counted = names.map((position) => ({ position, counts: columns.get(position) as TextCounts }));
  if (
    counted.some(
      ({ counts }) =>
        counts.counts.size > MOST_LETTERS ||
        [...counts.counts.keys()].some((letter) => !/^\p{Letter}$/u.test(letter)),
    )
  )
    return undefined;
  const chosen = counted
    .filter(({ counts }) => counts.counts.size > 1)
    .map(({ position, counts }) => categoryColumn(position, counts));
  return chosen.length > 0 ? chosen : undefined;
}

/**
 * The sequences that columns of a model are positions of, by the names of the columns. A table may have columns `x[1]`, `x[2]`, … of its
 * own; what {@link sequenceColumns} made are letters, of which more texts can be put together than a column of categories has.
 */
export function sequencesOf(columns: readonly Column[]): ReadonlyMap<string, string> {
  const taken = new Set(columns.map(({ name }) => name));
  const positions = columns.flatMap((column) => {
    const sequence = positionOf(column.name)?.sequence;
    return sequence === undefined || taken.has(sequence) ? [] : [{ column, sequence }];
  });
  const texts = new Map<string, number>();
  for (const { column, sequence } of positions)
    texts.set(sequence, (texts.get(sequence) ?? 1) * lettersOf(column));
  return new Map(
    positions.flatMap(({ column, sequence }) =>
      (texts.get(sequence) ?? 0) > MOST_CATEGORIES ? [[column.name, sequence]] : [],
    ),
  );
}

/** How many letters a position has; none where it is no position of a sequence. */
function lettersOf(column: Column): number {
  if (column.kind !== "categorical") return 0;
  return column.values.every((value) => /^\p{Letter}$/u.test(value)) ? column.values.length : 0;
}
