// Reads and predicts tables of many rows beside the page, so that it never waits for them.

import { type AnyModel, loadAnyModel } from "conformant";
import type { Limits } from "../frame/numbers.ts";
import { type PredictedTable, predictTable, resultsCsv } from "./predict-table.ts";
import type { PredictedRows, RowsReply, RowsRequest, Sorting, View } from "./rows-messages.ts";
import { sortRows, viewRows } from "./sort-rows.ts";

let model: AnyModel | undefined;
let limits: Readonly<Record<string, Limits>> = {};
let table: PredictedTable | undefined;
/** The order of the rows by the latest sorting, so that a threshold that moves sorts nothing again. */
let sorted: { readonly of: PredictedTable; readonly by: Sorting; readonly order: Int32Array } | undefined;
let current = 0;

/** Rows that are shown at first. */
const FIRST = 100;
/** All, as they came. */
const ALL: View = { sorting: { by: "row", falling: false } };

addEventListener("message", ({ data }: MessageEvent<RowsRequest>) => {
  if ("modelText" in data) {
    model = loadAnyModel(data.modelText);
    limits = data.limits;
  } else if ("table" in data) void take(data.table, data.id);
  else if (table && "lines" in data) tell(linesOf(table, data.lines, data.view));
  else if (table && "results" in data) {
    const { order } = viewRows(table, data.results);
    tell({ results: new Blob([resultsCsv(table, order)], { type: "text/csv" }) });
  }
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
    table = predictTable(model as AnyModel, text, limits);
    const { header, classes, cells, notes, trained } = table;
    const count = cells.length;
    tell({ id, predicted: { header, classes, count, notes, trained, ...linesOf(table, FIRST, ALL) } });
  } catch (thrown) {
    table = undefined;
    tell({ id, failure: thrown instanceof Error ? thrown.message : String(thrown) });
  }
}

/** The first so many rows of a view. */
function linesOf(
  own: PredictedTable,
  count: number,
  view: View,
): Pick<PredictedRows, "lines" | "view" | "found"> {
  const { cells, rows, classes, probabilities, predicted, numbers } = own;
  const { by, falling } = view.sorting;
  if (sorted?.of !== own || sorted.by.by !== by || sorted.by.falling !== falling)
    sorted = { of: own, by: view.sorting, order: sortRows(own, view.sorting) };
  const { order, found } = viewRows(own, view, sorted.order);
  const lines = Array.from(order.subarray(0, count), (r) => {
    const line = { number: r + 1, cells: cells[r], row: rows[r] };
    if (numbers) return { ...line, prediction: numbers[r], probability: undefined, probabilities: [] };
    const answer = Array.from(probabilities.subarray(r * classes.length, (r + 1) * classes.length));
    return {
      ...line,
      prediction: classes[predicted[r]],
      probability: answer[predicted[r]],
      probabilities: answer,
    };
  });
  return { lines, view, found };
}

function tell(told: RowsReply): void {
  postMessage(told);
}
