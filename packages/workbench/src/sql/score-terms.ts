import type { Atoms, Distribution } from "conformant";
import { LOG_IMPOSSIBLE, slotOffsets } from "conformant/remote";
import { UNSEEN } from "../source/cell-codes.ts";
import type { Dialect } from "./dialects/dialect.ts";

/** A missing column without weights may have an effect of this size by rounding alone. */
const NOTHING = 1e-14;

/**
 * s_ki(x_i) of column i for class k from its encoded cell; `worth` where it is missing or unknown. Undefined where it is 0 for every cell,
 * as for the first of two classes. The last class has all terms, so that an invalid cell makes one score invalid and is detected. A number
 * has a term in all classes, because an infinite number times a weight may just look like an impossible class.
 */
export function classTerm(
  dialect: Dialect,
  { atoms, schema, tilt }: Distribution,
  i: number,
  k: number,
  worth: number,
): string | undefined {
  const K = tilt.intercept.length;
  const { kind } = schema.columns[i];
  const [slot, end] = slotOffsets(schema).slice(i, i + 2);
  const gap = dialect.number(worth);
  if (kind === "numeric") {
    const weight = tilt.weights[slot * K + k];
    return `COALESCE(${dialect.number(weight)} * ${dialect.nullForNan(`x${i}_`)}, ${gap})`;
  }
  const weights = Array.from({ length: end - slot }, (_, s) => tilt.weights[(slot + s) * K + k]);
  if (k < K - 1 && Math.abs(worth) < NOTHING && weights.every((weight) => weight === 0)) return undefined;
  const scores = Array.from({ length: atoms.columns[i].count }, (_, code) =>
    kind === "binary" ? code * weights[0] : weights[code],
  );
  const known = `COALESCE(${dialect.pick(`CASE WHEN x${i}_ >= 0 THEN x${i}_ END`, scores)}, ${gap})`;
  return kind === "binary"
    ? `CASE WHEN x${i}_ < ${UNSEEN} THEN ${dialect.number(Number.NaN)} ELSE ${known} END`
    : known;
}

/** The atom of the cell of column i, from 0; the number of atoms where it is missing and may be. */
export function placeSql(dialect: Dialect, { columns }: Atoms, i: number, gaps = true): string {
  const { edges, count } = columns[i];
  const [cell, bin] = [`x${i}_`, edges === undefined ? `x${i}_` : dialect.bin(`x${i}_`, edges)];
  if (!gaps) return bin;
  const isGap = edges === undefined ? `${cell} < 0` : `${dialect.nullForNan(cell)} IS NULL`;
  return `CASE WHEN ${isGap} THEN ${count} ELSE ${bin} END`;
}

/** log q_mi(x_i), 0 where the cell is missing. */
export function likelihoodTerm(
  dialect: Dialect,
  { atoms, components }: Distribution,
  i: number,
  m: number,
): string {
  const [start, end] = [atoms.offsets[i], atoms.offsets[i + 1]];
  const logs = Array.from(components[m].logQ.subarray(start, end), (x) => Math.max(x, LOG_IMPOSSIBLE));
  return dialect.pick(`j${i}_`, [...logs, 0]);
}

/** log Z_mki where the cell of column i is missing, else 0. */
export function missingTerm(
  dialect: Dialect,
  { components, atoms, tilt }: Distribution,
  i: number,
  m: number,
  k: number,
): string {
  const logZ = components[m].logZ[i * tilt.intercept.length + k];
  return `CASE WHEN j${i}_ = ${atoms.columns[i].count} THEN ${dialect.number(logZ)} ELSE ${dialect.number(0)} END`;
}
