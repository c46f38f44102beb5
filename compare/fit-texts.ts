import { type Model, predictColumns, type Table } from "conformant";
import {
  type FitReport,
  fitModel,
  isIndicatorColumn,
  memorySource,
  type Remedies,
  readLabeledRows,
  splitLabel,
  TableBuilder,
  type TrainingOptions,
  USUAL_TRAINING,
} from "conformant-workbench";
import { openClassifier } from "conformant-workbench/import";
import type { TextRows } from "./tables/published-table.ts";

const word = (): string => "";
export const silent = { reporter: { warn: () => undefined, progress: () => undefined } };
const remedies: Remedies = {
  keepColumn: word,
  keepCategories: word,
  strangeText: word,
  nearlyNumbers: word,
  ambiguousNumber: word,
  wrongValue: word,
  exclude: word,
  readAsMissing: word,
  group: word,
  date: word,
  tooManyValues: "",
  tooManyClasses: "",
  predictClasses: "",
  strangeCategories: "",
};

/** A table of texts as the command would read it from a file. */
export function sourceOf({ names, rows }: TextRows): ReturnType<typeof memorySource> {
  const builder = new TableBuilder("rows", { tooLarge: "" });
  builder.addColumns(names.map((name) => ({ name, storage: "text", type: "text", unnamed: false })));
  for (const row of rows) builder.addRow(row);
  return memorySource(builder.finish(false), remedies);
}

/** What `conformant fit` is asked for. */
export interface TextFit {
  /** The file of a classifier, and its classes in order. */
  readonly classifier?: { readonly text: string; readonly classes: readonly string[] };
  readonly training?: Partial<TrainingOptions>;
}

/** Fits a model as the command `fit` does; the label is the last column. */
export async function fitTexts(
  rows: TextRows,
  { classifier, training }: TextFit,
): Promise<{ model: Model; report: FitReport }> {
  const file =
    classifier &&
    openClassifier("classifier.json", new TextEncoder().encode(classifier.text), {
      classes: classifier.classes,
      words: { columns: "", classes: "", categories: "", gap: word },
      readers: {},
    });
  const options = {
    columns: { columns: undefined, exclude: [], types: new Map() },
    missingTexts: [],
    training: { ...USUAL_TRAINING, ...training },
  };
  const label = rows.names[rows.names.length - 1];
  const { model, report } = await fitModel(
    sourceOf(file ? withoutLabel(rows) : rows),
    file ? { ...options, classifier: file } : { ...options, label },
    silent,
  );
  return { model, report: report as FitReport };
}

function withoutLabel({ names, rows }: TextRows): TextRows {
  return { names: names.slice(0, -1), rows: rows.map((row) => row.slice(0, -1)) };
}

/** Reads rows in a model's codes, their indicators as the rows are now, and the class of each. */
export async function readTexts(model: Model, rows: TextRows): Promise<{ table: Table; labels: Int32Array }> {
  const label = rows.names[rows.names.length - 1];
  const reading = { modelName: "model", label, seed: 0, gaps: [] };
  const read = await readLabeledRows(model, sourceOf(rows), reading, silent.reporter);
  const { table, labels } = splitLabel(read);
  return { table, labels: Int32Array.from(labels) };
}

/** Predictions for rows, rows × K, in the order of the model's classes. */
export function answerTable(model: Model, table: Table): Float64Array {
  return predictColumns(model, table).probabilities;
}

/**
 * The rows with some cells masked.
 *
 * @param isMasked whether the cell of a row and an input, by its name, is masked
 * @param told whether indicators of missing values stay as they are: a masked cell is missing at random
 */
export function maskTable(
  table: Table,
  isMasked: (row: number, name: string) => boolean,
  told: boolean,
): Table {
  const columns = table.schema.columns.map((column, c) => {
    const cells = table.columns[c].slice();
    const isNumber = cells instanceof Float64Array || cells instanceof Float32Array;
    const marks = isIndicatorColumn(column);
    if (marks && told) return cells;
    const name = marks ? column.gapOf : column.name;
    for (let r = 0; r < cells.length; r++)
      if (isMasked(r, name)) cells[r] = marks ? 1 : isNumber ? Number.NaN : -1;
    return cells;
  });
  return { ...table, columns };
}
