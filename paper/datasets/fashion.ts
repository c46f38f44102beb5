import { imageProtocol } from "../protocol/image-protocol.ts";
import type { DatasetSource } from "./dataset.ts";
import { readImages } from "./images.ts";

/** The authors fitted Fashion with a tenth of the usual pseudo-count. */
const AUTHORS_PSEUDOCOUNT = 0.1;

/** Articles of clothing in MNIST's format. */
export const fashion: DatasetSource = {
  name: "fashion",
  testbed: { size: "60K", classes: "10: balanced", features: 784, types: "integer pixel value" },
  protocol: (split) => imageProtocol(split, split === "authors" ? AUTHORS_PSEUDOCOUNT : 1),
  read: (folders, _, split) => readImages("fashion", folders, split),
};
