import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { datasetFile } from "../../../conformant/test/support/datasets.ts";
import { duckdb } from "./duckdb.ts";
import { csvRows, succeed } from "./run.ts";
import { Workplace } from "./workplace.ts";

const [adult, adultTest, splice, covtype] = [
  "adult/adult.data.gz",
  "adult/adult.test.gz",
  "splice/splice.data",
  "covtype/covtype.sample92962.data.gz",
].map(datasetFile);
const timeout = 240_000;
/** Enough to see that 784 columns work; training on all takes minutes. */
const ROWS_OF_IMAGES = 400;
/** Rows of CovType, which has half a million. */
const COVTYPE_ROWS = howMany(6_000, 12_000);
/** Images behind them, by which the accuracy on new rows is checked. */
const NEW_IMAGES = 400;

interface Summary {
  readonly rows: number;
  readonly columns: { readonly name: string; readonly kind: string; readonly missing: number }[];
  readonly ignored: { readonly column: string }[];
  readonly verdict: { readonly accuracy: number };
}

function kinds(summary: Summary): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const { kind } of summary.columns) tally[kind] = (tally[kind] ?? 0) + 1;
  return tally;
}

/** Tests that the paper's datasets are read as they were published, each fitted with the given options and predicted. */
export function testPublishedFiles(...options: readonly string[]): void {
  const place = new Workplace();
  const { folder: cwd } = place;
  const fitFile = (file: string, label: string, ...more: readonly string[]): Summary => {
    const words = ["fit", file, "--label", label, "-o", "m.json", "--json", ...options, ...more];
    return JSON.parse(succeed(words, { cwd }).stdout) as Summary;
  };
  const predictedClasses = (file: string, ...more: readonly string[]): string[] =>
    csvRows(succeed(["predict", "m.json", file, ...more], { cwd }).stdout).map(([label]) => label);

  test.skipIf(!adult || !adultTest)(
    "Adult as published: 14 mixed columns, question marks for gaps",
    { timeout },
    () => {
      const summary = fitFile(adult as string, "column14", "--na", "?");
      expect(summary.rows).toBe(32_561);
      expect(kinds(summary)).toEqual({ numeric: 6, categorical: 8 });
      expect(summary.columns.filter(({ missing }) => missing > 0).map(({ missing }) => missing)).toEqual([
        1836, 1843, 583,
      ]);
      expect(summary.verdict.accuracy).toBeGreaterThan(0.845);
      expect(predictedClasses(adultTest as string, "--na", "?")).toHaveLength(16_281);
    },
  );

  test.skipIf(!splice)(
    "Splice as published: no header, and a column of sequences that becomes 60 columns",
    { timeout },
    () => {
      const summary = fitFile(splice as string, "column0");
      expect(summary.rows).toBe(3190);
      expect(kinds(summary)).toEqual({ categorical: 60 });
      expect(summary.ignored.map(({ column }) => column)).toEqual(["column1"]);
      const predicted = predictedClasses(splice as string);
      const labels = readFileSync(splice as string, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split(",", 1)[0]);
      expect(labels.filter((label, r) => label === predicted[r]).length / labels.length).toBeGreaterThan(
        0.97,
      );
    },
  );

  test.skipIf(!covtype)(
    "the CovType sample as published: numbers, bits, and a bit that is always 0",
    { timeout },
    async () => {
      const rows = gunzipSync(readFileSync(covtype as string))
        .toString("latin1")
        .split("\n");
      writeFileSync(place.path("covtype.csv"), rows.slice(0, COVTYPE_ROWS).join("\n"));
      const summary = fitFile("covtype.csv", "column54");
      expect(kinds(summary).numeric).toBe(10);
      expect(summary.ignored.length).toBeGreaterThan(0);
      expect(summary.verdict.accuracy).toBeGreaterThan(0.68);
      expect(predictedClasses("covtype.csv")).toHaveLength(COVTYPE_ROWS);
    },
  );

  const images = ["mnist", "fashion"].filter((name) => datasetFile(`${name}/t10k-images-idx3-ubyte.gz`));
  test.each(images.slice(0, howMany(1, 2)))(
    "%s as a Parquet file of 784 columns",
    { timeout },
    async (name) => {
      const [images, labels] = [
        datasetFile(`${name}/t10k-images-idx3-ubyte.gz`),
        datasetFile(`${name}/t10k-labels-idx1-ubyte.gz`),
      ];
      if (!images || !labels) return;
      await writeParquet(place, "wide", images, labels, 0, ROWS_OF_IMAGES);
      await writeParquet(place, "new", images, labels, ROWS_OF_IMAGES, NEW_IMAGES);
      const summary = fitFile("wide.parquet", "label");
      expect(summary.columns.length + summary.ignored.length).toBe(784);
      const truth = gunzipSync(readFileSync(labels)).subarray(8);
      const shareRight = (file: string, first: number, rows: number): number => {
        const predicted = predictedClasses(file);
        expect(predicted).toHaveLength(rows);
        return predicted.filter((label, r) => Number(label) === truth[first + r]).length / rows;
      };
      // The penalty that is chosen for new rows fits these rows less closely than the former penalty of 1 did, which came above 0.9.
      expect(shareRight("wide.parquet", 0, ROWS_OF_IMAGES)).toBeGreaterThan(summary.verdict.accuracy);
      // What is said of new rows holds for the images that follow, up to three standard errors of both shares.
      const found = shareRight("new.parquet", ROWS_OF_IMAGES, NEW_IMAGES);
      const error = Math.sqrt(found * (1 - found) * (1 / ROWS_OF_IMAGES + 1 / NEW_IMAGES));
      expect(Math.abs(summary.verdict.accuracy - found)).toBeLessThan(3 * error);
    },
  );
}

/** Images as one row each, made by DuckDB from a CSV file. */
async function writeParquet(
  place: Workplace,
  name: string,
  images: string,
  labels: string,
  first: number,
  rows: number,
): Promise<void> {
  const pixels = gunzipSync(readFileSync(images)).subarray(16);
  const classes = gunzipSync(readFileSync(labels)).subarray(8);
  const header = ["label", ...Array.from({ length: 784 }, (_, i) => `pixel${i}`)].join(",");
  const lines = Array.from(
    { length: rows },
    (_, r) => `${classes[first + r]},${pixels.subarray((first + r) * 784, (first + r + 1) * 784).join(",")}`,
  );
  writeFileSync(place.path(`${name}.csv`), [header, ...lines].join("\n"));
  await duckdb(
    `COPY (SELECT * FROM '${place.path(`${name}.csv`)}') TO '${place.path(`${name}.parquet`)}' (FORMAT parquet)`,
  );
}
