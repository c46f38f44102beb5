import { readFileSync } from "node:fs";
import type { Columns } from "../../src/index.ts";
import { datasetFile } from "./datasets.ts";

export const spliceFile = datasetFile("splice/nacl-train-splice-samples.txt");

/** The authors' 2,540 training rows of Splice: 240 bits, and the label as column "y". */
export function readSplice(): Columns {
  const bits = lines("splice/nacl-train-splice-samples.txt").map((line) => line.split(",").map(Number));
  const columns = bits[0].map((_, i): [string, Int8Array] => [
    `b${i}`,
    Int8Array.from(bits, (row) => row[i]),
  ]);
  return { ...Object.fromEntries(columns), y: lines("splice/nacl-train-splice-labels.txt") };
}

function lines(name: string): string[] {
  return readFileSync(datasetFile(name) ?? "", "utf8")
    .trim()
    .split("\n");
}
