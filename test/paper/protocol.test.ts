import { readFileSync } from "node:fs";
import type { Table } from "conformant";
import { describe, expect, it } from "vitest";
import { binarize, threshold } from "../../paper/datasets/binarize.ts";
import { buildDataset } from "../../paper/datasets/build-table.ts";
import { datasetOf } from "../../paper/datasets/datasets.ts";
import { split } from "../../paper/datasets/split.ts";
import { toBits } from "../../paper/protocol/bits.ts";
import { drawRemoval, maskColumns, removeColumns } from "../../paper/protocol/removal.ts";
import { score } from "../../paper/protocol/scores/metrics.ts";
import { mean, standardError } from "../../paper/protocol/scores/results.ts";

/** The same sums in another order. */
const ROUNDING = 1e-12;

/** A categorical and two binary columns. */
const table: Table = {
  schema: {
    columns: [
      { name: "color", kind: "categorical", values: ["red", "green", "blue"] },
      { name: "round", kind: "binary" },
      { name: "large", kind: "binary" },
    ],
  },
  rows: 300,
  columns: [0, 1, 2].map((i) => Int8Array.from({ length: 300 }, (_, r) => (i === 0 ? r % 3 : r % 2))),
  unseen: [],
};

describe("a continuous column", () => {
  it("is 1 above the mean plus a twentieth of the standard deviation", () => {
    // Mean 2, population standard deviation √2.
    const above = threshold([0, 1, 2, 3, 4]);
    expect(above).toBeCloseTo(2 + 0.05 * Math.SQRT2, 12);
    expect([...binarize([2, 2.05, 2.1, above], above)]).toEqual([0, 0, 1, 0]);
  });

  it("is cut by the training rows alone", () => {
    const dataset = buildDataset({
      name: "adult",
      title: "test",
      columns: [{ name: "x", numbers: [0, 1, 2, 3, 1000] }],
      labels: ["a", "b", "a", "b", "a"],
      training: [0, 1, 2, 3],
      test: [3, 4],
    });
    expect([...dataset.training.columns[0]]).toEqual([0, 0, 1, 1]);
    expect([...dataset.test.columns[0]]).toEqual([1, 1]);
  });
});

describe("the split", () => {
  it("is 80:20, without overlap, and the same for the same seed", () => {
    const { training, test } = split(3175, 7);
    expect([training.length, test.length]).toEqual([2540, 635]);
    expect(new Set([...training, ...test]).size).toBe(3175);
    expect(split(3175, 7)).toEqual({ training, test });
    expect(split(3175, 8)).not.toEqual({ training, test });
  });
});

describe("what goes missing", () => {
  it("is the same number of columns in every row, and nothing else changes", () => {
    const masked = maskColumns(table, 2, 5);
    for (let r = 0; r < table.rows; r++) {
      const gaps = masked.columns.filter((cells) => cells[r] === -1).length;
      expect(gaps).toBe(2);
      masked.columns.forEach((cells, i) => {
        if (cells[r] !== -1) expect(cells[r]).toBe(table.columns[i][r]);
      });
    }
  });

  it("is every column about equally often", () => {
    const masked = maskColumns(table, 1, 1);
    for (const cells of masked.columns) {
      const share = cells.filter((code) => code === -1).length / table.rows;
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.09); // three standard deviations of a share of 300 rows
    }
  });

  it("is a one-hot group as a whole", () => {
    const bits = toBits(maskColumns(table, 1, 3));
    expect(bits.schema.columns.map(({ name }) => name)).toEqual([
      "color=red",
      "color=green",
      "color=blue",
      "round",
      "large",
    ]);
    for (let r = 0; r < table.rows; r++) {
      const group = [0, 1, 2].map((i) => bits.columns[i][r]);
      expect([-3, 1]).toContain(group.reduce((sum, bit) => sum + bit, 0));
    }
  });

  it("depends on the seed and on nothing else", () => {
    expect(maskColumns(table, 1, 3)).toEqual(maskColumns(table, 1, 3));
    expect(maskColumns(table, 1, 3)).not.toEqual(maskColumns(table, 1, 4));
  });

  it("with fewer columns is missing with more, too", () => {
    const removal = drawRemoval(table.rows, [[0], [1], [2]], 9);
    const [one, two] = [removeColumns(table, removal, 1), removeColumns(table, removal, 2)];
    one.columns.forEach((cells, i) => {
      cells.forEach((code: number, r: number) => {
        if (code === -1) expect(two.columns[i][r]).toBe(-1);
      });
    });
  });

  it("is ⌊0.2 · columns⌋ times 1 to 4 for tables, and the figures' 40 points for images", () => {
    const protocolOf = (name: string) => datasetOf(name).protocol("authors");
    expect(protocolOf("splice").rates).toEqual([12, 24, 36, 48]);
    expect(protocolOf("adult").rates).toEqual([2, 4, 6, 8]);
    expect(protocolOf("covtype").missing).toEqual(Array.from({ length: 13 }, (_, i) => i));
    const figure = Array.from({ length: 40 }, (_, i) => 20 * i);
    expect(protocolOf("mnist").missing.filter((pixels) => pixels !== 8)).toEqual(figure);
  });
});

describe("the measures", () => {
  it("are scikit-learn's", () => {
    const fixture = JSON.parse(readFileSync(new URL("fixtures/metrics.json", import.meta.url), "utf8"));
    const scores = score(
      Float64Array.from(fixture.full),
      Float64Array.from(fixture.predicted),
      Int32Array.from(fixture.truth),
      fixture.classes,
    );
    expect(Math.abs(scores.accuracy - fixture.accuracy)).toBeLessThan(ROUNDING);
    expect(Math.abs(scores.weightedF1 - fixture.weightedF1)).toBeLessThan(ROUNDING);
    expect(Math.abs(scores.crossEntropy - fixture.crossEntropy)).toBeLessThan(ROUNDING);
  });

  it("stay finite where a probability underflows", () => {
    const { crossEntropy } = score(Float64Array.of(0.5, 0.5), Float64Array.of(0, 1), Int32Array.of(1), 2);
    expect(crossEntropy).toBeCloseTo(-0.5 * Math.log(Number.MIN_VALUE), 9);
  });

  it("come with the standard error of their mean", () => {
    expect(mean([1, 2, null, 3])).toBe(2);
    expect(standardError([1, 2, 3])).toBeCloseTo(1 / Math.sqrt(3), 12);
    expect(standardError([1])).toBeNull();
  });
});
