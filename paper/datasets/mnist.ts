import { imageProtocol } from "../protocol/image-protocol.ts";
import type { DatasetSource } from "./dataset.ts";
import { readImages } from "./images.ts";

/** Handwritten digits. */
export const mnist: DatasetSource = {
  name: "mnist",
  testbed: { size: "60K", classes: "10: balanced", features: 784, types: "integer pixel value" },
  protocol: (split) => imageProtocol(split, 1),
  read: (folders, _, split) => readImages("mnist", folders, split),
};
