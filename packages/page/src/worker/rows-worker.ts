// Reads and predicts tables of many rows beside the page, so that it never waits for them.

import { loadModel, type Model } from "conformant";
import { type PredictedTable, predictTable, resultsCsv } from "./predict-table.ts";
import type { PredictedLine, RowsReply, RowsRequest, Sorting } from "./rows-messages.ts";
import { sortRows } from "./sort-rows.ts";

let model: Model | undefined;
let table: PredictedTable | undefined;
/** The order of the rows by the latest sorting, as long as the table is the same. */
let sorted: { readonly sorting: Sorting; readonly order: Int32Array } | undefined;
let current = 0;

/** Rows that are shown at first. */
const FIRST = 100;
/** As they came. */
const UNSORTED: Sorting = { by: "row", falling: false };

addEventListener("message", ({ data }: MessageEvent<RowsRequest>) => {
  if ("modelText" in data) model = loadModel(data.modelText);
  else if ("table" in data) void take(data.table, data.id);
  else if ("lines" in data) tell({ lines: linesOf(data.lines, data.sorting), sorting: data.sorting });
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
    sorted = undefined;
    table = predictTable(model as Model, text);
    const { header, cells, notes } = table;
    const lines = linesOf(FIRST, UNSORTED);
    tell({ id, predicted: { header, count: cells.length, notes, lines, sorting: UNSORTED } });
  } catch (thrown) {
    table = undefined;
    tell({ id, failure: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

/** The first so many rows in an order. */
function linesOf(count: number, sorting: Sorting): PredictedLine[] {
  if (!table) return [];
  const { cells, rows, classes, probabilities, predicted } = table;
  if (sorted?.sorting.by !== sorting.by || sorted.sorting.falling !== sorting.falling)
    sorted = { sorting, order: sortRows(table, sorting) };
  return Array.from(sorted.order.subarray(0, count), (r) => ({
    number: r + 1,
    cells: cells[r],
    row: rows[r],
    prediction: classes[predicted[r]],
    probability: probabilities[r * classes.length + predicted[r]],
  }));
}

function tell(told: RowsReply): void {
  postMessage(told);
}
