import type { Classifier, Table } from "conformant";
import { random } from "conformant";
import { slotOffsets } from "conformant/remote";
import { classifyImputed, type Imputer } from "conformant-workbench/baselines";
import { atRates, type RowMethod } from "./method.ts";

/**
 * The imputers of Q1 as the program the authors called (the Python package impyute) runs them, on the test rows with their gaps.
 * Both look at the gap's own column alone.
 */
function emulated(
  name: string,
  label: string,
  fillWith: (mean: number, deviation: number, normal: () => number) => number,
): RowMethod {
  return {
    name,
    label,
    applies: (protocol, missing) => protocol.split === "authors" && atRates(protocol, missing),
    fit:
      ({ classifier }) =>
      (rows, seed) => {
        const { normal } = random(seed);
        const slots = slotMoments(classifier, rows);
        const imputer: Imputer = {
          method: "em",
          schema: classifier.schema,
          fill: (cells, count) => {
            for (let at = 0; at < count * slots.length; at++) {
              const { mean, deviation } = slots[at % slots.length];
              if (Number.isNaN(cells[at])) cells[at] = fillWith(mean, deviation, normal);
            }
          },
        };
        return classifyImputed(classifier, imputer, rows).probabilities;
      },
  };
}

/** What is called EM there draws each gap from a normal distribution with the mean and deviation of its column. */
export const authorsEm = emulated(
  "authors_em",
  "EM as the authors ran it",
  (mean, deviation, normal) => mean + deviation * normal(),
);

/** What is called MICE there starts from the means, and its loop "while all have converged" is never entered. */
export const authorsMice = emulated("authors_mice", "MICE as the authors ran it", (mean) => mean);

/** Mean and deviation of each slot over the rows in which it is known. */
function slotMoments({ schema }: Classifier, rows: Table): { mean: number; deviation: number }[] {
  const offsets = slotOffsets(schema);
  return schema.columns.flatMap((column, i) => {
    const cells = rows.columns[rows.schema.columns.findIndex(({ name }) => name === column.name)];
    let known = 0;
    for (let r = 0; r < rows.rows; r++) if (cells[r] >= 0) known++;
    return Array.from({ length: offsets[i + 1] - offsets[i] }, (_, slot) => {
      const value = column.kind === "binary" ? 1 : slot;
      let hits = 0;
      for (let r = 0; r < rows.rows; r++) if (cells[r] === value) hits++;
      const mean = hits / known;
      return { mean, deviation: Math.sqrt(mean * (1 - mean)) };
    });
  });
}
