import type { LogisticFit } from "../../src/logistic-regression/fit-logistic.ts";
import { random } from "../../src/math/random.ts";
import { type Column, slotOffsets } from "../../src/schema/column.ts";
import type { EncodedColumn, Table } from "../../src/schema/data.ts";

/** Every row of a table, in order. */
export const everyRow = ({ rows }: Table): Int32Array => Int32Array.from({ length: rows }, (_, r) => r);

/** A table of encoded cells. */
export function tableOf(columns: readonly Column[], cells: readonly ArrayLike<number>[]): Table {
  const encoded = columns.map(
    ({ kind }, i): EncodedColumn =>
      kind === "numeric" ? Float64Array.from(cells[i]) : Int16Array.from(cells[i]),
  );
  return { schema: { columns }, rows: cells[0].length, columns: encoded, unseen: [] };
}

/** Columns of every kind. */
export const mixed: readonly Column[] = [
  { name: "a", kind: "numeric" },
  { name: "b", kind: "binary" },
  { name: "c", kind: "categorical", values: ["x", "y", "z"] },
  { name: "d", kind: "numeric" },
  { name: "e", kind: "binned", edges: [0, 1, 2] },
  { name: "f", kind: "categorical", values: Array.from({ length: 100 }, (_, v) => `v${v}`) },
  { name: "g", kind: "binary" },
];

/** Rows of mixed columns with labels that depend on them, and weights. */
export function mixedProblem(rows: number, classCount: number, seed = 1) {
  const g = random(seed);
  const draw = (next: () => number) => Array.from({ length: rows }, next);
  const cells = [
    draw(() => 5 + 2 * g.normal()),
    draw(() => Number(g.uniform() < 0.2)),
    draw(() => g.integer(3)),
    draw(() => g.normal() / 100),
    draw(() => g.integer(4)),
    draw(() => Math.floor(100 * g.uniform() ** 4)),
    draw(() => Number(g.uniform() < 0.9)),
  ];
  const labels = Int32Array.from(cells[0], (a, r) =>
    g.uniform() < 0.3 ? g.integer(classCount) : Math.floor(Math.abs(a + cells[2][r])) % classCount,
  );
  return { table: tableOf(mixed, cells), labels, rowWeights: Float64Array.from(draw(() => g.uniform() * 3)) };
}

/** A row on the original scale, one number per slot. */
export function slotsOfRow({ schema, columns }: Table, r: number): Float64Array {
  const starts = slotOffsets(schema);
  const x = new Float64Array(starts[schema.columns.length]);
  schema.columns.forEach(({ kind }, i) => {
    if (kind === "numeric" || kind === "binary") x[starts[i]] = columns[i][r];
    else x[starts[i] + columns[i][r]] = 1;
  });
  return x;
}

/** The class scores of a row given slot by slot. */
export function scoresOf(
  { intercept, weights }: Pick<LogisticFit, "intercept" | "weights">,
  x: Float64Array,
): Float64Array {
  const K = intercept.length;
  return intercept.map((b, k) => x.reduce((sum, value, slot) => sum + value * weights[slot * K + k], b));
}
