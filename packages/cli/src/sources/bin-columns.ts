import type { NumberCounts } from "conformant-workbench";
import type { Field, FieldSet } from "conformant-workbench/sql";
import { type Connector, queryRow } from "./connector.ts";

/** Rows at the beginning that decide whether to count the values of a column one by one. */
const FIRST_ROWS = 100_000;

/** The value of a numeric field in ClickHouse's SQL, the only engine that needs it. */
const NUMBER_OR_NULL = "Nullable(Float64)";

/** The numeric fields with so many different values that the engine computes bins. */
export async function findManyNumbers(
  { dialect, query }: Pick<Connector, "dialect" | "query">,
  from: string,
  fields: readonly Field[],
): Promise<Field[]> {
  const numbers = fields.filter(({ storage }) => storage === "number");
  if (numbers.length === 0 || !Number.isFinite(dialect.mostCounted)) return [];
  const inner = numbers.map(({ value }, c) => `${value} AS v${c}_`).join(", ");
  const distinct = numbers.map((_, c) => dialect.text(dialect.distinct(`v${c}_`))).join(", ");
  const sql = `SELECT ${distinct} FROM (SELECT ${inner} FROM ${from} LIMIT ${FIRST_ROWS}) AS beginning`;
  const answer = await queryRow({ query }, sql, numbers.length);
  return numbers.filter((_, c) => Number(answer[c]) > dialect.mostCounted / 2);
}

/**
 * Atoms of columns with too many different numbers to count: edges at the engine's quantiles, then the weight and the mean
 * of each bin. Two passes, whatever the number of rows.
 */
export async function binColumns(
  connector: Connector,
  { from }: FieldSet,
  fields: readonly Field[],
  bins: number,
): Promise<Map<string, NumberCounts>> {
  const counted = new Map<string, NumberCounts>();
  if (fields.length === 0) return counted;
  const { dialect } = connector;
  const levels = Array.from({ length: bins - 1 }, (_, j) => (j + 1) / bins);
  const hash = dialect.hash(
    fields.map(({ value }) => dialect.hashed?.(value, NUMBER_OR_NULL) ?? value),
    0,
  );
  const quantiles = fields.map(({ value }) => (bins === 1 ? "'[]'" : dialect.quantiles(value, levels, hash)));
  const answer = await queryRow(connector, `SELECT ${quantiles.join(", ")} FROM ${from}`, fields.length);
  for (const [c, field] of fields.entries()) {
    const found = (answer[c] ?? "").match(/-?\d[\d.e+-]*/gi) ?? [];
    const edges = [...new Set(found.map(Number))].sort((a, b) => a - b);
    counted.set(field.name, await countBins(connector, from, field, edges));
  }
  return counted;
}

async function countBins(
  { dialect, query }: Connector,
  from: string,
  { value }: Field,
  edges: readonly number[],
): Promise<NumberCounts> {
  const stages = [[["v_", value]], [["bin_", dialect.bin("v_", edges)]]] as const;
  const measures = ["sum(v_)", "min(v_)", "max(v_)", "count(*)"].map(dialect.double);
  const sql = dialect.staged(
    { from, where: `${value} IS NOT NULL`, stages },
    `bin_, ${measures.map((measure, a) => `${measure} AS m${a}_`).join(", ")}`,
    "GROUP BY bin_ ORDER BY bin_",
  );
  const rows: { bin: number; mean: number; least: number; most: number; count: number }[] = [];
  for await (const { rows: size, columns } of query(sql, ["code", "number", "number", "number", "number"]))
    for (let r = 0; r < size; r++) {
      const [bin, sum, least, most, count] = columns.map((column) => Number(column[r]));
      rows.push({ bin, mean: sum / count, least, most, count });
    }
  return {
    kind: "number",
    known: rows.reduce((sum, { count }) => sum + count, 0),
    least: rows[0]?.least ?? Number.NaN,
    most: rows.at(-1)?.most ?? Number.NaN,
    bits: false,
    different: Number.POSITIVE_INFINITY,
    whole: false,
    others: new Map(),
    marginal: {
      kind: "numeric",
      exact: false,
      values: Float64Array.from(rows, ({ mean, least, most }) => Math.min(Math.max(mean, least), most)),
      // A bin without rows has no mean and is merged into the one below it.
      edges: Float64Array.from(rows.slice(1), ({ bin }) => edges[bin - 1]),
      counts: Float64Array.from(rows, ({ count }) => count),
    },
  };
}
