import { expect, it } from "vitest";
import { chooseMixture, defaultChoice } from "../../src/mixture/choose-mixture.ts";
import type { Candidate, Comparison } from "../../src/mixture/score-candidate.ts";
import type { Threads } from "../../src/threads/threads.ts";

const ROWS = 8;
/** Two folds and enough rows for any size; the test says how well candidates do. */
const fold = {
  train: { rows: { length: 1e7 }, table: { columns: [0] } },
  held: { rows: [0], weights: [1] },
  masked: { hidden: { rows: ROWS / 2 } },
};
const comparison = {
  fittedRows: 1e6,
  kinds: [{ gaussianColumns: [] }],
  folds: [fold, fold],
  weights: new Float64Array(ROWS).fill(1),
  masks: 1,
} as unknown as Comparison;

/** The sizes that are tried where each doubling leaves a share of the loss. */
function sizesTried(left: (components: number) => number): number[] {
  const sizes: number[] = [];
  let loss = 1;
  const threads: Threads = {
    share: (data) => data,
    run: (_, { given, count, numbers }) => {
      const [{ components, fold }] = given as readonly Candidate[];
      if (fold === 0) {
        sizes.push(components);
        loss *= components === 1 ? 1 : left(components);
      }
      return new Float64Array(count * numbers).fill(loss);
    },
  };
  chooseMixture(comparison, defaultChoice, undefined, { threads });
  return sizes;
}

it("goes on to 64 components while sizes gain something, and to 128 where the last has gained clearly", () => {
  expect(sizesTried(() => 0.99)).toEqual([1, 2, 4, 8, 16, 32, 64]);
  expect(sizesTried(() => 0.95)).toEqual([1, 2, 4, 8, 16, 32, 64, 128]);
  expect(sizesTried((components) => (components < 64 ? 0.9 : 0.99))).toEqual([1, 2, 4, 8, 16, 32, 64]);
});

it("ends after two sizes in a row that gain next to nothing", () => {
  expect(sizesTried((components) => (components <= 4 ? 0.9 : 1))).toEqual([1, 2, 4, 8, 16]);
});
