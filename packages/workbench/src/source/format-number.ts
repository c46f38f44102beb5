/** Whole numbers up to this are written in full. */
const LARGEST = 1e15;

/** A number with a few significant digits, for people; the integer part is never rounded away. */
export function short(x: number, digits = 4): string {
  const size = Math.abs(x);
  if (!Number.isFinite(x) || (Number.isInteger(x) && size < LARGEST)) return String(x);
  if (size < 1e-4 || size >= LARGEST) return x.toExponential(Math.max(0, digits - 2));
  const before = Math.floor(Math.log10(size)) + 1;
  return String(Number(x.toFixed(Math.max(0, digits - before))));
}

/** A residual of a computation: below 1e-12 it is rounding, and its digits mean nothing. */
export function residual(x: number): string {
  return x < 1e-12 ? "rounding" : short(x, 2);
}

/** A share as a percentage, with more digits near 0 and 100. */
export function percent(share: number): string {
  const near = Math.min(share, 1 - share);
  if (near > 0 && near < 5e-5) return share < 0.5 ? "< 0.01 %" : "> 99.99 %";
  return `${(100 * share).toFixed(near > 0 && near < 0.001 ? 2 : 1)} %`;
}

/** A share as a percentage without a needless fraction. */
export function roundPercent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}

/** A duration for people. */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1000);
  return milliseconds < 59_950
    ? `${(milliseconds / 1000).toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
