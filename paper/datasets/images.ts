import { join } from "node:path";
import type { Table } from "conformant";
import { binarize, threshold } from "./binarize.ts";
import { labelColumn } from "./build-table.ts";
import { requireFile } from "./data-folder.ts";
import type { Dataset, Split } from "./dataset.ts";
import { type Idx, readIdx } from "./idx.ts";

/**
 * MNIST and Fashion-MNIST: 60,000 training and 10,000 test images of 28 × 28 pixels, each pixel a 0/1 column. A test image is
 * cut at the thresholds of the training images, and in the authors' files at those of the test images.
 */
export function readImages(
  name: "mnist" | "fashion",
  folders: readonly string[],
  split: Split = "ours",
): Dataset {
  const read = (file: string): Idx =>
    readIdx(requireFile(folders, [join(name, `${file}.gz`), join(name, file)]));
  const training = pixelColumns(read("train-images-idx3-ubyte"));
  const test = pixelColumns(read("t10k-images-idx3-ubyte"));
  const thresholds = training.map(threshold);
  const testThresholds = split === "authors" ? test.map(threshold) : thresholds;
  const columns = training.map((_, i) => ({ name: `pixel${i}`, kind: "binary" as const }));
  const bits = (pixels: Uint8Array[], cuts: readonly number[]): Table["columns"] =>
    pixels.map((values, i) => binarize(values, cuts[i]));
  const label = labelColumn(Array.from(read("train-labels-idx1-ubyte").bytes, String));
  return {
    name,
    title: name === "mnist" ? "MNIST" : "Fashion",
    training: {
      schema: { columns: [...columns, label.column] },
      rows: training[0].length,
      columns: [...bits(training, thresholds), label.cells],
      unseen: [],
    },
    test: { schema: { columns }, rows: test[0].length, columns: bits(test, testThresholds), unseen: [] },
    testLabels: Array.from(read("t10k-labels-idx1-ubyte").bytes, String),
  };
}

/** One array per pixel over all images. */
function pixelColumns({ sizes: [count, height, width], bytes }: Idx): Uint8Array[] {
  const pixels = height * width;
  return Array.from({ length: pixels }, (_, i) => {
    const column = new Uint8Array(count);
    for (let r = 0; r < count; r++) column[r] = bytes[r * pixels + i];
    return column;
  });
}
