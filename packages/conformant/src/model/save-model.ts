import { memoize } from "../cache.ts";
import {
  columnsOfParts,
  versionOfParts,
  writeComponentParts,
  writeModelParts,
} from "../distribution/distribution.ts";
import { requireMade } from "../errors.ts";
import type { Predictor, PredictorKind } from "../predictors/predictor.ts";
import { isIndicatorColumn } from "../schema/column.ts";
import { kindOf } from "./kinds.ts";
import type { AnyModel } from "./model.ts";
import {
  MARKS_VERSION,
  type ModelJson,
  type PredictorInFile,
  REGRESSOR_VERSION,
  TREES_VERSION,
} from "./model-json.ts";

/**
 * The model as the text of a model file. It holds no row of the data it was fitted on.
 *
 *     writeFileSync("model.json", saveModel(model));
 */
export function saveModel(model: AnyModel): string {
  requireMade("model", model);
  const body = bodyOf(model);
  return JSON.stringify({ ...body, checksum: checksum(JSON.stringify(body)) });
}

const checksums = new WeakMap<AnyModel, string>();

/** The checksum that the file of a model has, by which it is known again. */
export function checksumOf(model: AnyModel): string {
  return memoize(checksums, model, () => checksum(JSON.stringify(bodyOf(model))));
}

/** What stands in the file. */
function bodyOf(model: AnyModel): Omit<ModelJson, "checksum"> {
  const { predictor, response, tilt, schema, atoms, components, rows, pseudocount, certificate, metadata } =
    model;
  const elsewhere = columnsOfParts(model);
  const kind: PredictorKind = kindOf<Predictor>(predictor, "model.predictor");
  const { training, regressor, ...parts }: PredictorInFile = kind.write(predictor);
  const { label } = predictor;
  const { intercept, weights } = tilt;
  const { outputs: classes } = response;
  const K = classes.length;
  return {
    format: "conformant-model",
    version: Math.max(
      versionOfParts(model),
      parts.trees ? TREES_VERSION : 1,
      regressor ? REGRESSOR_VERSION : 1,
      schema.columns.some(isIndicatorColumn) ? MARKS_VERSION : 1,
    ),
    schema,
    ...(!regressor && {
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
    }),
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
    ...parts,
    ...(regressor && { regressor: { ...regressor, ...(label !== undefined && { label }) } }),
    ...(metadata && { metadata }),
  };
}

function chunks(numbers: Float64Array, starts: readonly number[], length: number): number[][] {
  return starts.map((start) => [...numbers.subarray(start, start + length)]);
}

/** CRC-32 (ISO 3309) of a text's UTF-16 code units, as eight hexadecimal digits: it finds accidents, not forgery. */
export function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    crc = TABLE[(crc ^ unit) & 0xff] ^ (crc >>> 8);
    crc = TABLE[(crc ^ (unit >>> 8)) & 0xff] ^ (crc >>> 8);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
