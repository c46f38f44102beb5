// Reads and predicts tables of many rows beside the page, so that it never waits for them.

import { loadModel, type Model } from "conformant";
import { type PredictedTable, predictTable, resultsCsv } from "./predict-table.ts";
import type { PredictedLine, RowsAsked, RowsTold } from "./rows-messages.ts";

let model: Model | undefined;
let table: PredictedTable | undefined;
let current = 0;

/** Rows that are shown at first. */
const FIRST = 100;

addEventListener("message", ({ data }: MessageEvent<RowsAsked>) => {
  if ("modelText" in data) model = loadModel(data.modelText);
  else if ("table" in data) void take(data.table, data.id);
  else if ("lines" in data) tell({ lines: linesOf(data.lines) });
  else if (table) tell({ results: new Blob([resultsCsv(table)], { type: "text/csv" }) });
});

async function take(source: string | Blob, id: number): Promise<void> {
  current = id;
  const text = typeof source === "string" ? source : await source.text();
  setTimeout(() => {
    if (id === current) predict(text, id); // while someone types, only the latest text counts
  });
}

function predict(text: string, id: number): void {
  try {
    table = predictTable(model as Model, text);
    const { header, cells, notes } = table;
    tell({ id, predicted: { header, count: cells.length, notes, lines: linesOf(FIRST) } });
  } catch (thrown) {
    table = undefined;
    tell({ id, failure: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

/** The first so many rows. */
function linesOf(count: number): PredictedLine[] {
  if (!table) return [];
  const { cells, rows, classes, probabilities, predicted } = table;
  return cells.slice(0, count).map((line, r) => ({
    cells: line,
    row: rows[r],
    prediction: classes[predicted[r]],
    probability: probabilities[r * classes.length + predicted[r]],
  }));
}

function tell(told: RowsTold): void {
  postMessage(told);
}
