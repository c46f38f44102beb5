import type { AnyModel, Table, UnseenValues } from "conformant";
import { isMissing } from "conformant/internal";
import {
  type ColumnAbsence,
  type ColumnSummary,
  compareWithTraining,
  isIndicatorColumn,
} from "conformant-workbench";
import { metadataOf } from "conformant-workbench/describe";

/** Counters of a column. */
const PER_COLUMN = 2;

/**
 * How many rows were predicted since the start, and in how many of them each input is missing, or has a category or a number beyond those
 * of the training data. The threads of the service add to the same memory.
 */
export class InputCounts {
  /** The rows, then for each column its missing and its unseen values. */
  readonly memory: SharedArrayBuffer;
  readonly #counts: BigInt64Array;
  readonly #trainingRows: number;
  readonly #inputs: readonly {
    readonly name: string;
    /** Its place in a table of the model. */
    readonly place: number;
    /** The range of a number in the training data. */
    readonly range: readonly [minimum: number, maximum: number] | undefined;
  }[];
  readonly #summaries: readonly ColumnSummary[] | undefined;

  /** @param memory that of another thread */
  constructor(model: AnyModel, memory?: SharedArrayBuffer) {
    this.#summaries = metadataOf(model).columns;
    this.#trainingRows = model.rows;
    const known = new Map(this.#summaries?.map((summary) => [summary.name, summary]));
    this.#inputs = model.schema.columns.flatMap((column, place) => {
      if (isIndicatorColumn(column)) return [];
      const { minimum, maximum } = known.get(column.name) ?? {};
      const isRanged = column.kind === "numeric" && minimum !== undefined && maximum !== undefined;
      return [{ name: column.name, place, range: isRanged ? ([minimum, maximum] as const) : undefined }];
    });
    const size = BigInt64Array.BYTES_PER_ELEMENT * (1 + PER_COLUMN * this.#inputs.length);
    this.memory = memory ?? new SharedArrayBuffer(size);
    this.#counts = new BigInt64Array(this.memory);
  }

  /** Counts the rows of a table, in which unseen categories are missing. */
  add({ rows, columns, unseen }: Table): void {
    this.#increase(0, rows);
    const categories = new Map(unseen.map(({ column, count }: UnseenValues) => [column, count]));
    this.#inputs.forEach(({ name, place, range }, i) => {
      const cells = columns[place];
      const unknown = categories.get(name) ?? 0;
      let [missing, beyond] = [-unknown, unknown];
      for (let r = 0; r < rows; r++) {
        if (isMissing(cells, r)) missing++;
        else if (range && (cells[r] < range[0] || cells[r] > range[1])) beyond++;
      }
      this.#increase(1 + PER_COLUMN * i, missing);
      this.#increase(2 + PER_COLUMN * i, beyond);
    });
  }

  get rows(): number {
    return this.#read(0);
  }

  /** Each input, in the order of the model. */
  columns(): ColumnAbsence[] {
    return this.#inputs.map(({ name }, i) => ({
      name,
      missing: this.#read(1 + PER_COLUMN * i),
      unseen: this.#read(2 + PER_COLUMN * i),
    }));
  }

  /** Whether `predict --check` would warn of each input, given all rows so far; none where the model has no summary of its training data. */
  drifts(): [column: string, drifts: boolean][] {
    const { rows } = this;
    if (!this.#summaries) return [];
    const found = compareWithTraining(
      rows > 0 ? this.columns() : [],
      rows,
      this.#summaries,
      this.#trainingRows,
    );
    const named = new Set(found.map(({ column }) => column));
    const known = new Set(this.#summaries.map(({ name }) => name));
    return this.#inputs.filter(({ name }) => known.has(name)).map(({ name }) => [name, named.has(name)]);
  }

  #increase(at: number, by: number): void {
    if (by > 0) Atomics.add(this.#counts, at, BigInt(by));
  }

  #read(at: number): number {
    return Number(Atomics.load(this.#counts, at));
  }
}
