import { basename } from "node:path";
import { tableProtocol } from "../protocol/table-protocol.ts";
import { buildDataset, type RawColumn, type RawDataset } from "./build-table.ts";
import { buildAuthorsCovtype } from "./covtype-authors.ts";
import { readLines, requireFile } from "./data-folder.ts";
import type { DatasetSource } from "./dataset.ts";
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

/** Forest cover types: a bit for each number, or the authors' bins and groups. */
export const covtype: DatasetSource = {
  name: "covtype",
  testbed: { size: "581K", classes: "7: unbalanced", features: 54, types: "continuous & categorical" },
  protocol: (which) =>
    tableProtocol(which, {
      columns: 12,
      step: 1,
      categorical: which === "ours",
      paperRepeats: 10,
      quickRepeats: 2,
      l2: 1,
      reduced: false,
    }),
  read: (folders, seed, which) =>
    which === "authors"
      ? buildAuthorsCovtype(rawCovtype(folders, seed))
      : buildDataset(rawCovtype(folders, seed)),
};

/** Ten quantities as they are, the wilderness area (4 values) and the soil type (40), 7 classes; our own 80:20 split. */
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
