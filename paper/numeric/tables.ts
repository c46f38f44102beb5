import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Random, random } from "conformant";
import { rawAdult } from "../datasets/adult.ts";
import type { RawColumn, RawDataset } from "../datasets/build-table.ts";
import { rawCovtype } from "../datasets/covtype.ts";
import { splice } from "../datasets/splice.ts";
import { split } from "../datasets/split.ts";
import { type NumericTable, numericTable } from "./numeric-table.ts";

const TRAINING_ROWS = 20_000;
/** Test rows: enough for a standard error of about one percent, few enough for nearest neighbors. */
const TEST_ROWS = 2500;

/** CovType with its 10 quantities as they are, and Adult with its 6 numbers; so many rows of each. */
export function largeTables(
  folders: readonly string[],
  seed: number,
  most = { training: TRAINING_ROWS, test: TEST_ROWS },
): NumericTable[] {
  return [rawCovtype(folders, seed), rawAdult(folders)].map((raw) => numericTable(raw, most, seed));
}

/** Smaller tables on which the choice between atoms and Gaussians is put to the test. */
export function smallTables(folders: readonly string[], seed: number): NumericTable[] {
  const all = { training: TRAINING_ROWS, test: TEST_ROWS };
  return [
    spliceTable(folders, seed),
    numericTable(penguins(seed), all, seed),
    ...SYNTHETIC.map(({ title: name, row }) => numericTable(synthetic(name, row, seed), all, seed)),
  ];
}

/** Splice, whose columns are all categories. */
export function spliceTable(folders: readonly string[], seed: number): NumericTable {
  const { training, test, testLabels, title } = splice.read(folders, seed, "ours");
  return { title, training, test, testLabels };
}

/** The penguins of the examples that were measured in full: island, sex and four lengths and weights. */
function penguins(seed: number): Omit<RawDataset, "name"> {
  const path = fileURLToPath(new URL("../../examples/penguins.csv", import.meta.url));
  const [header, ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  const names = header.split(",");
  const rows = lines
    .map((line) => line.split(","))
    .filter((row) => row.every((field) => field !== "" && field !== "NA"));
  const columns = names.slice(1).map((name, i): RawColumn => {
    const texts = rows.map((row) => row[i + 1]);
    return texts.every((text) => Number.isFinite(Number(text)))
      ? { name, numbers: texts.map(Number) }
      : { name, texts };
  });
  return {
    title: "Penguins",
    columns,
    labels: rows.map(([species]) => species),
    ...split(rows.length, seed),
  };
}

const ROWS = 4000;
const COLUMNS = 8;

type MakeRow = (g: Random) => number[];

const independent: MakeRow = (g) => Array.from({ length: COLUMNS }, () => g.normal());

/** Two hidden causes and a little noise. */
const correlated: MakeRow = (g) => {
  const [a, b] = [g.normal(), g.normal()];
  return Array.from({ length: COLUMNS }, (_, i) => a * Math.cos(i) + b * Math.sin(i) + 0.3 * g.normal());
};

const SYNTHETIC: readonly { readonly title: string; readonly row: MakeRow }[] = [
  { title: "Independent", row: independent },
  { title: "Correlated", row: correlated },
  { title: "Skewed", row: (g) => correlated(g).map((x) => Math.exp(1.2 * x)) },
  { title: "Discrete", row: (g) => correlated(g).map((x) => Math.max(0, Math.round(2 * x + 2))) },
];

/** Rows of a kind, labeled by a logistic rule on their standardized sum. */
function synthetic(title: string, row: MakeRow, seed: number): Omit<RawDataset, "name"> {
  const g = random(seed + 1);
  const rows = Array.from({ length: ROWS }, () => row(g));
  const columns = Array.from({ length: COLUMNS }, (_, i) => ({
    name: `x${i}`,
    numbers: rows.map((own) => own[i]),
  }));
  const scores = rows.map((own) =>
    own.reduce((sum, x, i) => sum + (i % 3 === 0 ? 1.5 : 0.7) * Math.asinh(x), 0),
  );
  const mean = scores.reduce((sum, score) => sum + score / ROWS, 0);
  const labels = scores.map((score) => (g.uniform() < 1 / (1 + Math.exp(mean - score)) ? "yes" : "no"));
  return { title, columns, labels, ...split(ROWS, seed) };
}
