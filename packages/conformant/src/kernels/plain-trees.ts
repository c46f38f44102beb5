import type { FitKernels, SplitMasks } from "./kernels.ts";

/* The plain loops over trees as bit masks; groups of four words are one vector in WebAssembly. */

export const addLeaves: FitKernels["addLeaves"] = (
  { columns, left, trees, open, values, width, S },
  cells,
  count,
  sums,
  scratch,
) => {
  const own = scratch.subarray(0, left.length);
  for (let p = 0; p < count; p++) {
    own.set(left);
    for (let j = 0; j < columns.length; j++) keepCell(columns[j], cells[j * count + p], own);
    for (let o = 0; o < open; o++) {
      let w = trees[2 * o];
      while (own[w] === 0) w++;
      const bit = 32 * w + 31 - Math.clz32(own[w] & -own[w]);
      const to = p * S + trees[2 * o + 1];
      for (let k = 0; k < width; k++) sums[to + k] += values[bit * width + k];
    }
  }
};

/** Clears the leaves that a cell of a column rules out. */
export function keepCell(
  { groups, lines, shift, nodeGroups, nodeMasks }: SplitMasks,
  cell: number,
  left: Int32Array,
): void {
  let at = 4 * groups.length * (shift < 0 ? cell : cell >> shift);
  for (let k = 0; k < groups.length; k++, at += 4) keep(left, groups[k], lines, at);
  if (shift < 0) return;
  const from = (cell >> shift) << shift;
  const to = Math.min(nodeGroups.length, from + (1 << shift));
  // A row goes right at the nodes before its cell.
  for (let n = from; n < to; n++) keep(left, nodeGroups[n], nodeMasks, 8 * n + (n < cell ? 0 : 4));
}

function keep(left: Int32Array, group: number, masks: Int32Array, at: number): void {
  left[4 * group] &= masks[at];
  left[4 * group + 1] &= masks[at + 1];
  left[4 * group + 2] &= masks[at + 2];
  left[4 * group + 3] &= masks[at + 3];
}
