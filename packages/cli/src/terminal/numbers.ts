/** A count with separators. */
export function count(n: number): string {
  return n.toLocaleString("en-US");
}

/** A count and its noun: 1 row, 2 rows. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : plural}`;
}

/** A number with a few significant digits, for people. */
export function short(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return String(x);
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return x.toExponential(Math.max(0, digits - 2));
  return String(Number(x.toPrecision(digits)));
}

/** A residual of a computation: below 1e-12 it is rounding, and its digits say nothing. */
export function residual(x: number): string {
  return x < 1e-12 ? "rounding" : short(x, 2);
}

/** A share as a percentage. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.001 ? 2 : 1)} %`;
}

/** A share as a percentage without a needless fraction. */
export function roundPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

/** A duration for people. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  return milliseconds < 60_000
    ? `${(milliseconds / 1000).toFixed(1)} s`
    : `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}
