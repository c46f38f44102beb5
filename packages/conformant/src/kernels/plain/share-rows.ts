import { exponential } from "../../math/exponential/exponential.ts";
import type { FitKernels } from "../fit-kernels.ts";

/** The plain loop: sums are those of the even scores and of the odd ones, two numbers of one vector elsewhere. */
export const shareRows: FitKernels["shareRows"] = (scores, line, weights, negligible, { largest, sums }) => {
  for (let r = 0, start = 0; r < weights.length; r++, start += line) {
    const end = start + line;
    let most = scores[start];
    for (let at = start + 1; at < end; at++) if (scores[at] > most) most = scores[at];
    let even = 0;
    let odd = 0;
    for (let at = start; at < end; at += 2) {
      scores[at] = exponential(scores[at] - most);
      scores[at + 1] = exponential(scores[at + 1] - most);
      even += scores[at];
      odd += scores[at + 1];
    }
    const sum = even + odd;
    const [by, least] = [weights[r] / sum, negligible * sum];
    for (let at = start; at < end; at++) scores[at] = scores[at] < least ? 0 : scores[at] * by;
    largest[r] = most;
    sums[r] = sum;
  }
};
