/** What can be wrong with what a caller hands in; every {@link ConformantError} carries one of these. */
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
  | "aborted";

/** Where the trouble is, as far as it is known: for programs, where the message is for people. */
export interface ErrorDetails {
  /** The public argument at fault, as it is called in the signature, e.g. `options.l2`. */
  readonly argument?: string;
  readonly column?: string;
  /** Zero-based index of the row. */
  readonly row?: number;
  /** What was received. */
  readonly value?: unknown;
  /** What may help, as a sentence. */
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

/** A received value as a person would recognise it, cut to a readable length. */
export function show(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `${value.constructor.name} of length ${(value as unknown as ArrayLike<unknown>).length}`;
  }
  return `an object with keys ${Object.keys(value).slice(0, 6).join(", ") || "(none)"}`;
}

/**
 * Numbers beyond this size are refused where they come in: their squares, weighed, would leave the range of numbers. What is
 * so large marks a gap more often than it was measured.
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

/** Throws unless `value` is a whole number that is at least `least`. */
export function requireInteger(argument: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new ConformantError(
    "invalid-argument",
    `${argument} must be a whole number of at least ${least}, got ${show(value)}`,
    { argument, value },
  );
}

/** Throws unless options are an object; those that are left out are an empty one. */
export function requireOptions(options: unknown): void {
  if (typeof options === "object" && options !== null && !Array.isArray(options)) return;
  const message = `options must be an object, got ${show(options)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options", value: options });
}
