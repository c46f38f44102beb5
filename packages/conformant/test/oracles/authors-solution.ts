import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Schema, Table } from "../../src/index.ts";
import { datasetFile } from "../support/datasets.ts";

/*
 * What the paper's authors published of MNIST 3 against 5: their logistic regression, the naive Bayes distribution that their
 * conic solver found for it, the images of their figure, and the size of each image's sufficient explanation.
 */

const PIXELS = 784;

interface Published {
  /** Intercept and weights of the log-odds of 3. */
  readonly W: readonly number[];
  /** P(3). */
  readonly p: number;
  /** P(pixel | 3) and P(pixel | 5). */
  readonly A: readonly number[];
  readonly B: readonly number[];
}

function readPublished<T>(name: string): T {
  return JSON.parse(
    readFileSync(new URL(`../../../../paper/published/${name}`, import.meta.url), "utf8"),
  ) as T;
}

export const solution = readPublished<Published>("authors-3-5.json");

/** Size of the sufficient explanation by row of MNIST's test images. */
export const sufficientSizes = readPublished<{
  readonly explanations: { readonly sufficient: Readonly<Record<string, number>> };
}>("authors.json").explanations.sufficient;

export const PIXEL_SCHEMA: Schema = {
  columns: Array.from({ length: PIXELS }, (_, i) => ({ name: `pixel${i}`, kind: "binary" })),
};

/** MNIST's images of 3 and 5; undefined where the data is not there. */
export const haveImages = datasetFile("mnist/train-images-idx3-ubyte.gz") !== undefined;

/** Images as the authors cut them: a pixel is 1 above the image's own mean + 0.05 standard deviations. */
export function readImages(part: "train" | "t10k", keep: (row: number, label: number) => boolean): Table {
  const read = (name: string): Buffer =>
    gunzipSync(readFileSync(datasetFile(`mnist/${part}-${name}.gz`) ?? ""));
  const [pixels, labels] = [read("images-idx3-ubyte").subarray(16), read("labels-idx1-ubyte").subarray(8)];
  const rows = Array.from(labels.keys()).filter((r) => keep(r, labels[r]));
  const images = rows.map((r) => {
    const image = pixels.subarray(r * PIXELS, (r + 1) * PIXELS);
    const mean = image.reduce((sum, x) => sum + x, 0) / PIXELS;
    const variance = image.reduce((sum, x) => sum + (x - mean) ** 2, 0) / PIXELS;
    return Int8Array.from(image, (x) => Number(x > mean + 0.05 * Math.sqrt(variance)));
  });
  return {
    schema: PIXEL_SCHEMA,
    rows: rows.length,
    columns: Array.from({ length: PIXELS }, (_, i) => Int8Array.from(images, (image) => image[i])),
    unseen: [],
  };
}
