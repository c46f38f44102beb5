import { exponential } from "../../math/exponential/exponential.ts";
import type { FitKernels } from "../fit-kernels.ts";
import { timesOne } from "./long-products.ts";

/** The plain loop: one lane after the other. */
export const tiltColumns: FitKernels["tiltColumns"] = ({ offsets, lanes }, from, to, factors, q, tilted) => {
  const { conditional, z, products } = tilted;
  for (let i = from; i < to; i++) {
    const [start, end] = [offsets[i], offsets[i + 1]];
    for (let j = start; j < end; j++) q[j] = exponential(q[j]);
    for (let k = 0; k < lanes; k++) {
      let sum = 0;
      for (let j = start; j < end; j++) {
        const at = j * lanes + k;
        conditional[at] = q[j] * factors[at];
        sum += conditional[at];
      }
      for (let j = start; j < end; j++) conditional[j * lanes + k] /= sum;
      z[i * lanes + k] = sum;
      timesOne(products, k, lanes, sum);
    }
  }
};
