import type { Classifier } from "../../classifier/classifier.ts";
import { sameGaps } from "../../classifier/classify-rows.ts";
import { scoreRow } from "../../classifier/score-row.ts";
import { ConformantError, show } from "../../errors.ts";
import { createAtoms } from "../../model/atoms.ts";
import type { Model } from "../../model/model.ts";
import { slotOffsets } from "../../schema/column.ts";
import type { Row } from "../../schema/data.ts";
import { encode } from "../../schema/encode.ts";
import { cellsOfRow } from "../../schema/rows/read-row.ts";
import type { CompletionSpace } from "./completion-space.ts";

/** A classifier's scores on the completions of a row: start + the entry of each missing column's atom. */
export interface CompletedScores {
  readonly K: number;
  /** b_k + Σ_{i known} s_ki(y_i). */
  readonly start: Float64Array;
  /** Per missing column of the model s_k(v): atoms × K; zeros for a column that the classifier does not use. */
  readonly columns: readonly Float64Array[];
  /** Per hidden normal number its weights, h × K. */
  readonly numbers: Float64Array;
}

/** The scores of any classifier whose columns are among the model's. */
export function completedScores(classifier: Classifier, space: CompletionSpace, row: Row): CompletedScores {
  const { model, missing, normals } = space;
  const { schema, weights, intercept } = classifier;
  const K = intercept.length;
  const place = placesIn(model, classifier);
  const table = encode(schema, [row]);
  const start = new Float64Array(K);
  scoreRow(classifier, sameGaps(classifier, 0), cellsOfRow(table, 0), start);
  const slots = slotOffsets(schema);
  const atoms = createAtoms(
    classifier,
    place.map((at) => model.atoms.columns[at]),
  );
  const columns = missing.map(({ index, count }) => {
    const own = place.indexOf(index);
    if (own < 0) return new Float64Array(count * K);
    return atoms.scores.slice(atoms.offsets[own] * K, atoms.offsets[own + 1] * K);
  });
  const numbers = new Float64Array(normals.columns.length * K);
  normals.columns.forEach((index, a) => {
    const own = place.indexOf(index);
    if (own >= 0) numbers.set(weights.subarray(slots[own] * K, (slots[own] + 1) * K), a * K);
  });
  return { K, start, columns, numbers };
}

/** Writes the class scores of one completion into `out`. */
export function addCompletion(
  { K, start, columns, numbers: weights }: CompletedScores,
  atoms: Int32Array,
  numbers: Float64Array,
  out: Float64Array,
): void {
  out.set(start);
  for (let j = 0; j < columns.length; j++) {
    const at = atoms[j] * K;
    for (let k = 0; k < K; k++) out[k] += columns[j][at + k];
  }
  for (let a = 0; a < numbers.length; a++) {
    for (let k = 0; k < K; k++) out[k] += numbers[a] * weights[a * K + k];
  }
}

/** Where each column of the classifier stands in the model. */
function placesIn(model: Model, classifier: Classifier): number[] {
  const { columns } = model.classifier.schema;
  if (classifier === model.classifier) return columns.map((_, i) => i);
  return classifier.schema.columns.map((column) => {
    const at = columns.findIndex(({ name }) => name === column.name);
    if (at >= 0 && JSON.stringify(columns[at]) === JSON.stringify(column)) return at;
    const trouble = at < 0 ? "is not a column of the model" : "has other values or another kind in the model";
    const message = `column ${show(column.name)} of the classifier ${trouble}; wrap it in a function of the row instead`;
    throw new ConformantError("incompatible-marginals", message, { column: column.name });
  });
}
