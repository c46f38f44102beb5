import { FRACTIONS_OF_TWO } from "../math/exponential.ts";
import {
  type AtomColumns,
  type BinCodes,
  type ClassWeights,
  type ColumnSystem,
  type CutLimits,
  type Eliminated,
  type EntryChanges,
  type EntryRows,
  type FitKernels,
  type MaskedLeaves,
  PER_BIN,
  TILE,
  type TiltedColumns,
} from "./kernels.ts";
import type { SimdExports } from "./simd-exports.ts";

const PAGE = 65536;
/** Vectors of two numbers. */
const ALIGNED = 16;

/** One memory for all: its arrays are handed out from the start again at every {@link open}. */
export class SimdKernels implements FitKernels {
  readonly #memory: Memory;
  readonly #run: SimdExports;
  #used = 0;
  /** Where the constants end, which stay. */
  readonly #constants: number;

  constructor({ Memory, Instance }: Engine, module: object) {
    this.#memory = new Memory({ initial: 1 });
    const { exports } = new Instance(module, { env: { memory: this.#memory } });
    this.#run = exports as SimdExports;
    this.numbers(FRACTIONS_OF_TWO.length).set(FRACTIONS_OF_TWO);
    this.#constants = this.#used;
  }

  /** How many numbers its memory holds. */
  get size(): number {
    return this.#memory.buffer.byteLength / 8;
  }

  open(room: number): this {
    const missing = 8 * room + PAGE - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    this.#used = this.#constants;
    return this;
  }

  numbers(count: number): Float64Array {
    return new Float64Array(this.#memory.buffer, this.#take(8 * count), count);
  }

  integers(count: number): Int32Array {
    return new Int32Array(this.#memory.buffer, this.#take(4 * count), count);
  }

  hold(values: Float64Array): Float64Array {
    const held = this.numbers(values.length);
    held.set(values);
    return held;
  }

  holdEntries({ rowStart, entries }: EntryRows): EntryRows {
    return { rowStart: this.holdIntegers(rowStart), entries: this.holdIntegers(entries) };
  }

  scoreEntries(
    { rowStart, entries }: EntryRows,
    from: number,
    to: number,
    base: Float64Array,
    table: Float64Array,
    scores: Float64Array,
    line: number,
  ): void {
    const [first, all] = [rowStart.byteOffset + 4 * from, entries.byteOffset];
    const [start, t] = [base.byteOffset, table.byteOffset];
    this.#run.scoreEntries(first, all, to - from, start, t, scores.byteOffset, line);
  }

  scatterEntries(
    { rowStart, entries }: EntryRows,
    from: number,
    to: number,
    residuals: Float64Array,
    sums: Float64Array,
    line: number,
  ): void {
    const [first, all] = [rowStart.byteOffset + 4 * from, entries.byteOffset];
    this.#run.scatterEntries(first, all, to - from, residuals.byteOffset, sums.byteOffset, line);
  }

  scoreTiles(
    numbers: Float64Array,
    o: number,
    tilts: number,
    components: number,
    cells: Float64Array,
    rows: number,
    out: Float64Array,
  ): void {
    const [from, x, to] = [numbers.byteOffset, cells.byteOffset, out.byteOffset];
    const tiles = Math.ceil(rows / TILE);
    this.#run.scoreTiles(from, numbers.length / components, o, tilts, components, x, tiles, to);
  }

  eliminate(
    { n, tilts, depth, matrix, gain, roots }: Eliminated,
    column: number,
    to: Float64Array,
    work: Float64Array,
  ): void {
    const [m, g, root] = [matrix.byteOffset, gain.byteOffset, roots.byteOffset];
    this.#run.eliminate(n, tilts, depth, m, g, root, column, to.byteOffset, work.byteOffset);
  }

  conditionRows(
    { n, tilts, depth, matrix, gain, roots, mean }: Eliminated,
    cells: Float64Array,
    known: Int32Array,
    counts: Int32Array,
    from: number,
    to: number,
    work: Float64Array,
    sums: Float64Array,
  ): void {
    const [m, g, root, mu] = [matrix.byteOffset, gain.byteOffset, roots.byteOffset, mean.byteOffset];
    const [x, columns] = [cells.byteOffset + 8 * n * from, known.byteOffset + 4 * n * from];
    const [count, out] = [counts.byteOffset + 4 * from, sums.byteOffset + 32 * (3 + 2 * tilts) * from];
    const rows = to - from;
    this.#run.conditionRows(n, tilts, depth, m, g, root, mu, x, columns, count, rows, work.byteOffset, out);
  }

  addStates(table: Float64Array, codes: Int32Array, groups: number, out: Float64Array): void {
    const rows = out.length / TILE;
    this.#run.addStates(table.byteOffset, codes.byteOffset, groups, rows, out.byteOffset);
  }

  addNumbers(
    cells: Float64Array,
    weights: Float64Array,
    gaps: Float64Array,
    K: number,
    scores: Float64Array,
  ): void {
    const [columns, stride] = [weights.length / K, scores.length / K];
    const [x, w, gap, to] = [cells.byteOffset, weights.byteOffset, gaps.byteOffset, scores.byteOffset];
    this.#run.addNumbers(x, columns, stride, w, gap, K, to);
  }

  classProbabilities(scores: Float64Array, K: number, out: Float64Array): void {
    this.#run.classProbabilities(scores.byteOffset, scores.length / K, K, out.byteOffset, 0);
  }

  exponentials(values: Float64Array, rows: number, width: number): void {
    this.#run.exponentials(values.byteOffset, rows, width, 0);
  }

  holdChanges({ entryStart, changeSlot, change }: EntryChanges): EntryChanges {
    return {
      entryStart: this.holdIntegers(entryStart),
      changeSlot: this.holdIntegers(changeSlot),
      change: this.hold(change),
    };
  }

  fillTable(
    { entryStart, changeSlot, change }: EntryChanges,
    weights: Float64Array,
    table: Float64Array,
  ): void {
    const [first, slots, by] = [entryStart.byteOffset, changeSlot.byteOffset, change.byteOffset];
    this.#run.fillTable(first, entryStart.length - 1, slots, by, weights.byteOffset, table.byteOffset);
  }

  drainTable(
    { entryStart, changeSlot, change }: EntryChanges,
    sums: Float64Array,
    counts: Float64Array,
  ): void {
    const [first, slots, by] = [entryStart.byteOffset, changeSlot.byteOffset, change.byteOffset];
    this.#run.drainTable(first, entryStart.length - 1, slots, by, sums.byteOffset, counts.byteOffset);
  }

  shareRows(
    scores: Float64Array,
    line: number,
    weights: Float64Array,
    negligible: number,
    { largest, sums }: { readonly largest: Float64Array; readonly sums: Float64Array },
  ): void {
    const [x, w, most, all] = [scores.byteOffset, weights.byteOffset, largest.byteOffset, sums.byteOffset];
    this.#run.shareRows(x, weights.length, line, w, negligible, most, all, 0);
  }

  tiltColumns(
    { offsets, lanes }: AtomColumns,
    from: number,
    to: number,
    factors: Float64Array,
    q: Float64Array,
    { conditional, z, products }: TiltedColumns,
  ): void {
    const [first, zs] = [offsets.byteOffset + 4 * from, z.byteOffset + 8 * lanes * from];
    const [f, x, a] = [factors.byteOffset, q.byteOffset, conditional.byteOffset];
    this.#run.tiltColumns(first, to - from, lanes, f, x, a, zs, products.byteOffset, 0);
  }

  weighAtoms(
    { offsets, lanes }: AtomColumns,
    conditional: Float64Array,
    { shares, ones, smoothing }: ClassWeights,
    target: Float64Array,
    residual: Float64Array,
  ): void {
    const [first, a, to] = [offsets.byteOffset, conditional.byteOffset, residual.byteOffset];
    const [share, one, d] = [shares.byteOffset, ones.byteOffset, smoothing.byteOffset];
    this.#run.weighAtoms(first, smoothing.length, lanes, a, share, one, d, target.byteOffset, to);
  }

  spreadAtoms(
    lanes: number,
    conditional: Float64Array,
    from: number,
    to: number,
    { prior, roots }: { readonly prior: Float64Array; readonly roots: Float64Array },
    rows: Float64Array,
  ): void {
    const a = conditional.byteOffset + 8 * lanes * from;
    this.#run.spreadAtoms(lanes, a, to - from, prior.byteOffset, roots.byteOffset, rows.byteOffset);
  }

  solveColumns({ offsets, lanes }: AtomColumns, from: number, to: number, system: ColumnSystem): void {
    const { conditional, weights, target, leastCurvature, residual, rows, work } = system;
    const { shares, ones, smoothing } = weights;
    this.#run.solveColumns(
      offsets.byteOffset + 4 * from,
      to - from,
      lanes,
      conditional.byteOffset,
      shares.byteOffset,
      ones.byteOffset,
      smoothing.byteOffset + 8 * from,
      target.byteOffset,
      leastCurvature,
      residual.byteOffset,
      rows.byteOffset,
      work.byteOffset,
      system.solved.byteOffset,
      system.capacitance.byteOffset,
      system.y.byteOffset,
    );
  }

  combineSolved(lanes: number, solved: Float64Array, y: Float64Array, direction: Float64Array): void {
    const [from, to] = [solved.byteOffset, direction.byteOffset];
    this.#run.combineSolved(lanes, from, direction.length, y.byteOffset, to);
  }

  addLeaves(
    { columns, left, trees, open, values, width, S }: MaskedLeaves,
    cells: Int32Array,
    count: number,
    sums: Float64Array,
    scratch: Int32Array,
  ): void {
    const table = scratch.subarray(left.length);
    columns.forEach(({ lines, groups, shift, nodeGroups, nodeMasks }, j) => {
      const [line, list, nodes] = [lines.byteOffset, groups.byteOffset, nodeGroups.byteOffset];
      table.set([line, list, groups.length, shift, nodes, nodeMasks.byteOffset, nodeGroups.length], 8 * j);
    });
    this.#run.addLeaves(
      table.byteOffset,
      columns.length,
      cells.byteOffset,
      count,
      left.byteOffset,
      left.length / 4,
      scratch.byteOffset,
      trees.byteOffset,
      open,
      values.byteOffset,
      width,
      sums.byteOffset,
      S,
    );
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer, this.#take(count), count);
  }

  gatherDerivatives(
    derivatives: Float64Array,
    rows: Int32Array,
    from: number,
    to: number,
    gathered: Float64Array,
  ): void {
    const first = rows.byteOffset + 4 * from;
    this.#run.gatherDerivatives(derivatives.byteOffset, first, to - from, gathered.byteOffset);
  }

  addToBins(
    bins: BinCodes,
    rows: Int32Array,
    from: number,
    to: number,
    gathered: Float64Array,
    sums: Float64Array,
    first: number,
  ): void {
    const [wide, row] = [bins.BYTES_PER_ELEMENT >> 2, rows.byteOffset + 4 * from];
    const at = sums.byteOffset + 8 * PER_BIN * first;
    this.#run.addToBins(bins.byteOffset, wide, row, to - from, gathered.byteOffset, at);
  }

  subtractBins(whole: Float64Array, part: Float64Array): void {
    this.#run.subtractBins(whole.byteOffset, part.byteOffset, whole.length);
  }

  findCut(
    sums: Float64Array,
    first: number,
    count: number,
    order: Int32Array | undefined,
    totals: Float64Array,
    { leastRows, leastCurvature, l2 }: CutLimits,
    best: Float64Array,
  ): boolean {
    const found = this.#run.findCut(
      sums.byteOffset + 8 * PER_BIN * first,
      count,
      order ? order.byteOffset : 0,
      totals[0],
      totals[1],
      totals[2],
      leastRows,
      leastCurvature,
      l2,
      best.byteOffset,
    );
    return found === 1;
  }

  divideRows(
    bins: BinCodes,
    rows: Int32Array,
    from: number,
    to: number,
    goesLeft: Uint8Array,
    others: Int32Array,
  ): number {
    const [wide, first] = [bins.BYTES_PER_ELEMENT >> 2, rows.byteOffset + 4 * from];
    const [sides, rest] = [goesLeft.byteOffset, others.byteOffset];
    return from + this.#run.divideRows(bins.byteOffset, wide, first, to - from, sides, rest);
  }

  holdIntegers(values: Int32Array): Int32Array {
    const held = this.integers(values.length);
    held.set(values);
    return held;
  }

  #take(bytes: number): number {
    const at = this.#used;
    this.#used += Math.ceil(bytes / ALIGNED) * ALIGNED;
    return at;
  }
}

/** The part of the engine's WebAssembly that is used; the language's own types do not have it. */
export interface Engine {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
