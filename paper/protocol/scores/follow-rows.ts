import type { Schema, Table } from "conformant";
import { slotOffsets } from "conformant/remote";
import type { Removal } from "../removal.ts";
import type { AdditiveScores } from "./additive-scores.ts";
import { ScoreSums, type Scores } from "./metrics.ts";

/** What the predictions of a row are scored by. */
export interface Judgement {
  /** rows × K: the predictions with nothing missing. */
  readonly full: Float64Array;
  readonly truth: Int32Array;
  readonly added: number;
}

/** Additive methods over the rows of a table, with the scores of the complete rows, which every repeat starts from. */
export interface FollowedRows {
  readonly table: Table;
  readonly methods: readonly AdditiveScores[];
  /** Per method rows × K. */
  readonly complete: readonly Float64Array[];
}

/** Scores the complete rows once. A value that is unknown to begin with is a gap from the start. */
export function startFollowing(table: Table, methods: readonly AdditiveScores[]): FollowedRows {
  const complete = methods.map(({ intercept, known, gaps }) => {
    const K = intercept.length;
    const scores = new Float64Array(table.rows * K);
    for (let r = 0; r < table.rows; r++) scores.set(intercept, r * K);
    eachColumn(table.schema, (i, offset, binary) => {
      const cells = table.columns[i];
      for (let r = 0; r < table.rows; r++) {
        if (cells[r] === 0 && binary) continue;
        const [from, at] = cells[r] < 0 ? [gaps, i * K] : [known, (binary ? offset : offset + cells[r]) * K];
        for (let k = 0; k < K; k++) scores[r * K + k] += from[at + k];
      }
    });
    return scores;
  });
  return { table, methods, complete };
}

/**
 * Follows every row while its columns go missing and judges each method at each number of missing columns: one pass over the
 * columns of a row serves all numbers.
 *
 * @param missing numbers of missing groups, ascending
 * @returns per method one entry per number
 */
export function followRows(
  { table, methods, complete }: FollowedRows,
  { order, groups }: Removal,
  missing: readonly number[],
  { full, truth, added }: Judgement,
): Scores[][] {
  const K = methods[0]?.intercept.length ?? 0;
  const sums = methods.map(() => missing.map(() => new ScoreSums(K, added)));
  const slots = slotOfCell(table);
  const gone = new Uint8Array(table.columns.length);
  const scores = new Float64Array(K);
  const predicted = new Float64Array(K);
  for (let r = 0; r < table.rows; r++) {
    methods.forEach(({ known, gaps }, m) => {
      gone.fill(0);
      for (let k = 0; k < K; k++) scores[k] = complete[m][r * K + k];
      let removed = 0;
      missing.forEach((count, at) => {
        for (; removed < count; removed++) {
          for (const i of groups[order[r * groups.length + removed]]) {
            if (gone[i] === 1) continue;
            gone[i] = 1;
            const slot = slots[i][r];
            if (slot === GAP) continue;
            for (let k = 0; k < K; k++) scores[k] += gaps[i * K + k];
            if (slot !== NOTHING) for (let k = 0; k < K; k++) scores[k] -= known[slot * K + k];
          }
        }
        softmaxInto(predicted, scores);
        sums[m][at].add(full, r * K, predicted, 0, truth[r]);
      });
    });
  }
  return sums.map((ofMethod) => ofMethod.map((own) => own.scores()));
}

/** A 0/1 column that is 0 adds nothing. */
const NOTHING = -1;
/** A cell that was missing before. */
const GAP = -2;

/** Per column and row the slot whose weights the cell adds. */
function slotOfCell(table: Table): Int32Array[] {
  const slots: Int32Array[] = [];
  eachColumn(table.schema, (i, offset, binary) => {
    slots.push(
      Int32Array.from(table.columns[i], (code) => {
        if (code < 0) return GAP;
        if (binary) return code === 0 ? NOTHING : offset;
        return offset + code;
      }),
    );
  });
  return slots;
}

function eachColumn(schema: Schema, visit: (column: number, offset: number, binary: boolean) => void): void {
  const offsets = slotOffsets(schema);
  schema.columns.forEach(({ kind }, i) => {
    visit(i, offsets[i], kind === "binary");
  });
}

function softmaxInto(out: Float64Array, scores: Float64Array): void {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < scores.length; k++) if (scores[k] > largest) largest = scores[k];
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    out[k] = Math.exp(scores[k] - largest);
    sum += out[k];
  }
  for (let k = 0; k < scores.length; k++) out[k] /= sum;
}
