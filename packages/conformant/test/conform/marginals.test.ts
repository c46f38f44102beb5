import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countMarginals, marginalsFromCounts, mergeMarginals } from "../../src/entries/remote.ts";
import type { Marginals, NumericMarginal, Schema } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";

const schema: Schema = {
  columns: [
    { name: "x", kind: "numeric" },
    { name: "bit", kind: "binary" },
    { name: "city", kind: "categorical", values: ["Bonn", "Köln"] },
  ],
};
const number: Schema = { columns: [{ name: "x", kind: "numeric" }] };

function numeric(marginals: Marginals): NumericMarginal {
  const [column] = marginals.columns;
  return column.kind === "numeric" ? column : expect.fail("not numeric");
}

describe("countMarginals", () => {
  it("counts values with their weights and passes over gaps", () => {
    const rows = [{ x: 2, bit: 1, city: "Bonn" }, { x: 1, bit: null, city: "Köln" }, { x: 2, bit: 1 }, {}];
    const { rows: total, columns } = countMarginals(schema, rows, { weights: [1, 2, 3, 4] });
    expect(total).toBe(10);
    expect(columns.map(({ counts }) => [...counts])).toEqual([
      [2, 4],
      [0, 4],
      [1, 2],
    ]);
    expect([...numeric({ schema, rows: total, columns }).values]).toEqual([1, 2]);
  });

  it("keeps few values exact and cuts many into bins of equal weight with their means", () => {
    const x = Float64Array.from({ length: 1000 }, (_, r) => r);
    const exact = numeric(countMarginals(number, { x: x.map((v) => v % 7) }));
    expect([exact.exact, ...exact.values]).toEqual([true, 0, 1, 2, 3, 4, 5, 6]);
    const binned = numeric(countMarginals(number, { x }, { bins: 4 }));
    expect([...binned.counts]).toEqual([250, 250, 250, 250]);
    expect([...binned.values]).toEqual([124.5, 374.5, 624.5, 874.5]);
    expect([...binned.edges]).toEqual([249.5, 499.5, 749.5]);
  });

  it("gives a value that outweighs a bin one to itself", () => {
    const x = [...Array.from({ length: 900 }, () => 0), ...Array.from({ length: 100 }, (_, r) => r + 1)];
    const { values, counts } = numeric(countMarginals(number, { x }, { bins: 5 }));
    expect([values[0], counts[0], counts.length]).toEqual([0, 900, 5]);
    expect([...counts.subarray(1)]).toEqual([25, 25, 25, 25]);
  });

  it("never loses weight or mean, whatever the values, weights and bins", () => {
    const cells = fc.array(
      fc.tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 5 })),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(cells, fc.integer({ min: 1, max: 9 }), (pairs, bins) => {
        fc.pre(pairs.some(([, w]) => w > 0));
        const [x, weights] = [pairs.map(([v]) => v), pairs.map(([, w]) => w)];
        const { values, counts, edges } = numeric(countMarginals(number, { x }, { bins, weights }));
        const total = weights.reduce((sum, w) => sum + w, 0);
        expect(counts.reduce((sum, c) => sum + c, 0)).toBeCloseTo(total, 6);
        const sums = [
          values.reduce((sum, v, j) => sum + v * counts[j], 0),
          x.reduce((sum, v, r) => sum + v * weights[r], 0),
        ];
        expect(Math.abs(sums[0] - sums[1])).toBeLessThan(1e-6 * (1 + total * 1e3));
        expect(values.length).toBeLessThanOrEqual(bins);
        // Every representative lies in its own bin.
        values.forEach((v, j) => {
          expect(j === 0 || v >= edges[j - 1]).toBe(true);
          expect(j === edges.length || v < edges[j]).toBe(true);
        });
      }),
    );
  });

  it("refuses weights that do not fit", () => {
    expectError(
      () => countMarginals(number, [{ x: 1 }], { weights: [1, 2] }),
      "invalid-argument",
      /each of the 1 rows, got 2/,
    );
    expectError(
      () => countMarginals(number, [{ x: 1 }], { weights: [-1] }),
      "invalid-argument",
      /not negative, got -1 for row 0/,
    );
    expectError(
      () => countMarginals(number, [{ x: 1 }], { bins: 0 }),
      "invalid-argument",
      /options.bins must be a whole number of at least 1, got 0/,
    );
  });
});

describe("mergeMarginals", () => {
  it("equals counting all rows at once, in any order", () => {
    const g = random(1);
    const rows = Array.from({ length: 400 }, () => ({
      x: g.integer(12),
      bit: g.integer(2),
      city: ["Bonn", "Köln", null][g.integer(3)],
    }));
    const whole = countMarginals(schema, rows);
    const [a, b, c] = [rows.slice(0, 100), rows.slice(100, 101), rows.slice(101)].map((part) =>
      countMarginals(schema, part),
    );
    expect(mergeMarginals(mergeMarginals(a, b), c)).toEqual(whole);
    expect(mergeMarginals(c, mergeMarginals(b, a))).toEqual(whole);
  });

  it("adds bins that were counted alike and drops exact values into them", () => {
    const x = Float64Array.from({ length: 300 }, (_, r) => r);
    const first = countMarginals(number, { x }, { bins: 3 });
    const merged = numeric(
      mergeMarginals(first, countMarginals(number, { x: [50, 150, 1e9] }, { like: first })),
    );
    expect([...merged.counts]).toEqual([101, 101, 101]);
    const exact = numeric(mergeMarginals(countMarginals(number, { x: [5, 7] }), first));
    expect(exact.counts[0]).toBe(102);
    expect(exact.values[0]).toBeCloseTo((4950 + 12) / 102, 12);
    expect(exact.values[1]).toBe(149.5);
    const other = countMarginals(number, { x: x.map((v) => v * 2) }, { bins: 3 });
    expectError(
      () => mergeMarginals(first, other),
      "incompatible-marginals",
      /"x" is cut into different bins/,
    );
  });

  it("refuses marginals of different schemas", () => {
    expectError(
      () => mergeMarginals(countMarginals(schema, []), countMarginals(number, [])),
      "incompatible-marginals",
      /same schema/,
    );
  });
});

describe("marginalsFromCounts", () => {
  const columns = {
    x: [
      [1, 5],
      [2, 5],
      [null, 3],
    ],
    bit: new Map([
      [0, 4],
      [1, 6],
    ]),
    city: Object.entries({ Bonn: 10 }),
  } as const;

  it("takes the counts of a database", () => {
    const counted = marginalsFromCounts(schema, { rows: 13, columns });
    expect(counted.columns.map(({ counts }) => [...counts])).toEqual([
      [5, 5],
      [4, 6],
      [10, 0],
    ]);
  });

  it("counts −2 like any other number", () => {
    const counted = marginalsFromCounts(number, {
      rows: 3,
      columns: {
        x: [
          [-2, 1],
          [3, 2],
        ],
      },
    });
    expect([...numeric(counted).values]).toEqual([-2, 3]);
  });

  it("names the column and the count that cannot be", () => {
    const with_ = (changed: object) => () =>
      marginalsFromCounts(schema, { rows: 13, columns: { ...columns, ...changed } });
    expectError(
      with_({ bit: [[0, -1]] }),
      "invalid-argument",
      /the count of 0 in column "bit" must be .* at least 0, got -1/,
    );
    expectError(with_({ bit: [[0, Number.NaN]] }), "invalid-argument", /got NaN/);
    expectError(
      with_({
        bit: [
          [0, 7],
          [1, 7],
        ],
      }),
      "invalid-counts",
      /"bit": its counts add up to 14, more than the 13 rows/,
    );
    expectError(with_({ city: [["Ulm", 1]] }), "unknown-category", /"city": "Ulm"/);
    expectError(with_({ x: [["many", 1]] }), "invalid-value", /"x".*"many"/);
    expectError(
      () => marginalsFromCounts(schema, { rows: 1, columns: {} }),
      "unknown-column",
      /lacks column "x"/,
    );
  });
});
