import type {
  ClassifierJson,
  Column,
  KnownPredictor,
  KnownRegressor,
  RegressorJson,
  Table,
} from "conformant";
import {
  classifyRows,
  findCompleteRows,
  numberOf as numberOfSum,
  pickRows,
  valueLabels,
} from "conformant/internal";
import { categoryFinder, type NumberStyle, readNumberText } from "conformant/texts";
import { type ImportedClassifier, isNumber, isTrees } from "../import/imported-classifier.ts";
import { softmax, walkTrees } from "../import/trees/walk-trees.ts";
import { cleanText } from "../source/clean-text.ts";
import type { CellField, CellReading, TableSource } from "../source/table-source.ts";

/** Complete rows that are checked, and features of them: of a wide classifier fewer rows. */
const [CHECKED, CHECKED_FEATURES] = [10_000, 1_000_000];
/** Rows at the beginning that are looked at for each that is to be checked. */
const LOOKED_AT = 10;

/** A check of a classifier against the texts of the data. */
export interface TextCheck {
  readonly rows: number;
  /** The largest difference of a probability, or of a number in units of it, or of 1 where it is smaller. */
  readonly difference: number;
}

/**
 * Computes the formula of a brought classifier from the texts of complete rows, as they stand in the source, and compares it
 * with what our columns and codes give. What a value has lost on its way from the file shows here.
 */
export async function checkTexts<Cells extends CellReading>(
  source: TableSource<Cells>,
  reading: Cells,
  json: ImportedClassifier["json"],
  predictor: KnownPredictor | KnownRegressor,
): Promise<TextCheck> {
  const { schema } = predictor;
  const own = schema.columns.map(({ name }) => reading.fields.get(name) as CellField);
  const readers = featureReaders(json.features, own, schema.columns);
  const enough = Math.floor(Math.min(CHECKED, Math.max(1, CHECKED_FEATURES / json.features.length)));
  const K = "classes" in predictor ? predictor.classes.length : 1;
  let [rows, difference] = [0, 0];
  for await (const batch of source.rows(reading, schema, true)) {
    const table: Table = {
      schema,
      rows: batch.rows,
      columns: batch.columns as Table["columns"],
      unseen: [],
    };
    // The same rows whatever the size of a batch, so that the same model comes out.
    const last = LOOKED_AT * enough - batch.start;
    const complete = findCompleteRows(table)
      .filter((r) => r < last)
      .slice(0, enough - rows);
    const computed = classifyRows(predictor, pickRows(table, complete));
    complete.forEach((r, at) => {
      const cells = own.map((field, c) => readCell(field, batch.text(c, r)));
      if (cells.includes(undefined)) difference = 1; // a gap in the text that is none in the codes
      const input = (feature: string): number => readers.get(feature)?.(cells) ?? Number.NaN;
      const expected = isTrees(json)
        ? walkTrees(json, input, (name) => cells[own.findIndex((field) => field.name === name)])
        : isNumber(json)
          ? [evaluateNumber(json, input)]
          : evaluate(json, input);
      for (let k = 0; k < K; k++) {
        const unit = isNumber(json) ? Math.max(1, Math.abs(expected[k])) : 1;
        const gap = Math.abs(expected[k] - computed[at * K + k]) / unit;
        difference = Math.max(difference, Number.isNaN(gap) ? 1 : gap);
      }
    });
    rows += complete.length;
    if (rows >= enough || batch.start + batch.rows >= LOOKED_AT * enough) break;
  }
  return { rows, difference };
}

/** The text of a cell, undefined for a gap. */
function readCell({ gaps }: CellField, text: string | null): string | undefined {
  return text === null ? undefined : cleanText(text, gaps);
}

/** Reads a feature out of the texts of a row: the number of its column, or whether the column has the value. */
type FeatureReader = (cells: readonly (string | undefined)[]) => number;

/** The readers of features by their names. */
function featureReaders(
  features: readonly string[],
  fields: readonly CellField[],
  columns: readonly Column[],
): ReadonlyMap<string, FeatureReader> {
  const places = new Map(fields.map(({ name }, c) => [name, c]));
  const readers = new Map<string, FeatureReader>();
  const bits = new Map<number, { readonly feature: string; readonly value: string }[]>();
  for (const feature of features) {
    const whole = places.get(feature);
    if (whole !== undefined) {
      readers.set(feature, (cells) => numberOf(cells[whole] ?? "", fields[whole].style));
      continue;
    }
    let at = feature.indexOf("=");
    while (at > 0 && !places.has(feature.slice(0, at))) at = feature.indexOf("=", at + 1);
    const column = places.get(feature.slice(0, at));
    if (column === undefined) continue;
    const own = bits.get(column) ?? [];
    own.push({ feature, value: feature.slice(at + 1) });
    bits.set(column, own);
  }
  for (const [column, own] of bits) {
    const values = own.map(({ value }) => value);
    const find = finderOf(columns[column], values, fields[column].style);
    own.forEach(({ feature }, place) => {
      readers.set(feature, (cells) => (find(cells[column] ?? "") === place ? 1 : 0));
    });
  }
  return readers;
}

/** Finds the position of the value, or of the bin, that a text belongs to. */
function finderOf(
  column: Column,
  values: readonly string[],
  style: NumberStyle | undefined,
): (text: string) => number | undefined {
  if (column.kind !== "binned") return categoryFinder(values);
  const places = valueLabels(column).map((label) => values.indexOf(label));
  return (text) => places[column.edges.filter((edge) => edge <= numberOf(text, style)).length];
}

/** A number, or a truth value as 0 or 1. */
function numberOf(text: string, style: NumberStyle | undefined): number {
  const number = readNumberText(text, style);
  if (number !== undefined) return number;
  return { true: 1, false: 0 }[text.toLowerCase()] ?? Number(text);
}

/** softmax(intercept + Σ coef · (x − mean) / scale), x a number or whether the column has the value. */
function evaluate(json: ClassifierJson, input: (feature: string) => number): number[] {
  const inputs = standardized(json, input);
  const logits = json.coef.map((row, k) =>
    row.reduce((sum, weight, f) => sum + weight * inputs[f], json.intercept[k]),
  );
  return softmax(json.classes.length === 2 ? [0, logits[0]] : logits);
}

/** The number that belongs to intercept + Σ coef · (x − mean) / scale. */
function evaluateNumber(json: RegressorJson, input: (feature: string) => number): number {
  const inputs = standardized(json, input);
  const sum = json.coef.reduce((total, weight, f) => total + weight * inputs[f], json.intercept);
  return numberOfSum(json.link ?? "identity", sum);
}

function standardized(
  { features, mean, scale }: Pick<RegressorJson, "features" | "mean" | "scale">,
  input: (feature: string) => number,
): number[] {
  return features.map((feature, f) => (input(feature) - (mean?.[f] ?? 0)) / (scale?.[f] ?? 1));
}
