import type { Column, Table } from "conformant";
import { pickRows } from "conformant/internal";
import { isIndicatorColumn } from "../source/positions.ts";

/**
 * Hashes by which rows that a model was fitted on are recognized. Values cannot be read back from them; who has a row can find out
 * whether it was used.
 */
export interface TrainingRows {
  /** Rows that the model was fitted on. */
  readonly rows: number;
  /** How likely a row that was not used equals one of the hashed rows by chance. */
  readonly chance: number;
  /**
   * Hexadecimal, the same number of digits each, sorted and joined: of the rows that are not equal to another one, or of a random part of
   * them in a large table.
   */
  readonly hashes: string;
  readonly digits: number;
}

/** Two streams of 32 bits each, mixed by the finalizer of MurmurHash3. */
class RowHash {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;

  add(word: number): void {
    this.#a = mix(this.#a ^ word);
    this.#b = mix((this.#b + Math.imul(word, 0x27d4eb2f) + this.#a) | 0);
  }

  /** 12 hexadecimal digits. */
  digest(): string {
    const high = (mix(this.#a ^ this.#b) >>> 0).toString(16).padStart(8, "0");
    return high + (mix(this.#b) >>> 16).toString(16).padStart(4, "0");
  }
}

function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}

/** The hash of each row: of its values and its class, in the columns of a model and, last, the label. */
export function hashRows(table: Table): string[] {
  const columns = table.columns.filter((_, c) => !isIndicatorColumn(table.schema.columns[c]));
  const double = new Float64Array(1);
  const words = new Int32Array(double.buffer);
  return Array.from({ length: table.rows }, (_, r) => {
    const hash = new RowHash();
    for (const cells of columns) {
      // One zero, and one missing value.
      double[0] = Number.isNaN(cells[r]) ? -1.5 : cells[r] + 0;
      hash.add(words[0]);
      hash.add(words[1]);
    }
    return hash.digest();
  });
}

/** The columns of a table in another order; undefined where it lacks one. */
export function inColumns(table: Table, columns: readonly Column[]): Table | undefined {
  const wanted = columns.filter((column) => !isIndicatorColumn(column));
  const places = wanted.map(({ name }) => table.schema.columns.findIndex((column) => column.name === name));
  if (places.includes(-1)) return undefined;
  return { ...table, schema: { columns: wanted }, columns: places.map((place) => table.columns[place]) };
}

/** Rows of a table that a model was fitted on. */
export interface RecognizedRows {
  /** The rows that were recognized. */
  readonly recognized: number;
  /** How many rows of the table were used, estimated from the share of the training rows that have a hash. */
  readonly estimated: number;
  /** The other rows of the table. */
  readonly others: Table;
}

/** Standard deviations by which more rows have to be recognized than chance explains. */
const TELLING = 3;

/**
 * Finds the rows of a table that a model was fitted on. Undefined where there are none, or no more of them than rows that are equal by
 * chance, as where columns are few and have few values.
 *
 * @param table the columns of the model and, last, the label
 */
export function recognizeRows(table: Table, known: TrainingRows): RecognizedRows | undefined {
  const { digits, rows, chance } = known;
  const hashes = new Set<string>();
  for (let at = 0; at < known.hashes.length; at += digits) hashes.add(known.hashes.slice(at, at + digits));
  const own = hashRows(table).map((hash) => hash.slice(-digits));
  const others = Int32Array.from(own.keys()).filter((r) => !hashes.has(own[r]));
  const recognized = table.rows - others.length;
  const share = Math.min(1, hashes.size / Math.max(1, rows));
  const byChance = table.rows * chance;
  if (recognized <= byChance + TELLING * Math.sqrt(byChance)) return undefined;
  return {
    recognized,
    estimated: Math.min(table.rows, Math.round(recognized / share)),
    others: pickRows(table, others),
  };
}
