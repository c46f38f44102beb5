import type { Context } from "../kernels/context.ts";
import { FOUR, type Kernels } from "../kernels/kernels.ts";
import type { ClassTilt } from "../schema/class-tilt.ts";
import { isLinear, type Schema, slotCount, slotOffsets } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";

/** Rows that are scored together: their scores and cells stay in the processor's cache. */
const ROWS_TOGETHER = 512;
/** Columns of numbers that go through the rows together. */
const COLUMNS_TOGETHER = 64;

/** Neighbouring columns of numbers and bits, whose scores are w·x. */
interface Numbers {
  readonly columns: readonly number[];
  /** columns × K. */
  readonly weights: Float64Array;
  readonly gaps: Float64Array;
}

/** A column of values. */
interface Values {
  readonly column: number;
  /** Scores of the codes −1 (missing), 0, 1, …, K each. */
  readonly table: Float64Array;
}

/**
 * The class scores of many rows,
 *
 *     b_k + Σ_{i known} s_ki(y_i) + Σ_{i missing} gap_ki
 *
 * Known numbers count with their true value, so a complete row gets the classifier's own scores.
 */
export class ClassScorer {
  readonly #schema: Schema;
  readonly #intercept: Float64Array;
  readonly #parts: readonly (Numbers | Values)[];

  /** @param gaps columns × K, what a gap in each column is worth to each class */
  constructor(tilt: ClassTilt, gaps: Float64Array) {
    this.#schema = tilt.schema;
    this.#intercept = tilt.intercept;
    this.#parts = partsOf(tilt, gaps);
  }

  /** Writes the scores of rows `start` to `end`, (end − start) × K. */
  score(table: Table, start: number, end: number, out: Float64Array, context: Context): void {
    const K = this.#intercept.length;
    this.#eachBatch(start, end, out, context, (kernels, from, to, own) => {
      const scores = this.#score(kernels, table, from, to);
      const stride = scores.length / K;
      for (let k = 0; k < K; k++) for (let r = 0; r < to - from; r++) own[r * K + k] = scores[k * stride + r];
    });
  }

  /** Writes the probabilities that belong to the scores; NaN in all classes of a row whose scores give none. */
  classify(table: Table, start: number, end: number, out: Float64Array, context: Context): void {
    const K = this.#intercept.length;
    this.#eachBatch(start, end, out, context, (kernels, from, to, own) => {
      const scores = this.#score(kernels, table, from, to);
      const probabilities = kernels.numbers(scores.length);
      kernels.classProbabilities(scores, K, probabilities);
      own.set(probabilities.subarray(0, own.length));
    });
  }

  /** Calls back for rows that go together, with the part of `out` that is theirs, rows × K. */
  #eachBatch(
    start: number,
    end: number,
    out: Float64Array,
    context: Context,
    visit: (kernels: Kernels, from: number, to: number, out: Float64Array) => void,
  ): void {
    const K = this.#intercept.length;
    const most = Math.min(ROWS_TOGETHER, FOUR * Math.ceil((end - start) / FOUR));
    const room = (most + COLUMNS_TOGETHER) * 2 * K + most * COLUMNS_TOGETHER + 8;
    for (let from = start; from < end; from += most) {
      const to = Math.min(from + most, end);
      context.use(room, (kernels) =>
        visit(kernels, from, to, out.subarray((from - start) * K, (to - start) * K)),
      );
    }
  }

  /** K × stride; the last rows of a line may be whatever was there. */
  #score(kernels: Kernels, table: Table, start: number, end: number): Float64Array {
    const K = this.#intercept.length;
    const stride = FOUR * Math.ceil((end - start) / FOUR);
    const scores = kernels.numbers(K * stride);
    const cells = kernels.numbers(COLUMNS_TOGETHER * stride);
    const held = kernels.numbers(2 * COLUMNS_TOGETHER * K);
    for (let k = 0; k < K; k++) scores.fill(this.#intercept[k], k * stride, (k + 1) * stride);
    for (const part of this.#parts) {
      if ("table" in part) {
        addByCode(part.table, K, table.columns[part.column].subarray(start, end), scores);
        continue;
      }
      const { columns, weights, gaps } = part;
      for (let at = 0; at < columns.length; at++) {
        const i = columns[at];
        const own = table.columns[i].subarray(start, end);
        if (this.#schema.columns[i].kind === "numeric") cells.set(own, at * stride);
        else copyBits(own, cells, at * stride);
      }
      held.set(weights);
      held.set(gaps, weights.length);
      const [w, gap] = [held.subarray(0, weights.length), held.subarray(weights.length, 2 * weights.length)];
      kernels.addNumbers(cells, w, gap, K, scores);
    }
    return scores;
  }
}

/** The columns in their order, neighbours with numbers together. */
function partsOf({ schema, intercept, weights }: ClassTilt, gaps: Float64Array): (Numbers | Values)[] {
  const K = intercept.length;
  const slots = slotOffsets(schema);
  const { columns } = schema;
  const parts: (Numbers | Values)[] = [];
  for (let i = 0; i < columns.length; ) {
    let end = i + 1;
    if (isLinear(columns[i])) {
      while (end < columns.length && end - i < COLUMNS_TOGETHER && isLinear(columns[end])) end++;
      parts.push({
        columns: Array.from({ length: end - i }, (_, at) => i + at),
        // One slot a column: weights and gaps of neighbours are neighbours.
        weights: weights.slice(slots[i] * K, slots[end] * K),
        gaps: gaps.slice(i * K, end * K),
      });
    } else {
      const table = new Float64Array((slots[end] - slots[i] + 1) * K);
      table.set(gaps.subarray(i * K, end * K));
      table.set(weights.subarray(slots[i] * K, slots[end] * K), K);
      parts.push({ column: i, table });
    }
    i = end;
  }
  return parts;
}

/** What a bit is as a number: missing, 0, 1. Looked up, since no branch foresees it. */
const BITS = Float64Array.of(Number.NaN, 0, 1);

/** Bits as numbers, with NaN for a gap. */
function copyBits(bits: EncodedColumn, to: Float64Array, at: number): void {
  for (let r = 0; r < bits.length; r++) to[at + r] = BITS[bits[r] + 1];
}

function addByCode(table: Float64Array, K: number, codes: EncodedColumn, scores: Float64Array): void {
  const stride = scores.length / K;
  for (let k = 0; k < K; k++) {
    const to = k * stride;
    for (let r = 0; r < codes.length; r++) scores[to + r] += table[(codes[r] + 1) * K + k];
  }
}

/**
 * The class scores of one row, as {@link ClassScorer} has them to the last bit, without what pays for many rows only.
 *
 * @param gaps columns × K, what a gap in each column is worth to each class
 * @param cells one per column, NaN for a gap among numbers and −1 among codes
 * @param out K numbers, overwritten
 */
export function scoreRow(
  { schema: { columns }, intercept, weights }: ClassTilt,
  gaps: Float64Array,
  cells: Float64Array,
  out: Float64Array,
): void {
  const K = intercept.length;
  for (let k = 0; k < K; k++) out[k] = intercept[k];
  let slot = 0;
  for (let i = 0; i < columns.length; i++) {
    const x = cells[i];
    if (columns[i].kind === "numeric" ? Number.isNaN(x) : x < 0) {
      for (let k = 0; k < K; k++) out[k] += gaps[i * K + k];
    } else if (isLinear(columns[i])) {
      for (let k = 0; k < K; k++) out[k] += weights[slot * K + k] * x;
    } else {
      for (let k = 0; k < K; k++) out[k] += weights[(slot + x) * K + k];
    }
    slot += slotCount(columns[i]);
  }
}
