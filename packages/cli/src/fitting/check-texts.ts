import {
  answerOfTrees,
  type Classifier,
  type ClassifierJson,
  categoryKey,
  classifyRows,
  findCompleteRows,
  type NumberStyle,
  pickRows,
  readNumberText,
  type Table,
  type TreeClassifier,
} from "conformant";
import { type BroughtClassifier, isTrees } from "../interop/brought-classifier.ts";
import { softmax, walkTrees } from "../interop/trees/walk-trees.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Connector } from "../sources/connector.ts";
import { cleanRead, type Field, type FieldSet } from "../sql/fields.ts";

/** Complete rows that are checked. */
const CHECKED = 10_000;

/** A check of a classifier against the texts of the data. */
export interface TextCheck {
  readonly rows: number;
  /** The largest difference of a probability. */
  readonly difference: number;
}

/**
 * Computes the formula of a brought classifier from the texts of complete rows, as they stand in the source, and compares it
 * with what our columns and codes give. What a value has lost on its way from the file shows here.
 */
export async function checkTexts(
  connector: Connector,
  fields: FieldSet,
  json: BroughtClassifier["json"],
  classifier: Classifier | TreeClassifier,
): Promise<TextCheck> {
  const { schema } = classifier;
  const own = schema.columns.map(({ name }) => fields.fields.get(name) as Field);
  const texts = own.map(({ raw }) => connector.dialect.text(raw));
  const K = classifier.classes.length;
  let [rows, difference] = [0, 0];
  for await (const batch of readRows(connector, fields, schema, { texts })) {
    const table: Table = {
      schema,
      rows: batch.rows,
      columns: batch.columns as Table["columns"],
      unseen: [],
    };
    const complete = findCompleteRows(table);
    const computed =
      "kind" in classifier
        ? answersOf(classifier, pickRows(table, complete))
        : classifyRows(classifier, pickRows(table, complete));
    complete.forEach((r, at) => {
      const cells = new Map(own.map((field, c) => [field.name, readCell(field, batch.texts[c][r])]));
      if ([...cells.values()].includes(undefined)) difference = 1; // a gap in the text that is none in the codes
      const input = (feature: string): number => inputOf(feature, cells as ReadonlyMap<string, Cell>);
      const expected = isTrees(json)
        ? walkTrees(json, input, (name) => cells.get(name)?.text)
        : evaluate(json, input);
      for (let k = 0; k < K; k++) {
        const gap = Math.abs(expected[k] - computed[at * K + k]);
        difference = Math.max(difference, Number.isNaN(gap) ? 1 : gap);
      }
    });
    rows += complete.length;
    if (rows >= CHECKED) break;
  }
  return { rows, difference };
}

interface Cell {
  readonly text: string;
  readonly style: NumberStyle | undefined;
}

function readCell({ gaps, style }: Field, text: string | null): Cell | undefined {
  const clean = text === null ? undefined : cleanRead(text, gaps);
  return clean === undefined ? undefined : { text: clean, style };
}

/** softmax(intercept + Σ coef · (x − mean) / scale), x a number or whether the column has the value. */
function evaluate(
  { classes, features, intercept, coef, mean, scale }: ClassifierJson,
  input: (feature: string) => number,
): number[] {
  const inputs = features.map((feature, f) => (input(feature) - (mean?.[f] ?? 0)) / (scale?.[f] ?? 1));
  const logits = coef.map((row, k) => row.reduce((sum, weight, f) => sum + weight * inputs[f], intercept[k]));
  const scores = classes.length === 2 ? [0, logits[0]] : logits;
  return softmax(scores);
}

function inputOf(feature: string, cells: ReadonlyMap<string, Cell>): number {
  const whole = cells.get(feature);
  if (whole) {
    const truth = { true: 1, false: 0 }[whole.text.toLowerCase()];
    return truth ?? readNumberText(whole.text, whole.style) ?? Number(whole.text);
  }
  for (let at = feature.indexOf("="); at > 0; at = feature.indexOf("=", at + 1)) {
    const cell = cells.get(feature.slice(0, at));
    if (cell) return categoryKey(cell.text) === categoryKey(feature.slice(at + 1)) ? 1 : 0;
  }
  return Number.NaN;
}

/** What trees answer to complete rows: rows × K. */
function answersOf(trees: TreeClassifier, table: Table): Float64Array {
  const K = trees.classes.length;
  const answers = new Float64Array(table.rows * K);
  const x = new Float64Array(table.columns.length);
  for (let r = 0; r < table.rows; r++) {
    table.columns.forEach((cells, i) => {
      x[i] = cells[r];
    });
    answers.set(answerOfTrees(trees, x), r * K);
  }
  return answers;
}
