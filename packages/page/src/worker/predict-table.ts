import {
  type AnyModel,
  type Column,
  encode,
  isRegression,
  type Model,
  predictColumns,
  type Row,
  type Value,
} from "conformant";
import { decide } from "conformant/internal";
import {
  categoryFinder,
  isMissingText,
  type NumberStyle,
  PLAIN_NUMBERS,
  readNumberText,
  trimText,
} from "conformant/texts";
import {
  decideNumberStyle,
  guardFormula,
  numberEvidence,
  recognizeRows,
  usesCommas,
} from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";
import { isField } from "../frame/is-field.ts";
import { isImpossible, type Limits } from "../frame/numbers.ts";
import { formatCsv, parseCsv } from "./parse-csv.ts";

/** A table with its predictions. */
export interface PredictedTable {
  readonly header: readonly string[];
  /** The cells as they came. */
  readonly cells: readonly (readonly string[])[];
  /** The same as rows of the model: what is known. */
  readonly rows: readonly Row[];
  /** Empty where numbers are predicted. */
  readonly classes: readonly string[];
  /** rows × K. */
  readonly probabilities: Float64Array;
  /** Positions of the predicted classes. */
  readonly predicted: readonly number[];
  /** The predicted numbers, where the model predicts some. */
  readonly numbers?: Float64Array;
  /** Positions of the true classes, −1 where there is none; absent where the table has no such column. */
  readonly truth?: readonly number[];
  /** Rows that the model was fitted on, where it can tell. */
  readonly trained?: number;
  /** What a reader should know: columns that are missing, cells that could not be read. */
  readonly notes: readonly string[];
}

/** A map, as an object would also know "constructor". */
const TRUTHS = new Map([
  ["true", 1],
  ["false", 0],
]);
/** More rows than this are for the command line. */
const MOST_ROWS = 200_000;

/**
 * Reads a CSV text and predicts every row of it.
 *
 * @param limits of columns: numbers beyond them are no values, as in the form
 */
export function predictTable(
  model: AnyModel,
  text: string,
  limits: Readonly<Record<string, Limits>> = {},
): PredictedTable {
  const { columns } = model.schema;
  const {
    header,
    rows: cells,
    mayHaveCommas,
  } = parseCsv(
    text,
    columns.map(({ name }) => name),
  );
  const places = columns.map(({ name }) => header.indexOf(name));
  if (places.every((place) => place < 0)) {
    throw new Error(
      `the first line names none of the model's columns: ${columns
        .slice(0, 6)
        .map(({ name }) => name)
        .join(", ")}`,
    );
  }
  if (cells.length === 0) throw new Error("there are no rows after the header");
  if (cells.length > MOST_ROWS)
    throw new Error(`there are more than ${MOST_ROWS} rows; conformant predict takes any number`);
  const unread = new Map<string, number>();
  const styles = numberStyles(columns, places, cells, mayHaveCommas);
  const rows = cells.map((line) =>
    Object.fromEntries(
      columns.flatMap((column, i): [string, Value][] => {
        const cell = trimText(line[places[i]] ?? "");
        if (places[i] < 0 || cell === "") return [];
        const read = readCell(column, cell, styles[i]);
        const own = Object.hasOwn(limits, column.name) ? limits[column.name] : {};
        const value = typeof read === "number" && isImpossible(read, own) ? undefined : read;
        if (value === null) return [];
        if (value === undefined) unread.set(column.name, (unread.get(column.name) ?? 0) + 1);
        return value === undefined ? [] : [[column.name, value]];
      }),
    ),
  );
  const absent = columns.filter((column, i) => places[i] < 0 && isField(column)).map(({ name }) => name);
  const read = { header, cells, rows, notes: notesOf(absent, unread) };
  if (isRegression(model)) {
    const { values: numbers } = predictColumns(model, rows);
    return { ...read, classes: [], probabilities: new Float64Array(), predicted: [], numbers };
  }
  const { classes, probabilities } = predictColumns(model, rows);
  const predicted = rows.map(
    (_, r) => decide(probabilities.subarray(r * classes.length, (r + 1) * classes.length)).class,
  );
  const labelAt = header.indexOf(model.predictor.label ?? "");
  const truth = labelAt < 0 ? undefined : cells.map((line) => classes.indexOf(trimText(line[labelAt] ?? "")));
  const answered = { ...read, classes, probabilities, predicted };
  return truth ? { ...answered, truth, trained: countTrained(model, rows, truth) } : answered;
}

/** How many of some rows the model was fitted on; 0 where it cannot tell. */
function countTrained(model: Model, rows: readonly Row[], truth: readonly number[]): number {
  const { trainingRows } = metadataOf(model);
  if (!trainingRows) return 0;
  const { schema, predictor, response } = model;
  // No column of a model has the name of its label.
  const name = predictor.label ?? "";
  const label = { name, kind: "categorical", values: response.outputs } as const;
  const labeled = rows.flatMap((row, r) =>
    truth[r] < 0 ? [] : [{ ...row, [name]: label.values[truth[r]] }],
  );
  const table = encode({ columns: [...schema.columns, label] }, labeled);
  return recognizeRows(table, trainingRows)?.estimated ?? 0;
}

/** How the numbers of each column are written, by all its cells; only where commas do not separate they may be part of numbers. */
function numberStyles(
  columns: readonly Column[],
  places: readonly number[],
  cells: readonly (readonly string[])[],
  mayHaveCommas: boolean,
): NumberStyle[] {
  if (!mayHaveCommas) return columns.map(() => PLAIN_NUMBERS);
  const evidence = columns.map(({ kind }, i) =>
    numberEvidence(kind !== "categorical" ? cells.map((line) => line[places[i]] ?? "") : []),
  );
  return evidence.map((column, i) => {
    const style = decideNumberStyle(column, evidence.some(usesCommas));
    if (style) return style;
    throw new Error(
      `${columns[i].name}: 3.750 may mean 3.75 or 3,750 in this column; no other value shows which`,
    );
  });
}

/**
 * A cell as a value of the column: null for a gap, undefined where it cannot be a value. As in the command, a text that means missing is
 * one unless the column has just this spelling, not one that only differs in case.
 */
function readCell(column: Column, cell: string, style: NumberStyle): Value {
  const values = column.kind === "categorical" ? column.values : [];
  if (values.includes(cell)) return cell;
  if (isMissingText(cell)) return null;
  if (column.kind === "categorical") {
    const place = categoryFinder(values)(cell);
    return place === undefined ? undefined : values[place];
  }
  const number = readNumberText(cell, style);
  if (column.kind !== "binary") return number;
  const bit = number ?? TRUTHS.get(cell.toLowerCase());
  return bit === 0 || bit === 1 ? bit : undefined;
}

function notesOf(absent: readonly string[], unread: ReadonlyMap<string, number>): string[] {
  const list = (names: readonly string[]): string =>
    names.length > 6 ? `${names.slice(0, 6).join(", ")} and ${names.length - 6} more` : names.join(", ");
  return [
    ...(absent.length > 0 ? [`unknown in every row, as the table lacks them: ${list(absent)}`] : []),
    ...Array.from(
      unread,
      ([name, count]) =>
        `${name}: ${count} ${count === 1 ? "cell is" : "cells are"} not a value of this column and ${count === 1 ? "counts" : "count"} as unknown`,
    ),
  ];
}

/** The rows at these positions with the prediction, and all probabilities of classes, behind them, as CSV that is safe to open in a spreadsheet. */
export function resultsCsv(
  { header, cells, classes, probabilities, predicted, numbers }: PredictedTable,
  order: Int32Array,
): string {
  const K = classes.length;
  return formatCsv([
    [...header.map(guardFormula), "prediction", ...classes.map((name) => `p_${name}`)],
    ...Array.from(order, (r) => [
      ...header.map((_, c) => guardFormula(cells[r][c] ?? "")),
      numbers ? String(numbers[r]) : classes[predicted[r]],
      ...classes.map((_, k) => String(probabilities[r * K + k])),
    ]),
  ]);
}
