import type { Split } from "../datasets/dataset.ts";
import { AUTHORS_ADDED, type Protocol } from "./protocol.ts";

/** MNIST and Fashion: the 40 points of the paper's figures, 0 to 780 missing pixels, and 8 pixels for one per cent. */
export function imageProtocol(split: Split, pseudocount: number): Protocol {
  const figure = Array.from({ length: 40 }, (_, i) => 20 * i);
  return {
    split,
    measure: "accuracy",
    columns: 784,
    categorical: false,
    missing: [0, 8, ...figure.slice(1)],
    rates: [160, 320, 480, 640],
    onePercent: 8,
    paperRepeats: 10,
    quickRepeats: 2,
    l2: 1,
    pseudocount,
    added: split === "authors" ? AUTHORS_ADDED : 0,
    donors: 300,
    reduced: false,
  };
}
