import type { Estimate } from "conformant";

/** A probability for people: whole percents, and never a certainty that is none. */
export function percent(p: number): string {
  if (p > 0.995 && p < 1) return "> 99%";
  if (p > 0 && p < 0.005) return "< 1%";
  return `${Math.round(100 * p)}%`;
}

/** The same of an estimate: what no draw has shown may still be. */
export function percentOf({ value, method }: Estimate): string {
  if (method !== "sampling") return percent(value);
  return value === 1 ? "> 99%" : value === 0 ? "< 1%" : percent(value);
}

/** Numbers that are possible in a column. */
export interface Limits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** Whether a number lies beyond what is possible. */
export function isImpossible(number: number, { minimum, maximum }: Limits): boolean {
  return (minimum !== undefined && number < minimum) || (maximum !== undefined && number > maximum);
}

/** A number with up to four significant digits, a whole one with all of its own. */
export function short(x: number): string {
  const rounded = Number.isInteger(x) ? x : Number(x.toPrecision(Math.abs(x) >= 1000 ? 6 : 4));
  return rounded.toLocaleString("en", {
    useGrouping: false,
    maximumFractionDigits: 10,
  });
}

/** A change of a probability in percentage points. */
export function points(change: number): string {
  const size = Math.abs(100 * change);
  const sign = change < 0 ? "−" : "+";
  return size < 0.1 ? `${sign}< 0.1` : `${sign}${size.toFixed(size < 10 ? 1 : 0)}`;
}
