import { readFileSync } from "node:fs";
import { encode, type Row, type Schema } from "conformant";
import { type Imputer, slotRows } from "../../src/baselines/imputer.ts";

/** Rows as the fixtures hold them: null for a gap. */
export type Rows = readonly (readonly (number | null)[])[];

/** What scikit-learn filled in; fixtures/baselines/make-imputers.py says how. */
export interface ImputerFixture {
  readonly numeric: {
    readonly complete: Rows;
    readonly gappy: Rows;
    readonly test: Rows;
    readonly constants: Readonly<Record<"mean" | "median" | "most_frequent", readonly number[]>>;
    readonly knn: { readonly complete: Rows; readonly gappy: Rows };
    readonly iterative: {
      readonly rounds: number;
      readonly complete: Rows;
      readonly gappy: Rows;
      readonly bayesian: Rows;
    };
    readonly em: { readonly mean: number[]; readonly covariance: number[][]; readonly filled: Rows };
  };
  readonly categorical: {
    readonly sizes: readonly number[];
    readonly train: Rows;
    readonly test: Rows;
    readonly bits: Readonly<Record<"mean" | "median", readonly number[]>>;
    readonly modes: readonly number[];
    readonly knn: Rows;
  };
}

export const fixture = read<ImputerFixture>("imputers.json");

/** What R's mice filled in. */
export const mice = read<{ readonly complete: Rows; readonly gappy: Rows }>("mice.json");

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../fixtures/baselines/${name}`, import.meta.url), "utf8")) as T;
}

export const numericSchema: Schema = {
  columns: Array.from({ length: 5 }, (_, i) => ({ name: `x${i}`, kind: "numeric" })),
};

export const categoricalSchema: Schema = {
  columns: fixture.categorical.sizes.map((size, i) => ({
    name: `c${i}`,
    kind: "categorical",
    values: Array.from({ length: size }, (_, v) => `v${v}`),
  })),
};

/** Rows of a fixture as the library takes them; codes become the names of values. */
export function asRows(schema: Schema, rows: Rows): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      schema.columns.map((column, i) => {
        const value = row[i];
        return [column.name, value !== null && column.kind === "categorical" ? `v${value}` : value];
      }),
    ),
  );
}

/** The rows with their gaps filled, in slots. */
export function filled(imputer: Imputer, rows: Rows): number[][] {
  const table = encode(imputer.schema, asRows(imputer.schema, rows));
  const slots = slotRows(table);
  imputer.fill(slots, table.rows);
  const width = slots.length / table.rows;
  return Array.from({ length: table.rows }, (_, r) => [...slots.subarray(r * width, (r + 1) * width)]);
}

/** Largest difference between two tables of numbers. */
export function largestDifference(a: readonly (readonly number[])[], b: Rows): number {
  if (a.length !== b.length) throw new Error(`${a.length} rows against ${b.length}`);
  return Math.max(...a.flatMap((row, r) => row.map((x, i) => Math.abs(x - Number(b[r][i] ?? Number.NaN)))));
}
