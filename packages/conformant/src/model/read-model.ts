import { type Classifier, createClassifier } from "../additive/classifier.ts";
import { type ColumnAtoms, createAtoms, LONE_ATOM } from "../distribution/atoms.ts";
import type { Certificate } from "../distribution/certificate.ts";
import {
  columnsOfParts,
  createComponent,
  type Distribution,
  readComponentParts,
  readModelParts,
} from "../distribution/distribution.ts";
import { ConformantError, need, show } from "../errors.ts";
import { flatTilt } from "../schema/class-tilt.ts";
import { checkSchema, isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import type { AnyModel } from "./model.ts";
import { MODEL_VERSION, type ModelJson } from "./model-json.ts";
import { checksum } from "./save-model.ts";

/**
 * Reads a predictor that is no additive classifier, or throws where there must not be one.
 *
 * @param classifier the additive classifier of the file, whose weights are zeros where there are trees; absent where the answer is a number
 */
export type ReadOther<P> = (json: ModelJson, classifier: Classifier | undefined) => P;

/** Joins a predictor and its distribution. */
export type JoinModel<P, M> = (predictor: P | Classifier, distribution: Distribution) => M;

/** Reads the text of a model file, and checks everything in it. */
export function readModel<P, M extends AnyModel>(
  text: string,
  join: JoinModel<P, M>,
  readOther: ReadOther<P>,
): M {
  const json = parse(text);
  checkHeader(json);
  try {
    return build(json, join, readOther);
  } catch (cause) {
    if (cause instanceof ConformantError && cause.code === "model-format") throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConformantError("model-format", `the model file is damaged: ${why}`, {}, { cause });
  }
}

function parse(text: string): ModelJson {
  if (typeof text !== "string") {
    throw new ConformantError(
      "invalid-argument",
      `loadModel needs the text of a model file, got ${show(text)}`,
      { argument: "text" },
    );
  }
  try {
    return JSON.parse(text) as ModelJson;
  } catch (cause) {
    const message = `the model file is not complete JSON (${text.length} characters): ${(cause as Error).message}`;
    throw new ConformantError("model-format", message, {}, { cause });
  }
}

function checkHeader(json: ModelJson): void {
  if (json?.format !== "conformant-model") {
    throw new ConformantError(
      "model-format",
      `a model file has "format": "conformant-model", got ${show(json?.format)}`,
    );
  }
  if (!Number.isSafeInteger(json.version) || json.version < 1) {
    throw new ConformantError(
      "model-format",
      `the model file's version must be a whole number, got ${show(json.version)}`,
    );
  }
  if (json.version > MODEL_VERSION) {
    const message = `the model file has version ${json.version}, this library reads up to ${MODEL_VERSION}`;
    throw new ConformantError("model-version", message, {
      value: json.version,
      hint: "update conformant to read it",
    });
  }
  const { checksum: stored, ...body } = json;
  const actual = checksum(JSON.stringify(body));
  if (stored !== actual) {
    const message =
      stored === undefined
        ? "the model file has no checksum, so its integrity cannot be checked"
        : `the model file was altered: its contents have checksum ${actual}, the file says ${show(stored)}`;
    throw new ConformantError("model-altered", message, { value: stored });
  }
}

/** How far the weights of components may be from a sum of 1: a file may have been written with few decimals. */
const WEIGHT_TOLERANCE = 0.01;

function build<P, M extends AnyModel>(json: ModelJson, join: JoinModel<P, M>, readOther: ReadOther<P>): M {
  const classifier = json.regressor === undefined ? buildClassifier(json) : undefined;
  const predictor = classifier && !json.trees ? classifier : readOther(json, classifier);
  const tilt = classifier ?? flatTilt(checkSchema(json.schema), 1);
  const { rows, pseudocount } = json.distribution;
  need("distribution.rows", "a number of at least 0", rows, Number.isFinite(rows) && rows >= 0);
  need(
    "distribution.pseudocount",
    "a number of at least 0",
    pseudocount,
    Number.isFinite(pseudocount) && pseudocount >= 0,
  );
  const parts = readModelParts(tilt, json.distribution);
  const columns = buildAtoms(tilt.schema, json.distribution.atoms, columnsOfParts(parts));
  const atoms = createAtoms(tilt, columns);
  const counts = atoms.columns.map(({ count }) => count);
  const { components } = json.distribution;
  need(
    "distribution.components",
    "a non-empty list",
    components,
    Array.isArray(components) && components.length > 0,
  );
  const read = components.map((component, m) => {
    const { logWeight, logQ } = component;
    need(`components[${m}].logWeight`, "a finite number", logWeight, Number.isFinite(logWeight));
    return createComponent(tilt, atoms, {
      logWeight,
      logQ: readLogs(`components[${m}].logQ`, logQ, counts),
      ...readComponentParts(parts, m, component),
    });
  });
  const total = read.reduce((sum, { logWeight }) => sum + Math.exp(logWeight), 0);
  need("distribution.components", "of weights that sum to 1", total, Math.abs(total - 1) <= WEIGHT_TOLERANCE);
  const { metadata } = json;
  const isObject = typeof metadata === "object" && metadata !== null && !Array.isArray(metadata);
  need("metadata", "an object", metadata, metadata === undefined || isObject);
  const model = join(predictor, {
    schema: tilt.schema,
    tilt,
    atoms,
    ...parts,
    components: read,
    rows,
    pseudocount,
    certificate: buildCertificate(json.certificate),
  });
  return metadata ? { ...model, metadata } : model;
}

function buildClassifier({ schema, classifier }: ModelJson): Classifier {
  if (classifier === undefined) return need("classifier", "present", classifier, false) as never;
  const { classes, label, intercept, weights, training } = classifier;
  checkSchema(schema);
  const ragged = Array.isArray(weights) ? weights.findIndex((row) => row?.length !== classes.length) : 0;
  need("classifier.weights", `rows of ${classes.length} numbers`, weights?.[ragged], ragged < 0);
  const optional = { ...(label !== undefined && { label }), ...(training && { training }) };
  return createClassifier({
    schema,
    classes,
    ...optional,
    intercept: Float64Array.from(intercept),
    weights: Float64Array.from(weights.flat()),
  });
}

function buildAtoms(
  schema: Schema,
  atoms: ModelJson["distribution"]["atoms"],
  elsewhere: ReadonlySet<number>,
): ColumnAtoms[] {
  need(
    "distribution.atoms",
    `one entry per column (${schema.columns.length})`,
    atoms,
    atoms?.length === schema.columns.length,
  );
  return schema.columns.map((column, i) => {
    const entry = atoms[i];
    if (isDiscrete(column)) return { count: valueCount(column) };
    if (elsewhere.has(i)) return LONE_ATOM;
    const where = `distribution.atoms of column ${show(column.name)}`;
    if (entry === null) return need(where, "values and edges", entry, false) as never;
    const { values, edges } = entry;
    need(
      where,
      "one value more than edges",
      values?.length,
      values?.length > 0 && values.length === edges?.length + 1,
    );
    need(where, "ascending numbers", "others", ascending(values) && ascending(edges));
    return { count: values.length, values: Float64Array.from(values), edges: Float64Array.from(edges) };
  });
}

function ascending(numbers: readonly number[]): boolean {
  return numbers.every((x, j) => Number.isFinite(x) && (j === 0 || x > numbers[j - 1]));
}

function readLogs(
  where: string,
  logQ: readonly (readonly (number | null)[])[],
  counts: readonly number[],
): Float64Array {
  const fits = logQ?.length === counts.length && counts.every((count, i) => logQ[i]?.length === count);
  need(where, `one list per column (${counts.length}), one number per atom`, logQ, fits);
  const numbers = logQ.flat().map((x) => (x === null ? Number.NEGATIVE_INFINITY : x));
  const bad = numbers.find((x) => typeof x !== "number" || Number.isNaN(x) || x > 1e-9);
  need(where, "logarithms of probabilities", bad, bad === undefined);
  return Float64Array.from(numbers);
}

function buildCertificate(certificate: Certificate): Certificate {
  const statuses = ["converged", "iteration-limit", "stalled", "given"];
  need(
    "certificate.status",
    `one of ${statuses.join(", ")}`,
    certificate?.status,
    statuses.includes(certificate?.status),
  );
  return certificate;
}
