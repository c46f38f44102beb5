import type { Table } from "conformant";
import { describe, expect, it } from "vitest";
import { buildAuthorsCovtype } from "../../paper/datasets/covtype-authors.ts";
import { dataFolders, findFile } from "../../paper/datasets/data-folder.ts";
import { LABEL } from "../../paper/datasets/dataset.ts";
import { datasetOf } from "../../paper/datasets/datasets.ts";
import { authorsMasks, publishedRegression } from "../../paper/report/published.ts";

const folders = dataFolders();
const adult = findFile(folders, ["adult/nacl-test-adult-samples.txt.gz"]);

/** How often each class occurs. */
function classCounts(table: Table): number[] {
  const at = table.schema.columns.findIndex(({ name }) => name === LABEL);
  const counts: number[] = [];
  for (const code of table.columns[at]) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

const PATIENCE = { timeout: 60_000 };

describe.skipIf(adult === undefined)("the authors' Adult", PATIENCE, () => {
  it("has UCI's rows, of which their test rows are a part and the others are for training", () => {
    const { training, test, testLabels } = datasetOf("adult").read(folders, 0, "authors");
    expect([training.rows, test.rows]).toEqual([39_073, 9769]);
    const positives = testLabels.filter((label) => label === ">50K").length;
    expect(positives).toBe(2353);
    // UCI's two files have 11,687 rows of the class.
    expect(classCounts(training)[1]).toBe(11_687 - 2353);
    const sizes = test.schema.columns.map((column) =>
      column.kind === "categorical" ? column.values.length : 0,
    );
    expect(sizes).toEqual([5, 9, 16, 16, 7, 15, 6, 5, 2, 5, 5, 5, 42]);
    for (const cells of [...training.columns, ...test.columns]) expect(Math.min(...cells)).toBe(0);
  });
});

describe("the authors' CovType", () => {
  const rows = Array.from({ length: 60 }, (_, r) => r);
  const dataset = buildAuthorsCovtype({
    name: "covtype",
    title: "CovType",
    columns: [
      ...Array.from({ length: 10 }, (_, i) => ({
        name: `n${i}`,
        numbers: rows.map((r) => (r * (i + 7)) % 60),
      })),
      { name: "wild", texts: rows.map((r) => String(r % 4)), values: ["0", "1", "2", "3"] },
      {
        name: "soil",
        texts: rows.map((r) => String(r % 40)),
        values: Array.from({ length: 40 }, (_, v) => String(v)),
      },
    ],
    labels: rows.map((r) => (r % 3 === 0 ? "a" : "b")),
    training: rows.slice(0, 48),
    test: rows.slice(48),
  });

  it("has 104 bits, one of each column set in a row", () => {
    expect(dataset.test.columns).toHaveLength(104);
    for (let r = 0; r < dataset.test.rows; r++) {
      const set = dataset.test.columns.filter((cells) => cells[r] === 1).length;
      expect(set).toBe(12);
    }
  });

  it("goes missing by a list of groups that takes the bits of others for a number's", () => {
    const { groups } = dataset;
    expect(groups?.[0]).toEqual([0, 1, 2, 3, 4, 5]);
    expect(groups?.[1]).toEqual([10, 11, 12, 13, 14, 15]);
    expect(groups?.[6]).toEqual([60, 61, 62, 63, 64, 65]);
    expect(groups?.[10]).toEqual([60, 61, 62, 63]);
    expect(groups?.[11]).toEqual(Array.from({ length: 40 }, (_, i) => 64 + i));
  });
});

describe("the authors' masks of insurance", () => {
  it("leave out as many bits of every row as their files say, in ten repeats of each number", () => {
    const { missing } = publishedRegression.insurance;
    const runs = authorsMasks();
    expect(runs.map((run) => run.missing)).toEqual(missing.flatMap((count) => Array(10).fill(count)));
    for (const run of runs)
      for (const row of [0, 100, 214])
        expect(Array.from({ length: 36 }, (_, bit) => run.masked(row, bit)).filter(Boolean)).toHaveLength(
          run.missing,
        );
  });
});
