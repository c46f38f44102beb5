import { expect, it } from "vitest";
import { chooseComponents, defaultChoice } from "../../../src/conform/choosing/choose-components.ts";
import type { Judge } from "../../../src/conform/choosing/judge.ts";

const ROWS = 8;
/** One fold and enough rows for any size; what it would judge is said by the test. */
const judge = {
  fittedRows: 1e6,
  folds: [{ held: { rows: [0], weights: [1] } }],
  weights: new Float64Array(ROWS).fill(1),
} as unknown as Judge;

/** The sizes that are tried where each doubling leaves a share of the loss. */
function sizesTried(left: (components: number) => number): number[] {
  const search = chooseComponents({ ...judge, weights: new Float64Array(ROWS).fill(1) }, defaultChoice, [
    {} as never,
  ]);
  const sizes: number[] = [];
  let loss = 1;
  for (let step = search.next(); !step.done; ) {
    const [{ components }] = step.value.trials;
    sizes.push(components);
    loss *= components === 1 ? 1 : left(components);
    step = search.next([
      { losses: new Float64Array(ROWS).fill(loss), logLikelihood: 0, parameters: components },
    ]);
  }
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
