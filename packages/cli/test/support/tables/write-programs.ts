import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AwkwardTable } from "./awkward-table.ts";

const PYTHON = "/usr/bin/python3";
const PANDAS = `
import json, sys
import pandas as pd
for seed, columns in json.load(open(sys.argv[1]), object_pairs_hook=list):
    frame = pd.concat([pd.Series(cells, name=name, dtype=float if is_number else object) for (_, name), (_, is_number), (_, cells) in columns], axis=1)
    frame.to_csv(f"{sys.argv[2]}/{seed}/pandas.csv")
    frame.to_csv(f"{sys.argv[2]}/{seed}/pandas-quoted.csv", index=False, quoting=2)
`;
const R = `
arguments <- commandArgs(TRUE)
for (entry in jsonlite::fromJSON(arguments[1], simplifyVector = FALSE)) {
  columns <- lapply(entry[[2]], function(column) sapply(column$cells, function(cell) if (is.null(cell)) NA_character_ else as.character(cell)))
  frame <- as.data.frame(columns, stringsAsFactors = FALSE)
  names(frame) <- sapply(entry[[2]], function(column) column$name)
  write.csv(frame, file.path(arguments[2], entry[[1]], "r.csv"))
  write.csv2(frame, file.path(arguments[2], entry[[1]], "r-european.csv"), row.names = FALSE, na = "")
}
`;

function works(program: string, words: readonly string[]): boolean {
  return spawnSync(program, [...words], { stdio: "ignore" }).status === 0;
}

export const hasPandas = existsSync(PYTHON) && works(PYTHON, ["-c", "import pandas"]);
export const hasR = works("Rscript", ["-e", "stopifnot(requireNamespace('jsonlite'))"]);

function run(program: string, script: string, tables: unknown, folder: string): void {
  const [file, data] = [join(folder, `${program.replaceAll("/", "_")}.txt`), join(folder, "tables.json")];
  writeFileSync(file, script);
  writeFileSync(data, JSON.stringify(tables));
  const { status, stderr } = spawnSync(program, [file, data, folder], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** pandas writes each table into the folder of its seed, with its row numbers and with all texts in quotes. */
export function writeWithPandas(tables: readonly AwkwardTable[], folder: string): void {
  run(
    PYTHON,
    PANDAS,
    tables.map(({ seed, columns }) => [seed, columns]),
    folder,
  );
}

/** R writes each table, with row names, and as a spreadsheet in Europe does; it is given texts, for it rounds numbers. */
export function writeWithR(tables: readonly AwkwardTable[], folder: string): void {
  const asTexts = tables.map(({ seed, columns }) => [
    String(seed),
    columns.map((column) => ({
      name: column.name,
      cells: column.cells.map((cell) =>
        typeof cell === "number" ? (Object.is(cell, -0) ? "-0" : String(cell)) : cell,
      ),
    })),
  ]);
  run("Rscript", R, asTexts, folder);
}
