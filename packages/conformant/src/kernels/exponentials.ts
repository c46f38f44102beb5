import { exponential } from "../math/exponential/exponential.ts";
import type { Kernels } from "./kernels.ts";

export const exponentials: Kernels["exponentials"] = (values, rows, width, largest) => {
  for (let r = 0, start = 0; r < rows; r++, start += width) {
    const end = start + width;
    let most = values[start];
    for (let at = start + 1; at < end; at++) if (values[at] > most) most = values[at];
    for (let at = start; at < end; at++) values[at] = exponential(values[at] - most);
    largest[r] = most;
  }
};
