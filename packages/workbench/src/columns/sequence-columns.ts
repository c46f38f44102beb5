import type { TextCounts } from "../counting/column-counts.ts";
import type { TextScreen } from "../counting/text-screen.ts";
import { positionName } from "../source/positions.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import { type ChosenColumn, categoryColumn } from "./chosen-column.ts";

/** Texts of one length in this range, of letters only and of few different ones, are sequences: DNA, proteins. */
const [SHORTEST, LONGEST, MOST_LETTERS] = [8, 1000, 26];

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
