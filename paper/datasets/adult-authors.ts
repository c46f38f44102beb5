import { buildDataset, type RawColumn } from "./build-table.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { Dataset } from "./dataset.ts";
import { split } from "./split.ts";

/** The authors' one-hot groups in order, with their sizes: numbers are cut into five, and fnlwgt is left out. */
const GROUPS: readonly (readonly [name: string, size: number])[] = [
  ["age", 5],
  ["workclass", 9],
  ["education", 16],
  ["education-num", 16],
  ["marital-status", 7],
  ["occupation", 15],
  ["relationship", 6],
  ["race", 5],
  ["sex", 2],
  ["capital-gain", 5],
  ["capital-loss", 5],
  ["hours-per-week", 5],
  ["native-country", 42],
];

/**
 * Adult in the authors' own encoding, 138 bits in 13 groups. Of their files only the 9,769 test rows are published, so
 * these are divided 80:20: the encoding and its groups are theirs, the training rows are a fifth of theirs.
 */
export function readAuthorsAdult(folders: readonly string[], seed: number): Dataset {
  const path = requireFile(folders, [
    "adult/nacl-test-adult-samples.txt.gz",
    "adult/nacl-test-adult-samples.txt",
  ]);
  const rows = readLines(path).map((line) => line.split(","));
  let from = 0;
  const columns = GROUPS.map(([name, size]): RawColumn => {
    const start = from;
    from += size;
    const texts = rows.map((bits) => String(bits.indexOf("1", start) - start).padStart(2, "0"));
    return { name, texts, values: Array.from({ length: size }, (_, v) => String(v).padStart(2, "0")) };
  });
  return buildDataset({
    name: "adult",
    title: "Adult (the authors' encoding)",
    columns,
    labels: readLines(requireFile(folders, ["adult/nacl-test-adult-labels.txt"])).map((line) => line.trim()),
    ...split(rows.length, seed),
  });
}
