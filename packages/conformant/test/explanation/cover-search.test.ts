import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CoverRelaxation } from "../../src/explanation/cover-relaxation.ts";
import { CoverSearch, priceItems } from "../../src/explanation/cover-search.ts";

/** Small covering problems with many ties: gains and needs are multiples of ¼. */
const covers = fc
  .integer({ min: 0, max: 9 })
  .chain((items) =>
    fc.record({
      items: fc.constant(items),
      gains: fc.array(
        fc
          .array(fc.integer({ min: -6, max: 10 }), { minLength: items, maxLength: items })
          .map((row) => Float64Array.from(row, (x) => x / 4)),
        { minLength: 1, maxLength: 4 },
      ),
      need: fc.array(fc.integer({ min: -8, max: 24 }), { minLength: 4, maxLength: 4 }),
    }),
  )
  .map(({ items, gains, need }) => ({ items, gains, needs: gains.map((_, r) => need[r] / 4) }));

type Problem = typeof covers extends fc.Arbitrary<infer T> ? T : never;

function accepts({ gains, needs }: Problem, chosen: readonly number[]): boolean {
  return gains.every((row, r) => chosen.reduce((sum, j) => sum + row[j], 0) >= needs[r]);
}

function smallest(problem: Problem): number {
  let best = Number.POSITIVE_INFINITY;
  for (let mask = 0; mask < 2 ** problem.items; mask++) {
    const chosen = Array.from({ length: problem.items }, (_, j) => j).filter((j) => (mask >> j) & 1);
    if (chosen.length < best && accepts(problem, chosen)) best = chosen.length;
  }
  return best;
}

describe("a covering problem", () => {
  it("is solved to the smallest size, or proved to have no solution", () => {
    fc.assert(
      fc.property(covers, (problem) => {
        const { chosen, lowerBound } = new CoverSearch({
          cover: problem,
          accepts: (items) => accepts(problem, items),
          cut: () => undefined,
          late: () => false,
        }).run();
        const size = smallest(problem);
        expect(lowerBound).toBe(size);
        expect(chosen?.length ?? Number.POSITIVE_INFINITY).toBe(size);
        if (chosen) expect(accepts(problem, chosen)).toBe(true);
      }),
      { numRuns: 2000, seed: 1 },
    );
  });

  it("has a relaxation whose prices bound every solution from below, also with items fixed and rows added", () => {
    fc.assert(
      fc.property(
        covers,
        fc.array(fc.tuple(fc.nat(8), fc.constantFrom(0, 1)), { maxLength: 3 }),
        (problem, fixes) => {
          const [first, ...rest] = problem.gains.map((gains, r) => ({ gains, need: problem.needs[r] }));
          const relaxation = new CoverRelaxation({
            items: problem.items,
            gains: [first.gains],
            needs: [first.need],
          });
          relaxation.solve();
          for (const { gains, need } of rest) relaxation.addRow(gains, need);
          const fixed = fixes.filter(
            ([j], i) => j < problem.items && fixes.findIndex(([other]) => other === j) === i,
          );
          for (const [j, at] of fixed) relaxation.fix(j, at as 0 | 1);
          const { bound } = priceItems(problem.gains, problem.needs, relaxation.solve(), relaxation);
          let best = Number.POSITIVE_INFINITY;
          for (let mask = 0; mask < 2 ** problem.items; mask++) {
            const chosen = Array.from({ length: problem.items }, (_, j) => j).filter((j) => (mask >> j) & 1);
            if (fixed.every(([j, at]) => ((mask >> j) & 1) === at) && accepts(problem, chosen))
              best = Math.min(best, chosen.length);
          }
          expect(bound).toBeLessThanOrEqual(best + 1e-7);
          const x = relaxation.items();
          // Where a solution exists the relaxation has one too, and it satisfies the rows.
          if (best < Number.POSITIVE_INFINITY) {
            for (const [r, row] of problem.gains.entries())
              expect(row.reduce((sum, gain, j) => sum + gain * x[j], 0)).toBeGreaterThanOrEqual(
                problem.needs[r] - 1e-7,
              );
            expect(Math.abs(x.reduce((sum, share) => sum + share, 0) - bound)).toBeLessThan(1e-7);
          }
        },
      ),
      { numRuns: 2000, seed: 2 },
    );
  });
});
