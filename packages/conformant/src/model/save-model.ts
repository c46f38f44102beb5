import { checksum } from "./checksum.ts";
import type { Model } from "./model.ts";
import { MODEL_VERSION, type ModelJson } from "./model-json.ts";

/** The model as the text of a model file. It holds no row of the data it was fitted on. */
export function saveModel(model: Model): string {
  const { classifier, atoms, components, rows, pseudocount, certificate } = model;
  const { schema, classes, label, intercept, weights, training } = classifier;
  const K = classes.length;
  const body: Omit<ModelJson, "checksum"> = {
    format: "conformant-model",
    version: MODEL_VERSION,
    schema,
    classifier: {
      classes,
      ...(label !== undefined && { label }),
      intercept: [...intercept],
      weights: chunks(
        weights,
        Array.from({ length: weights.length / K }, (_, slot) => slot * K),
        K,
      ),
      ...(training && { training }),
    },
    distribution: {
      rows,
      pseudocount,
      atoms: atoms.columns.map(({ values, edges }) =>
        values && edges ? { values: [...values], edges: [...edges] } : null,
      ),
      components: components.map(({ logWeight, logQ }) => ({
        logWeight,
        logQ: atoms.columns.map(({ count }, i) =>
          Array.from(logQ.subarray(atoms.offsets[i], atoms.offsets[i] + count), (x) =>
            x === Number.NEGATIVE_INFINITY ? null : x,
          ),
        ),
      })),
    },
    certificate,
  };
  return JSON.stringify({ ...body, checksum: checksum(JSON.stringify(body)) });
}

function chunks(numbers: Float64Array, starts: readonly number[], length: number): number[][] {
  return starts.map((start) => [...numbers.subarray(start, start + length)]);
}
