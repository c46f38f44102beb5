import { tableProtocol } from "../protocol/table-protocol.ts";
import { readAuthorsAdult } from "./adult-authors.ts";
import { buildDataset, type RawColumn, type RawDataset } from "./build-table.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { DatasetSource } from "./dataset.ts";

/** The columns of adult.data in order, those with numbers marked. */
const COLUMNS: readonly (readonly [name: string, kind: "number" | "text"])[] = [
  ["age", "number"],
  ["workclass", "text"],
  ["fnlwgt", "number"],
  ["education", "text"],
  ["education-num", "number"],
  ["marital-status", "text"],
  ["occupation", "text"],
  ["relationship", "text"],
  ["race", "text"],
  ["sex", "text"],
  ["capital-gain", "number"],
  ["capital-loss", "number"],
  ["hours-per-week", "number"],
  ["native-country", "text"],
];

/** Incomes of the 1994 census: by UCI's own division, or encoded and divided as the authors did. */
export const adult: DatasetSource = {
  name: "adult",
  testbed: { size: "49K", classes: "2: unbalanced", features: 14, types: "integer & categorical" },
  protocol: (split) =>
    tableProtocol(split, {
      columns: split === "authors" ? 13 : 14,
      step: 1,
      paperRepeats: 100,
      quickRepeats: 3,
      l2: 10,
    }),
  read: (folders, _, split) =>
    split === "authors" ? readAuthorsAdult(rawAdult(folders), folders) : buildDataset(rawAdult(folders)),
};

/**
 * 6 numbers and 8 categories, 32,561 training rows and UCI's own 16,281 test rows, with the numbers as they are. The "?" of
 * workclass, occupation and native-country is a value like the others, so that the classifier sees complete rows.
 */
export function rawAdult(folders: readonly string[]): RawDataset {
  const training = readRows(requireFile(folders, ["adult/adult.data.gz", "adult/adult.data"]));
  const test = readRows(requireFile(folders, ["adult/adult.test.gz", "adult/adult.test"]));
  const rows = [...training, ...test];
  const columns = COLUMNS.map(([name, kind], i): RawColumn => {
    const texts = rows.map((row) => row[i]);
    return kind === "number" ? { name, numbers: texts.map(Number) } : { name, texts };
  });
  return {
    name: "adult",
    title: "Adult",
    columns,
    labels: rows.map((row) => row[14]),
    training: training.map((_, r) => r),
    test: test.map((_, r) => training.length + r),
  };
}

/** Fields are separated by ", "; the test file begins with a comment line, and its labels end with a full stop. */
function readRows(path: string): string[][] {
  return readLines(path)
    .filter((line) => !line.startsWith("|"))
    .map((line) => line.replace(/\.$/, "").split(", "));
}
