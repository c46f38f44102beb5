import { exponential } from "../../math/exponential/exponential.ts";

/** Replaces each row's numbers x by e^(x − their largest), rows × width. */
export function exponentials(values: Float64Array, rows: number, width: number): void {
  for (let r = 0, start = 0; r < rows; r++, start += width) {
    const end = start + width;
    let largest = values[start];
    for (let at = start + 1; at < end; at++) if (values[at] > largest) largest = values[at];
    for (let at = start; at < end; at++) values[at] = exponential(values[at] - largest);
  }
}
