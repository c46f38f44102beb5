import loadHighs from "highs";

/** Chooses as few items as possible so that every row's gains add up to its need. */
export interface CoverProblem {
  /** rows × items. */
  readonly gains: readonly (readonly number[])[];
  readonly needs: readonly number[];
}

const solver = loadHighs();

/** The size of a smallest cover by the integer programming solver HiGHS; undefined if there is none. */
export async function smallestCover({ gains, needs }: CoverProblem): Promise<number | undefined> {
  const highs = await solver;
  const items = gains[0].map((_, j) => `x${j}`);
  const sum = (row: readonly number[]): string =>
    row.map((gain, j) => `${gain < 0 ? "-" : "+"} ${Math.abs(gain).toFixed(12)} ${items[j]}`).join("\n");
  const rows = gains.map((row, r) => `r${r}: ${sum(row)} >= ${needs[r].toFixed(12)}`);
  const program = `Minimize\n obj: ${items.join(" + ")}\nSubject To\n${rows.join("\n")}\nBinary\n${items.join("\n")}\nEnd`;
  const { Status, ObjectiveValue } = highs.solve(program, { mip_rel_gap: 0 });
  return Status === "Optimal" ? Math.round(ObjectiveValue) : undefined;
}
