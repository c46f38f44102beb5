import { requireMade } from "../errors.ts";
import { madeOnce } from "../made-once.ts";
import { isGapColumn } from "../schema/column.ts";
import { checksum } from "./checksum.ts";
import { columnsOfParts, versionOfParts, writeComponentParts, writeModelParts } from "./factor-parts.ts";
import type { Model } from "./model.ts";
import { MARKS_VERSION, type ModelJson, TREES_VERSION } from "./model-json.ts";
import { writeTrees } from "./trees-in-file.ts";

/** The model as the text of a model file. It holds no row of the data it was fitted on. */
export function saveModel(model: Model): string {
  requireMade("model", model);
  const body = bodyOf(model);
  return JSON.stringify({ ...body, checksum: checksum(JSON.stringify(body)) });
}

const checksums = new WeakMap<Model, string>();

/** The checksum that the file of a model has, by which it is known again. */
export function checksumOf(model: Model): string {
  return madeOnce(checksums, model, () => checksum(JSON.stringify(bodyOf(model))));
}

/** What stands in the file. */
function bodyOf(model: Model): Omit<ModelJson, "checksum"> {
  const { classifier, trees, atoms, components, rows, pseudocount, certificate } = model;
  const elsewhere = columnsOfParts(model);
  const { schema, classes, label, intercept, weights, training } = classifier;
  const K = classes.length;
  return {
    format: "conformant-model",
    version: Math.max(
      versionOfParts(model),
      trees ? TREES_VERSION : 1,
      schema.columns.some(isGapColumn) ? MARKS_VERSION : 1,
    ),
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
      ...writeModelParts(model),
      atoms: atoms.columns.map(({ values, edges }, i) =>
        values && edges && !elsewhere.has(i) ? { values: [...values], edges: [...edges] } : null,
      ),
      components: components.map((component) => ({
        logWeight: component.logWeight,
        logQ: atoms.columns.map(({ count }, i) =>
          Array.from(component.logQ.subarray(atoms.offsets[i], atoms.offsets[i] + count), (x) =>
            x === Number.NEGATIVE_INFINITY ? null : x,
          ),
        ),
        ...writeComponentParts(component),
      })),
    },
    certificate,
    ...(trees && { trees: writeTrees(trees) }),
  };
}

function chunks(numbers: Float64Array, starts: readonly number[], length: number): number[][] {
  return starts.map((start) => [...numbers.subarray(start, start + length)]);
}
