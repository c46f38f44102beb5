/** The codes of invalid input; every {@link ConformantError} has one. */
export type ErrorCode =
  | "invalid-argument"
  | "invalid-schema"
  | "invalid-value"
  | "invalid-weights"
  | "invalid-counts"
  | "unknown-column"
  | "unknown-class"
  | "unknown-category"
  | "missing-value"
  | "empty-data"
  | "empty-column"
  | "single-class"
  | "incompatible-marginals"
  | "zero-probability"
  | "model-format"
  | "model-version"
  | "model-altered"
  | "calibration-format"
  | "calibration-mismatch"
  | "aborted";

/** Where the problem is, as far as it is known: for programs, where the message is for people. */
export interface ErrorDetails {
  /** The invalid argument as the signature names it, such as `options.l2`. */
  readonly argument?: string;
  readonly column?: string;
  /** Zero-based index of the row. */
  readonly row?: number;
  /** The value that was received. */
  readonly value?: unknown;
  /** A hint, as a sentence. */
  readonly hint?: string;
}

/**
 * The one error class of the library. The message names the thing, what it must be and what was received;
 * `code` is stable and meant for programs.
 */
export class ConformantError extends Error {
  override readonly name = "ConformantError";
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** A received value for a message, shortened. */
export function show(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `${value.constructor.name} of length ${(value as unknown as ArrayLike<unknown>).length}`;
  }
  const kind = Object.getPrototypeOf(value)?.constructor?.name ?? "Object";
  const what = kind === "Object" ? "an object" : `an object of class ${kind}`;
  return `${what} with keys ${Object.keys(value).slice(0, 6).join(", ") || "(none)"}`;
}

/** The most names that a message lists. */
const LISTED = 12;

/** Names for a message; an ellipsis stands for those beyond the first dozen. */
export function showNames(names: readonly string[]): string {
  const listed = names.slice(0, LISTED).map(show);
  return [...listed, ...(names.length > LISTED ? ["…"] : [])].join(", ");
}

/** The end of a message about an unknown name: `; did you mean "x"?` where a known name is similar, otherwise nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  return near === undefined ? "" : `; did you mean ${show(near)}?`;
}

/**
 * The known name closest to a word: equal but for case, or within two edits and half of its letters. More than 1,000 names are not
 * searched.
 */
export function closest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 100 || known.length > 1000) return undefined;
  let [nearest, least]: [string | undefined, number] = [undefined, 3];
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= least) continue;
    const edits = editDistance(word.toLowerCase(), name.toLowerCase());
    if (edits < least && 2 * edits <= Math.max(word.length, name.length)) [nearest, least] = [name, edits];
  }
  return nearest;
}

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j], before[j - 2] + 1);
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}

/** Throws unless a part of a model file is valid; `where` names it. */
export function need(where: string, what: string, got: unknown, ok: boolean): void {
  if (!ok)
    throw new ConformantError("model-format", `the model file's ${where} must be ${what}, got ${show(got)}`, {
      value: got,
    });
}

/**
 * Numbers beyond this size are rejected as input: weighted squares of them would overflow. Such a number is more likely a placeholder for a
 * missing value than a measurement.
 */
export const LARGEST = 1e100;

/** Throws unless `value` is a number from `least` to {@link LARGEST}; `argument` is the name in the message. */
export function requireNumber(argument: string, value: unknown, least: number): number {
  if (typeof value === "number" && value <= LARGEST && value >= least) return value;
  const large = typeof value === "number" && value > LARGEST && Number.isFinite(value);
  const need = large ? `at most ${LARGEST}` : `a finite number of at least ${least}`;
  throw new ConformantError("invalid-argument", `${argument} must be ${need}, got ${show(value)}`, {
    argument,
    value,
  });
}

/** Throws unless `value` is a number, which may be infinite. */
export function requireOrdered(argument: string, value: unknown): number {
  if (typeof value === "number" && !Number.isNaN(value)) return value;
  throw new ConformantError("invalid-argument", `${argument} must be a number, got ${show(value)}`, {
    argument,
    value,
  });
}

/** Throws unless `value` is a whole number that is at least `least`. */
export function requireInteger(argument: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new ConformantError(
    "invalid-argument",
    `${argument} must be a whole number of at least ${least}, got ${show(value)}`,
    { argument, value },
  );
}

/** Whether a value is an object with named members: not an array, date, map or regular expression, which would look like an empty one. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** Throws unless options are an object. */
export function requireOptions(options: unknown): void {
  if (isRecord(options)) return;
  const message = `options must be an object, got ${show(options)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options", value: options });
}

/** The results of other functions that functions accept: the members that identify them, and a name. */
const MADE = {
  model: [["predictor", "atoms", "components"], "a model, as conform and loadModel give it"],
  distribution: [["schema", "tilt", "atoms", "components"], "a distribution, as models have it"],
  classifier: [
    ["schema", "classes", "intercept", "weights"],
    "a classifier, as train and readClassifier give it",
  ],
  tilt: [["schema", "intercept", "weights"], "a classifier, or the class scores of one"],
  "classifier of any kind": [
    ["kind", "schema"],
    "a classifier, as train, trainTrees and readClassifier give it",
  ],
  regressor: [
    ["schema", "output", "link", "weights"],
    "a regressor, as trainRegressor and readRegressor give it",
  ],
  trees: [["schema", "base", "roots", "nodes"], "trees, as trainTrees and readTrees give them"],
  marginals: [["schema", "rows", "columns"], "marginals, as countMarginals gives them"],
  start: [["atoms", "overall", "counts", "settings"], "the start of a mixture, as startMixture gives it"],
  chunk: [["data"], "{ data } with rows or columns, and perhaps weights"],
  expectation: [["counts", "logLikelihood"], "what rows make of the components"],
  training: [["rows", "rowsWithGaps", "scaling"], "{ rows, rowsWithGaps, scaling }"],
  sums: [["value", "residuals", "bySlot"], "{ value, residuals, bySlot }"],
  counts: [["rows", "columns"], "{ rows, columns } with value and count pairs per column"],
  calibration: [["model", "table", "labels"], "a calibration, as calibrate and loadCalibration give it"],
  sensitivity: [["prediction", "tilts", "limit"], "what sensitivity gives"],
  branch: [["next"], "a branch of a questionnaire, as askTree gives it"],
  explanation: [["prediction", "contributions", "path", "sufficient"], "an explanation, as explain gives it"],
  decision: [["prediction", "probability", "tied"], "a decision, as explain gives it"],
  table: [["schema", "rows", "columns"], "a table, as encode gives it"],
  schema: [["columns"], "a schema, as inferSchema gives it"],
  mixture: [["weights", "means", "standardDeviations"], "a mixture of normal distributions"],
  imputation: [["values", "probabilities"], "the imputation of a number, as impute gives it"],
} as const;

/** Throws unless `value` has the members of its kind; `argument` is the name in the message. */
export function requireMade(kind: keyof typeof MADE, value: unknown, argument: string = kind): void {
  const [parts, made] = MADE[kind];
  if (hasParts(value, parts)) return;
  throw new ConformantError("invalid-argument", `${argument} must be ${made}, got ${show(value)}`, {
    argument,
    value,
  });
}

/** Called once per row, so this loop allocates nothing. */
function hasParts(value: unknown, parts: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  for (let j = 0; j < parts.length; j++) {
    const part = (value as Record<string, unknown>)[parts[j]];
    if (part === undefined || part === null) return false;
  }
  return true;
}

/** Throws unless `value` is an array, or has numbered entries like one. */
export function requireList(argument: string, value: unknown): void {
  const length =
    typeof value === "object" && value !== null ? (value as { length?: unknown }).length : undefined;
  if (Number.isSafeInteger(length)) return;
  throw new ConformantError("invalid-argument", `${argument} must be a list, got ${show(value)}`, {
    argument,
    value,
  });
}

/** Throws unless `value` can be called. */
export function requireFunction(argument: string, value: unknown): void {
  if (typeof value === "function") return;
  throw new ConformantError("invalid-argument", `${argument} must be a function, got ${show(value)}`, {
    argument,
    value,
  });
}

/** Throws unless a text is one of those allowed. */
export function requireOneOf(argument: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return;
  const message = `${argument} must be ${allowed.map(show).join(" or ")}, got ${show(value)}`;
  throw new ConformantError("invalid-argument", message, { argument, value });
}
