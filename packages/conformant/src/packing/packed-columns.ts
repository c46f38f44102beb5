import { isDiscrete, slotOffsets, valueCount } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";

/**
 * The discrete columns of some rows as a product of two sparse matrices. Neighbouring columns form a group of at most
 * 256 combinations of values (eight 0/1 columns, say). A combination that occurs is a *pattern*, the commonest of each
 * group its *reference*, and only what differs from the reference is stored:
 *
 *     x_r = reference + Σ_{patterns p of row r} Σ_{changes of p} sign · e_slot
 *
 * A pass over the rows then adds one table entry per pattern instead of one weight per value: on binarised MNIST
 * 35 patterns of a row stand for 117 ones.
 */
export interface PackedColumns {
  /** Row r has `patterns[rowStart[r]]` to `patterns[rowStart[r + 1] − 1]`; rows + 1 numbers. */
  readonly rowStart: Int32Array;
  readonly patterns: Int32Array;
  /** Pattern p has the changes `patternStart[p]` to `patternStart[p + 1] − 1`; patterns + 1 numbers. */
  readonly patternStart: Int32Array;
  readonly changeSlot: Int32Array;
  /** +1 where the pattern sets a slot that the reference does not, −1 where it is the other way round. */
  readonly changeSign: Int8Array;
  /** The row that has the reference in every group: 0 or 1 per slot, 0 in the slots of numeric columns. */
  readonly reference: Float64Array;
}

/** Most combinations in a group, unless one column alone has more; the tables over all patterns then stay in cache. */
const COMBINATIONS = 256;

/** A column as one digit of its group's code: a value v adds unit·v. */
interface Digit {
  readonly cells: EncodedColumn;
  readonly unit: number;
  readonly values: number;
  /** The slot that value v sets; a 0/1 column has one slot, which 0 does not set. */
  readonly slotOf: (value: number) => number | undefined;
}

/** The digits of a group and the code of every row. */
interface Group {
  readonly digits: readonly Digit[];
  readonly codes: Uint8Array | Int32Array;
  readonly combinations: number;
}

/** Packs the discrete columns of the given rows, which have no gaps. */
export function packColumns(table: Table, rows: Int32Array): PackedColumns {
  const groups = groupDigits(table).map((digits) => codeRows(digits, rows));
  const reference = new Float64Array(slotOffsets(table.schema)[table.schema.columns.length]);
  const changes: Changes = { patternStart: [0], slot: [], sign: [] };
  const patternOf = groups.map((group) => listPatterns(group, reference, changes));
  return {
    ...listRows(groups, patternOf, rows.length),
    patternStart: Int32Array.from(changes.patternStart),
    changeSlot: Int32Array.from(changes.slot),
    changeSign: Int8Array.from(changes.sign),
    reference,
  };
}

function groupDigits(table: Table): Digit[][] {
  const starts = slotOffsets(table.schema);
  const groups: Digit[][] = [];
  let combinations = Number.POSITIVE_INFINITY;
  table.schema.columns.forEach((column, i) => {
    if (!isDiscrete(column)) return;
    const values = valueCount(column);
    if (combinations * values > COMBINATIONS) {
      groups.push([]);
      combinations = 1;
    }
    const slot = starts[i];
    const slotOf =
      column.kind === "binary"
        ? (value: number) => (value === 1 ? slot : undefined)
        : (value: number) => slot + value;
    groups[groups.length - 1].push({ cells: table.columns[i], unit: combinations, values, slotOf });
    combinations *= values;
  });
  return groups;
}

function codeRows(digits: readonly Digit[], rows: Int32Array): Group {
  const { unit, values } = digits[digits.length - 1];
  const combinations = unit * values;
  const codes = new (combinations <= 256 ? Uint8Array : Int32Array)(rows.length);
  for (const digit of digits) addDigit(codes, digit, rows);
  return { digits, codes, combinations };
}

function addDigit(codes: Uint8Array | Int32Array, { cells, unit }: Digit, rows: Int32Array): void {
  for (let r = 0; r < rows.length; r++) codes[r] += unit * cells[rows[r]];
}

interface Changes {
  readonly patternStart: number[];
  readonly slot: number[];
  readonly sign: number[];
}

/** Numbers the patterns of a group and notes their changes. Returns code → pattern, −1 for the reference. */
function listPatterns(
  { digits, codes, combinations }: Group,
  reference: Float64Array,
  out: Changes,
): Int32Array {
  const counts = new Int32Array(combinations);
  for (let r = 0; r < codes.length; r++) counts[codes[r]]++;
  const commonest = indexOfLargest(counts);
  const patternOf = new Int32Array(combinations).fill(-1);
  for (const digit of digits) setSlot(reference, digit, commonest);
  for (let code = 0; code < combinations; code++) {
    if (counts[code] === 0 || code === commonest) continue;
    patternOf[code] = out.patternStart.length - 1;
    for (const digit of digits) noteChange(digit, commonest, code, out);
    out.patternStart.push(out.slot.length);
  }
  return patternOf;
}

function valueIn({ unit, values }: Digit, code: number): number {
  return Math.floor(code / unit) % values;
}

function setSlot(reference: Float64Array, digit: Digit, code: number): void {
  const slot = digit.slotOf(valueIn(digit, code));
  if (slot !== undefined) reference[slot] = 1;
}

function noteChange(digit: Digit, from: number, to: number, out: Changes): void {
  const [before, after] = [valueIn(digit, from), valueIn(digit, to)];
  if (before === after) return;
  const [unset, set] = [digit.slotOf(before), digit.slotOf(after)];
  if (unset !== undefined) {
    out.slot.push(unset);
    out.sign.push(-1);
  }
  if (set !== undefined) {
    out.slot.push(set);
    out.sign.push(1);
  }
}

/** Turns codes per group into patterns per row, references left out. */
function listRows(groups: readonly Group[], patternOf: readonly Int32Array[], rows: number) {
  const rowStart = new Int32Array(rows + 1);
  for (const [g, { codes }] of groups.entries()) countPatterns(codes, patternOf[g], rowStart);
  for (let r = 0; r < rows; r++) rowStart[r + 1] += rowStart[r];
  const patterns = new Int32Array(rowStart[rows]);
  const next = rowStart.slice(0, rows);
  for (const [g, { codes }] of groups.entries()) placePatterns(codes, patternOf[g], next, patterns);
  return { rowStart, patterns };
}

function countPatterns(codes: Group["codes"], patternOf: Int32Array, rowStart: Int32Array): void {
  for (let r = 0; r < codes.length; r++) if (patternOf[codes[r]] >= 0) rowStart[r + 1]++;
}

function placePatterns(
  codes: Group["codes"],
  patternOf: Int32Array,
  next: Int32Array,
  out: Int32Array,
): void {
  for (let r = 0; r < codes.length; r++) {
    const pattern = patternOf[codes[r]];
    if (pattern >= 0) out[next[r]++] = pattern;
  }
}

function indexOfLargest(counts: Int32Array): number {
  let at = 0;
  for (let i = 1; i < counts.length; i++) if (counts[i] > counts[at]) at = i;
  return at;
}
