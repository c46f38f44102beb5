import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantileBins } from "../../src/schema/quantile-bins.ts";

/** Values and how often each occurs: some heavy, some of weight 0. */
const counted = fc
  .array(
    fc.tuple(
      fc.integer({ min: -300, max: 300 }),
      fc.oneof(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0.01, max: 9, noNaN: true }),
      ),
    ),
    { minLength: 1, maxLength: 120 },
  )
  .map((pairs) => [...new Map(pairs)].sort(([a], [b]) => a - b));

const binsOf = (pairs: readonly (readonly [number, number])[], bins: number) =>
  quantileBins(
    Float64Array.from(pairs, ([value]) => value),
    Float64Array.from(pairs, ([, weight]) => weight),
    bins,
  );

describe("quantile bins", () => {
  it("are no more than asked for, and hold the weight and the mean of the values between their edges", () => {
    fc.assert(
      fc.property(counted, fc.integer({ min: 1, max: 40 }), (pairs, bins) => {
        const { values, edges, counts } = binsOf(pairs, bins);
        expect(counts.length).toBeLessThanOrEqual(bins);
        expect(edges.length).toBe(counts.length - 1);
        for (let j = 0; j < counts.length; j++) {
          const own = pairs.filter(
            ([x]) => (j === 0 || x >= edges[j - 1]) && (j === edges.length || x < edges[j]),
          );
          expect(own.length).toBeGreaterThan(0);
          const weight = own.reduce((sum, [, w]) => sum + w, 0);
          expect(counts[j]).toBeCloseTo(weight, 9);
          if (weight > 0)
            expect(values[j]).toBeCloseTo(own.reduce((sum, [x, w]) => sum + x * w, 0) / weight, 9);
        }
      }),
    );
  });

  it("of −x are those of x in reverse", () => {
    fc.assert(
      fc.property(counted, fc.integer({ min: 1, max: 40 }), (pairs, bins) => {
        const own = binsOf(pairs, bins);
        const mirrored = binsOf(pairs.map(([x, w]) => [-x, w] as const).reverse(), bins);
        expect(mirrored.counts.length).toBe(own.counts.length);
        own.counts.forEach((count, j) => {
          expect(mirrored.counts.at(-1 - j)).toBeCloseTo(count, 9);
          expect(mirrored.values.at(-1 - j)).toBeCloseTo(-own.values[j], 9);
        });
      }),
      { numRuns: 500 },
    );
  });

  it("are the same where weights are sums of parts", () => {
    fc.assert(
      fc.property(counted, fc.integer({ min: 1, max: 40 }), (pairs, bins) => {
        const parted = pairs.map(([x, w]) => {
          let sum = 0;
          for (let part = 0; part < 10; part++) sum += w * 0.1;
          return [x, sum] as const;
        });
        expect([...binsOf(parted, bins).edges]).toEqual([...binsOf(pairs, bins).edges]);
      }),
    );
  });

  it("are of equal weight where values are many, and leave a value that outweighs all others to itself", () => {
    const many = Array.from({ length: 2001 }, (_, j) => [j - 700, j === 700 ? 3000 : 1] as const);
    const { values, counts } = binsOf(many, 32);
    const at = counts.indexOf(3000);
    expect(values[at]).toBe(0);
    const others = [...counts].filter((_, j) => j !== at);
    expect(counts.length).toBeGreaterThan(30);
    expect(Math.max(...others)).toBeLessThan(2 * (2000 / 31));
    expect(binsOf(many.filter(([x]) => x !== 0).slice(0, 320), 32).counts).toEqual(
      new Float64Array(32).fill(10),
    );
  });
});
