import { basename } from "node:path";
import { buildDataset, type RawColumn, type RawDataset } from "./build-table.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { Dataset } from "./dataset.ts";
import { split } from "./split.ts";

const QUANTITATIVE = [
  "Elevation",
  "Aspect",
  "Slope",
  "Horizontal_Distance_To_Hydrology",
  "Vertical_Distance_To_Hydrology",
  "Horizontal_Distance_To_Roadways",
  "Hillshade_9am",
  "Hillshade_Noon",
  "Hillshade_3pm",
  "Horizontal_Distance_To_Fire_Points",
];

/** UCI's whole file where it is there, else the sample of 92,962 rows. */
const FILES = ["covtype/covtype.data.gz", "covtype/covtype.data", "covtype/covtype.sample92962.data.gz"];

/** CovType: ten quantities, the wilderness area (4 values) and the soil type (40), 7 classes; our own 80:20 split. */
export function readCovtype(folders: readonly string[], seed: number): Dataset {
  return buildDataset(rawCovtype(folders, seed));
}

/** The same with its quantities as they are. */
export function rawCovtype(folders: readonly string[], seed: number): RawDataset {
  const path = requireFile(folders, FILES);
  const rows = readLines(path).map((line) => line.split(",").map(Number));
  const group = (name: string, from: number, size: number): RawColumn => ({
    name,
    texts: rows.map((row) => String(row.indexOf(1, from) - from).padStart(2, "0")),
    values: Array.from({ length: size }, (_, v) => String(v).padStart(2, "0")),
  });
  const columns: RawColumn[] = [
    ...QUANTITATIVE.map((name, i) => ({ name, numbers: rows.map((row) => row[i]) })),
    group("Wilderness_Area", 10, 4),
    group("Soil_Type", 14, 40),
  ];
  const sampled = basename(path).includes("sample");
  return {
    name: "covtype",
    title: sampled ? `CovType (sample of ${rows.length.toLocaleString("en")} rows)` : "CovType",
    columns,
    labels: rows.map((row) => String(row[54])),
    ...split(rows.length, seed),
  };
}
