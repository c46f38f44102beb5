import { type FitKernels, PER_BIN } from "./kernels.ts";

/* The plain loops over rows and bins that boosted trees are trained with. */

export const gatherDerivatives: FitKernels["gatherDerivatives"] = (derivatives, rows, from, to, gathered) => {
  for (let j = from, at = 0; j < to; j++, at += 2) {
    gathered[at] = derivatives[2 * rows[j]];
    gathered[at + 1] = derivatives[2 * rows[j] + 1];
  }
};

export const addToBins: FitKernels["addToBins"] = (bins, rows, from, to, gathered, sums, first) => {
  for (let j = from, g = 0; j < to; j++, g += 2) {
    const at = PER_BIN * (first + bins[rows[j]]);
    sums[at] += gathered[g];
    sums[at + 1] += gathered[g + 1];
    sums[at + 2]++;
  }
};

export const subtractBins: FitKernels["subtractBins"] = (whole, part) => {
  for (let at = 0; at < whole.length; at++) whole[at] -= part[at];
};

export const findCut: FitKernels["findCut"] = (sums, first, count, order, totals, limits, best) => {
  const { leastRows, leastCurvature, l2 } = limits;
  const [gradient, curvature, rows] = totals;
  const start = PER_BIN * first;
  const gap = start + PER_BIN * count;
  const whole = (gradient * gradient) / (curvature + l2);
  let found = false;
  const hasGaps = sums[gap + 2] > 0;
  for (let gapsLeft = 0; gapsLeft < (hasGaps ? 2 : 1); gapsLeft++) {
    // All known values may be on the left, where missing ones are on the right.
    const cuts = gapsLeft || !hasGaps ? count - 1 : count;
    let g = gapsLeft * sums[gap];
    let h = gapsLeft * sums[gap + 1];
    let n = gapsLeft * sums[gap + 2];
    let isOpen = false;
    for (let j = 0; j < cuts; j++) {
      const at = start + PER_BIN * (order ? order[j] : j);
      g += sums[at];
      h += sums[at + 1];
      n += sums[at + 2];
      isOpen ||= n >= leastRows && h >= leastCurvature;
      if (!isOpen) continue;
      const otherG = gradient - g;
      const otherH = curvature - h;
      if (rows - n < leastRows || otherH < leastCurvature) break;
      const gain = (g * g) / (h + l2) + (otherG * otherG) / (otherH + l2) - whole;
      if (gain > best[0]) {
        best[0] = gain;
        best[1] = j + 1;
        best[2] = gapsLeft;
        found = true;
      }
    }
  }
  return found;
};

export const divideRows: FitKernels["divideRows"] = (bins, rows, from, to, goesLeft, others) => {
  let left = from;
  for (let j = from; j < to; j++) {
    // Written to both sides and kept on one, because the side is hard to predict for a branch.
    const row = rows[j];
    rows[left] = row;
    others[j - left] = row;
    left += goesLeft[bins[row]];
  }
  for (let j = left; j < to; j++) rows[j] = others[j - left];
  return left;
};
