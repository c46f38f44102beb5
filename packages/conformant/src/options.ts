import { ConformantError, didYouMean, isRecord, LARGEST, show } from "./errors.ts";

/** One option of a function: the check of its value, and its default. `undefined` means absent everywhere; `null` never does. */
export interface Option<out T> {
  /** Completes the sentence "options.seed must be …", with the unit if there is one. */
  readonly must: string;
  readonly accepts: (value: unknown) => boolean;
  readonly absent: T;
  /** Whether it is required. */
  readonly isRequired?: boolean;
}

/** An {@link Option} for every name of an options type: `satisfies OptionsOf<…>` reports missing and superfluous names. */
export type OptionsOf<Options> = {
  readonly [Name in keyof Required<Options>]: Option<Options[Name] | undefined>;
};

/** Settings as options, each of which may be absent or `undefined`. */
export type Optional<Settings> = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** The options as a function uses them: checked, with defaults. */
export type ReadOptions<Described> = {
  readonly [Name in keyof Described]: Described[Name] extends Option<infer T> ? T : never;
};

/**
 * Reads the options of a function, checked and with defaults. The one place where options are read: a name that is not described, `null`,
 * a wrong type and a number out of range are errors of one line that name the option.
 *
 * ```ts
 * export interface SetOptions extends WatchOptions {
 *   // The share of rows whose set must hold their class. Default 0.9.
 *   readonly coverage?: number | undefined;
 *   // Seconds to search. Default 1.
 *   readonly timeLimit?: number | undefined;
 *   readonly seed?: number | undefined;
 *   readonly class?: string | undefined;
 * }
 *
 * const setOptions = {
 *   ...watchOptions,
 *   coverage: probability(0.9),
 *   timeLimit: seconds(1),
 *   seed: integer(0),
 *   class: text(undefined),
 * } satisfies OptionsOf<SetOptions>;
 *
 * export function sets(model: Model, options: SetOptions = {}) {
 *   const { coverage, timeLimit, seed, class: name } = readOptions(options, setOptions);
 * ```
 *
 * @param argument what the options are called in messages
 */
export function readOptions<const Described extends Readonly<Record<string, Option<unknown>>>>(
  options: unknown,
  described: Described,
  argument = "options",
): ReadOptions<Described> {
  requireNames(options, Object.keys(described), argument);
  const given = options as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const name in described) read[name] = readOption(given[name], described[name], `${argument}.${name}`);
  return read as ReadOptions<Described>;
}

/** Throws unless the options are an object with no other names than these, as {@link readOptions} does. */
export function requireNames(options: unknown, known: readonly string[], argument = "options"): void {
  if (!isRecord(options)) reject(argument, "an object", options);
  const given = options as Readonly<Record<string, unknown>>;
  for (const name in given)
    if (given[name] !== undefined && !known.includes(name)) rejectName(argument, name, known);
}

/** Reads one value; `argument` is its name in the message. */
export function readOption<T>(value: unknown, option: Option<T>, argument: string): T {
  if (value === undefined && option.isRequired !== true) return option.absent;
  if (!option.accepts(value)) reject(argument, option.must, value);
  return value as T;
}

function reject(argument: string, must: string, value: unknown): never {
  const message = `${argument} must be ${must}, got ${show(value)}`;
  throw new ConformantError("invalid-argument", message, { argument, value });
}

function rejectName(argument: string, name: string, known: readonly string[]): never {
  const valid = known.length === 0 ? "there are no options" : `valid options are ${known.join(", ")}`;
  const message = `${argument}.${name} is unknown; ${valid}${didYouMean(name, known)}`;
  throw new ConformantError("invalid-argument", message, { argument: `${argument}.${name}` });
}

/** Bounds of a number, inclusive. */
export interface Range {
  /** Default 0. */
  readonly least?: number;
  readonly most?: number;
}

/** A finite number, by default from 0 to {@link LARGEST}. */
export function number<const Absent>(
  absent: Absent,
  { least = 0, most = LARGEST }: Range = {},
): Option<number | Absent> {
  return { must: `a number from ${least} to ${most}`, accepts: (x) => isWithin(x, least, most), absent };
}

/** A whole number, by default of at least 0: a seed, a limit on iterations, rows. */
export function integer<const Absent>(
  absent: Absent,
  { least = 0, most = Number.MAX_SAFE_INTEGER }: Range = {},
): Option<number | Absent> {
  const must =
    most === Number.MAX_SAFE_INTEGER
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`;
  return { must, accepts: (x) => Number.isSafeInteger(x) && isWithin(x, least, most), absent };
}

/** A time limit. */
export function seconds<const Absent>(absent: Absent): Option<number | Absent> {
  return {
    must: "a number of seconds, 0 or more, or Infinity",
    accepts: (x) => x === Number.POSITIVE_INFINITY || isWithin(x, 0, LARGEST),
    absent,
  };
}

/** A probability strictly between 0 and 1: a coverage, a threshold. */
export function probability<const Absent>(absent: Absent): Option<number | Absent> {
  const accepts = (p: unknown): boolean => typeof p === "number" && p > 0 && p < 1;
  return { must: "a probability between 0 and 1", accepts, absent };
}

/** A probability that may be 1. */
export function probabilityUpTo1<const Absent>(absent: Absent): Option<number | Absent> {
  const accepts = (p: unknown): boolean => typeof p === "number" && p > 0 && p <= 1;
  return { must: "a probability above 0 and at most 1", accepts, absent };
}

function isWithin(x: unknown, least: number, most: number): boolean {
  return typeof x === "number" && x >= least && x <= most;
}

export function flag(absent: boolean): Option<boolean> {
  return { must: "true or false", accepts: (value) => typeof value === "boolean", absent };
}

/** One of several words. */
export function oneOf<const Word extends string, const Absent extends Word | undefined>(
  words: readonly Word[],
  absent: Absent,
): Option<Word | Absent> {
  const must = words
    .map(show)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
  return { must, accepts: (value) => (words as readonly unknown[]).includes(value), absent };
}

/** A text: the name of a column or of a class. */
export function text<const Absent>(absent: Absent): Option<string | Absent> {
  return { must: "a text", accepts: (value) => typeof value === "string", absent };
}

/** A list of names. */
export function names<const Absent>(absent: Absent): Option<readonly string[] | Absent> {
  const accepts = (value: unknown): boolean =>
    Array.isArray(value) && value.every((name) => typeof name === "string");
  return { must: "a list of names", accepts, absent };
}

/** Numbers in an array or a typed array; the function that takes them checks each. */
export function numbers<const Absent>(absent: Absent): Option<ArrayLike<number> | Absent> {
  const accepts = (value: unknown): boolean =>
    typeof value === "object" && Number.isSafeInteger((value as Partial<ArrayLike<number>> | null)?.length);
  return { must: "a list of numbers", accepts, absent };
}

/** An object whose values are all of one kind: costs by column, columns by group. */
export function record<T>(
  of: Option<T>,
): Option<Readonly<Record<string, Exclude<T, undefined>>> | undefined> {
  const accepts = (value: unknown): boolean =>
    isRecord(value) && Object.values(value).every((one) => of.accepts(one));
  return { must: `an object in which every value is ${of.must}`, accepts, absent: undefined };
}

/** An object by names; the function that takes it checks its values. */
export function byNames<T>(must: string): Option<Readonly<Record<string, T>> | undefined> {
  return { must, accepts: isRecord, absent: undefined };
}

/** A function. */
export function callable<F>(): Option<F | undefined> {
  return { must: "a function", accepts: (value) => typeof value === "function", absent: undefined };
}

/** An object with functions or values under these names: the result of another function of the library, or an interface. */
export function having<T>(
  must: string,
  parts: Readonly<Record<string, "function" | "object" | "boolean">>,
): Option<T | undefined> {
  const accepts = (value: unknown): boolean =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(parts).every(([name, type]) => typeof (value as Record<string, unknown>)[name] === type);
  return { must, accepts, absent: undefined };
}

/** Either of two kinds; the first determines the default. */
export function either<T, U>(one: Option<T>, other: Option<U>): Option<T | Exclude<U, undefined>> {
  const comma = one.must.includes(" or ") ? "," : "";
  return {
    must: `${one.must}${comma} or ${other.must}`,
    accepts: (value) => one.accepts(value) || other.accepts(value),
    absent: one.absent,
  };
}

/** A required option. */
export function required<T>(option: Option<T>): Option<Exclude<T, undefined>> {
  return { ...option, isRequired: true } as Option<Exclude<T, undefined>>;
}
