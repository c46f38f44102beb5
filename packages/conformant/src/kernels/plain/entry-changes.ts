import type { FitKernels } from "../fit-kernels.ts";

/* The plain loops between the weights of slots and tables over entries, four numbers each, which stay in registers. */

export const fillTable: FitKernels["fillTable"] = ({ entryStart, changeSlot, change }, weights, table) => {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    const end = entryStart[p + 1];
    for (let i = entryStart[p]; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      a += by * weights[slot];
      b += by * weights[slot + 1];
      c += by * weights[slot + 2];
      d += by * weights[slot + 3];
    }
    table[4 * p] = a;
    table[4 * p + 1] = b;
    table[4 * p + 2] = c;
    table[4 * p + 3] = d;
  }
};

export const drainTable: FitKernels["drainTable"] = ({ entryStart, changeSlot, change }, sums, counts) => {
  for (let p = 0; p + 1 < entryStart.length; p++) {
    const a = sums[4 * p];
    const b = sums[4 * p + 1];
    const c = sums[4 * p + 2];
    const d = sums[4 * p + 3];
    const end = entryStart[p + 1];
    for (let i = entryStart[p]; i < end; i++) {
      const slot = 4 * changeSlot[i];
      const by = change[i];
      counts[slot] += by * a;
      counts[slot + 1] += by * b;
      counts[slot + 2] += by * c;
      counts[slot + 3] += by * d;
    }
  }
};
