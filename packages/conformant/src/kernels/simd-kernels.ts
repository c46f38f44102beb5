import { FRACTIONS_OF_TWO } from "../math/exponential/fractions-of-two.ts";
import type {
  AtomColumns,
  ClassWeights,
  ColumnSystem,
  EntryChanges,
  FitKernels,
  TiltedColumns,
} from "./fit-kernels.ts";
import { type Eliminated, type EntryRows, type Kernels, TILE } from "./kernels.ts";
import { SIMD_BINARY } from "./simd-binary.ts";

/** The part of the engine's WebAssembly that is used; the language's own types do not have it. */
interface Engine {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The functions of assembly/; addresses are in bytes. */
interface Exports {
  scoreTiles(
    numbers: number,
    stride: number,
    o: number,
    tilts: number,
    components: number,
    cells: number,
    tiles: number,
    out: number,
  ): void;
  eliminate(
    n: number,
    tilts: number,
    depth: number,
    matrix: number,
    gain: number,
    roots: number,
    column: number,
    to: number,
    work: number,
  ): void;
  conditionRows(
    n: number,
    tilts: number,
    depth: number,
    matrix: number,
    gain: number,
    roots: number,
    mean: number,
    cells: number,
    known: number,
    counts: number,
    rows: number,
    work: number,
    sums: number,
  ): void;
  scoreEntries(
    rowStart: number,
    entries: number,
    rows: number,
    base: number,
    table: number,
    scores: number,
    line: number,
  ): void;
  scatterEntries(
    rowStart: number,
    entries: number,
    rows: number,
    residuals: number,
    sums: number,
    line: number,
  ): void;
  addStates(table: number, codes: number, groups: number, rows: number, out: number): void;
  addNumbers(
    cells: number,
    columns: number,
    stride: number,
    weights: number,
    gaps: number,
    K: number,
    scores: number,
  ): void;
  classProbabilities(scores: number, stride: number, K: number, out: number, fractions: number): void;
  exponentials(values: number, rows: number, width: number, fractions: number): void;
  fillTable(
    entryStart: number,
    entries: number,
    changeSlot: number,
    change: number,
    weights: number,
    table: number,
  ): void;
  drainTable(
    entryStart: number,
    entries: number,
    changeSlot: number,
    change: number,
    sums: number,
    counts: number,
  ): void;
  shareRows(
    scores: number,
    rows: number,
    line: number,
    weights: number,
    negligible: number,
    largest: number,
    sums: number,
    fractions: number,
  ): void;
  tiltColumns(
    offsets: number,
    columns: number,
    lanes: number,
    factors: number,
    q: number,
    conditional: number,
    z: number,
    products: number,
    fractions: number,
  ): void;
  weighAtoms(
    offsets: number,
    columns: number,
    lanes: number,
    conditional: number,
    shares: number,
    ones: number,
    smoothing: number,
    target: number,
    residual: number,
  ): void;
  spreadAtoms(
    lanes: number,
    conditional: number,
    atoms: number,
    prior: number,
    roots: number,
    rows: number,
  ): void;
  solveColumns(
    offsets: number,
    columns: number,
    lanes: number,
    conditional: number,
    shares: number,
    ones: number,
    smoothing: number,
    target: number,
    leastCurvature: number,
    residual: number,
    rows: number,
    work: number,
    solved: number,
    capacitance: number,
    y: number,
  ): void;
  combineSolved(lanes: number, solved: number, atoms: number, y: number, direction: number): void;
}

const PAGE = 65536;
/** Vectors of two numbers. */
const ALIGNED = 16;

/** One memory for all: its arrays are handed out from the start again at every {@link open}. */
class SimdKernels implements FitKernels {
  readonly #memory: Memory;
  readonly #run: Exports;
  #used = 0;
  /** Where the constants end, which stay. */
  readonly #constants: number;

  constructor({ Memory, Instance }: Engine, module: object) {
    this.#memory = new Memory({ initial: 1 });
    const { exports } = new Instance(module, { env: { memory: this.#memory } });
    this.#run = exports as Exports;
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
    return { rowStart: this.#holdIntegers(rowStart), entries: this.#holdIntegers(entries) };
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
      entryStart: this.#holdIntegers(entryStart),
      changeSlot: this.#holdIntegers(changeSlot),
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

  #holdIntegers(values: Int32Array): Int32Array {
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

/** Makes kernels, each with a memory of its own; null where the engine cannot or may not run them. Found out at the first use. */
let make: (() => SimdKernels) | null | undefined;
/** Those that everybody opens. */
let shared: SimdKernels | undefined;
/** Those that were lent and came back. */
const spares: SimdKernels[] = [];
/** Numbers in the memory of a spare at most, 64 MB; a larger memory goes when it is no longer needed. */
const SPARED = 1 << 23;

/** The kernels of WebAssembly with room for so many numbers, or undefined where the engine has none. */
export function simdKernels(room: number): Kernels | undefined {
  if (make === undefined) make = startKernels();
  if (!make) return undefined;
  shared ??= make();
  return shared.open(room);
}

/** Kernels for `use` alone, whose arrays are good until it returns; undefined where the engine has none. */
export function lendSimdKernels<T>(room: number, use: (kernels: FitKernels) => T): { answer: T } | undefined {
  if (make === undefined) make = startKernels();
  if (!make) return undefined;
  const kernels = spares.pop() ?? make();
  try {
    return { answer: use(kernels.open(room)) };
  } finally {
    if (kernels.size <= SPARED) spares.push(kernels);
  }
}

function startKernels(): (() => SimdKernels) | null {
  const { WebAssembly } = globalThis as { WebAssembly?: Engine };
  if (!WebAssembly) return null;
  try {
    const bytes = Uint8Array.from(SIMD_BINARY.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
    const module = new WebAssembly.Module(bytes);
    const made = (): SimdKernels => new SimdKernels(WebAssembly, module);
    shared = made();
    return made;
  } catch {
    // No SIMD, or a page whose security policy allows no WebAssembly: the plain loops give the same.
    return null;
  }
}
