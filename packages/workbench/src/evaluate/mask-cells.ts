import type { EncodedColumn, Table } from "conformant";
import { type Random, random } from "conformant";
import { isMissing } from "conformant/internal";
import { roundPercent } from "../source/format-number.ts";
import { isIndicatorColumn } from "../source/positions.ts";

/**
 * Why cells go missing: by chance, by what another column says, by what they themselves say, or because they are missing in another row of
 * the table, whose missing values are overlaid.
 */
export type Mechanism = "mcar" | "mar" | "mnar" | "patterns";

/** How much the reason counts under mar and mnar: the log-odds of being masked rise by this per standard deviation. */
const STRENGTH = 2;

/** The masks of an evaluation in words: none, then one per rate. */
export function maskNames(rates: readonly number[], mechanism: Mechanism): string[] {
  const named = (rate: number): string =>
    mechanism === "patterns" && rate === 1 ? "patterns" : roundPercent(rate);
  return ["as they are", ...rates.map(named)];
}

/**
 * Masks cells of a table at a rate; under "patterns" it is the share of the rows onto which the pattern of another one is overlaid. The cells of a block of columns are masked together. Indicators of missing values are kept: a masked
 * cell is missing at random.
 */
export function maskCells(
  table: Table,
  rate: number,
  mechanism: Mechanism,
  blocks: readonly (readonly number[])[],
  seed: number,
): Table {
  const generator = random(seed);
  if (mechanism === "patterns") return overlayPatterns(table, rate, generator);
  const units = unitsOf(table.columns.length, blocks).filter(
    ([c]) => !isIndicatorColumn(table.schema.columns[c]),
  );
  // Under mar one unit, the same in every row, is never masked and decides about the others.
  const driver = mechanism === "mar" && units.length > 1 ? units[generator.integer(units.length)] : undefined;
  const columns = table.columns.map((cells) => cells.slice());
  for (const unit of units) {
    if (unit === driver) continue;
    const reason =
      mechanism === "mcar" ? undefined : standardScores(table.columns[(driver ?? unit)[0]], generator);
    const masked = chooseRows(table.rows, rate, reason, generator);
    for (const c of unit) maskRows(columns[c], masked);
  }
  return { ...table, columns };
}

/** Masks the cells of rows that are missing in other rows, drawn at random. */
function overlayPatterns(table: Table, rate: number, generator: Random): Table {
  const others = Int32Array.from({ length: table.rows }, (_, r) => {
    const [drawn, isMasked] = [generator.integer(Math.max(1, table.rows - 1)), generator.uniform() < rate];
    return isMasked && table.rows > 1 ? drawn + Number(drawn >= r) : r;
  });
  const columns = table.columns.map((cells, c) => {
    if (isIndicatorColumn(table.schema.columns[c])) return cells;
    const masked = cells.slice();
    maskRows(
      masked,
      Uint8Array.from(others, (r) => Number(isMissing(cells, r))),
    );
    return masked;
  });
  return { ...table, columns };
}

/** A seed of its own for each rate and repeat. */
export function maskSeed(seed: number, rate: number, repeat: number): number {
  return seed + 1_000_003 * (rate + 1) + 7919 * repeat;
}

/** The blocks, and every other column for itself. */
function unitsOf(columns: number, blocks: readonly (readonly number[])[]): (readonly number[])[] {
  const inBlock = new Set(blocks.flat());
  const single = Array.from({ length: columns }, (_, c) => c).filter((c) => !inBlock.has(c));
  return [...blocks, ...single.map((c) => [c])];
}

/** Which rows are masked: with probability `rate`, or σ(a + strength·reason) with the a whose mean is the rate. */
function chooseRows(
  rows: number,
  rate: number,
  reason: Float64Array | undefined,
  generator: Random,
): Uint8Array {
  const offset = reason && rate > 0 && rate < 1 ? solveOffset(reason, rate) : undefined;
  return Uint8Array.from({ length: rows }, (_, r) => {
    const probability = reason && offset !== undefined ? sigmoid(offset + STRENGTH * reason[r]) : rate;
    return generator.uniform() < probability ? 1 : 0;
  });
}

/** Bisection for mean σ(a + strength·reason) = rate, which rises with a. */
function solveOffset(reason: Float64Array, rate: number): number {
  let [low, high] = [-60, 60];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const mean = reason.reduce((sum, x) => sum + sigmoid(middle + STRENGTH * x), 0) / reason.length;
    if (mean < rate) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** A column as a reason: mean 0 and standard deviation 1, gaps at 0; the codes of categories count in a random order. */
function standardScores(cells: EncodedColumn, generator: Random): Float64Array {
  const numeric = cells instanceof Float64Array || cells instanceof Float32Array;
  const places = new Map<number, number>();
  const place = (code: number): number => {
    if (!places.has(code)) places.set(code, generator.normal());
    return places.get(code) ?? 0;
  };
  const values = Float64Array.from(cells, (x) => (numeric ? x : x < 0 ? Number.NaN : place(x)));
  const known = values.filter((x) => !Number.isNaN(x));
  const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
  const deviation =
    Math.sqrt(known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / Math.max(1, known.length)) || 1;
  return values.map((x) => (Number.isNaN(x) ? 0 : (x - mean) / deviation));
}

function maskRows(cells: EncodedColumn, masked: Uint8Array): void {
  const gap = cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
  for (let r = 0; r < masked.length; r++) if (masked[r] === 1) cells[r] = gap;
}
