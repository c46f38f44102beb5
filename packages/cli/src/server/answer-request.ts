import {
  type AnyModel,
  askNext,
  askPlan,
  askTree,
  type Calibration,
  ConformantError,
  type ExplainOptions,
  encode,
  explain,
  explainInWords,
  howSure,
  isRegression,
  type Model,
  type NumberCalibration,
  predictColumns,
  predictionInterval,
  predictionSet,
  type RegressionModel,
  type Row,
  type Shift,
  sensitivity,
  sensitivityInWords,
  shapley,
  shiftMissing,
  surprise,
  type Table,
  type UnseenValues,
} from "conformant";
import { decide } from "conformant/internal";
import type { z } from "zod";
import { ApiError, errorBody } from "./api-error.ts";
import type { RequestSchemas } from "./request-schemas.ts";

/** The endpoints for POST. */
export type Route = "predict" | "explain" | "ask";

/** A model and the schemas of its requests. */
export interface Service {
  readonly model: AnyModel;
  readonly schemas: RequestSchemas;
  /** Labeled rows of the model's sort for prediction sets or intervals, where the service has them. */
  readonly calibration?: Calibration | NumberCalibration | undefined;
  /** Counts the rows to predict, where somebody watches them. */
  readonly counts?: { readonly add: (table: Table) => void } | undefined;
}

/** Answers a parsed JSON request with the text of a JSON response; throws an {@link ApiError} where it cannot. */
export function answerRequest(service: Service, route: Route, body: unknown): string {
  try {
    return JSON.stringify(answers[route](service, body));
  } catch (thrown) {
    // Errors of the library here are about the request: names, values, options.
    if (thrown instanceof ConformantError) throw new ApiError(422, thrown.code, thrown.message);
    throw thrown;
  }
}

/** The line separator; a shorter line is blank. */
const [NEWLINE, SPACE] = [10, 32];

/** JSON lines in, JSON lines out, one for one; an invalid line gets an error in its place. */
export function answerLines(service: Service, bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let [start, end] = [0, 0]; start < bytes.length; start = end + 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    if (line.some((byte) => byte > SPACE)) lines.push(`${answerLine(service, line)}\n`);
  }
  return lines.join("");
}

/** Checks one row and predicts it. */
function answerLine(service: Service, line: Uint8Array): string {
  try {
    const row = parseJson(line);
    check(service.schemas.row, row);
    return JSON.stringify(predictionOf(service, service.model, row as Row, {}));
  } catch (thrown) {
    if (!(thrown instanceof ApiError || thrown instanceof ConformantError)) throw thrown;
    return errorBody(thrown.code, thrown.message);
  }
}

const answers: Readonly<Record<Route, (service: Service, body: unknown) => unknown>> = {
  predict: (service, body) => {
    const { schemas } = service;
    if (typeof body === "object" && body !== null && "rows" in body) {
      const { rows, set, shift, ...options } = check(schemas.many, body);
      const { predictions, ...rest } = predictBatch(
        service,
        shifted(service, shift, set),
        rows as Row[],
        options,
      );
      const withSets = predictions.map((own, r) => ({ ...own, ...setOf(service, rows[r] as Row, set) }));
      return { predictions: set === undefined ? predictions : withSets, ...rest };
    }
    const { row, sure, set, shift, strict = false } = check(schemas.one, body);
    const model = shifted(service, shift, set);
    const prediction = {
      ...predictionOf(service, model, row as Row, { strict }),
      ...setOf(service, row as Row, set),
    };
    if (!sure) return prediction;
    const certainty = isRegression(model)
      ? howSure(model, row as Row, { strict })
      : howSure(model, row as Row, { strict });
    return { ...prediction, certainty, surprise: surprise(model, row as Row, { strict }) };
  },
  explain: (service, body) => {
    const { row, shift, shapley: shares, sensitivity: tilts, ...rest } = check(service.schemas.explain, body);
    const model = shifted(service, shift);
    const options = given(rest);
    if (isRegression(model)) return explainedNumber(model, row as Row, options, shares, tilts);
    const explanation = explain(model, row as Row, options);
    const { strict, groups, timeLimit } = options;
    const found = tilts && sensitivity(model, row as Row, { strict, ...given(tilts) });
    return {
      ...explanation,
      words: explainInWords(explanation),
      ...(shares && {
        shapley: shapley(model, row as Row, { strict, groups, timeLimit, ...given(shares) }),
      }),
      ...(found && { sensitivity: { ...found, words: sensitivityInWords(found) } }),
    };
  },
  ask: (service, body) => {
    const { row, shift, plan, tree, ...rest } = check(service.schemas.ask, body);
    const model = shifted(service, shift);
    const options = given(rest);
    if (isRegression(model)) return { questions: askNext(model, row as Row, options) };
    const { lookAhead: _, groups, ...alone } = options;
    if (groups && (plan || tree))
      throw new ApiError(422, "invalid-request", "groups: only questions have them");
    return {
      questions: askNext(model, row as Row, options),
      ...(plan && { plan: askPlan(model, row as Row, { ...alone, ...given(plan) }) }),
      ...(tree && { tree: askTree(model, row as Row, { ...alone, ...given(tree) }) }),
    };
  },
};

/** The explanation of a number, with what goes with it. */
function explainedNumber(
  model: RegressionModel,
  row: Row,
  options: ExplainOptions,
  shares: object | undefined,
  tilts: object | undefined,
): object {
  const { strict, groups, timeLimit, threshold } = options;
  return {
    ...explain(model, row, options),
    ...(shares && { shapley: shapley(model, row, { strict, groups, timeLimit, ...given(shares) }) }),
    ...(tilts && { sensitivity: sensitivity(model, row, { strict, threshold, ...given(tilts) }) }),
  };
}

/** The model under the requested assumptions about missing values. */
function shifted(
  { model }: Service,
  shift: Readonly<Record<string, Shift>> | undefined,
  set?: number | undefined,
): AnyModel {
  if (shift === undefined) return model;
  if (set === undefined) return shiftMissing(model, shift);
  const message =
    "set cannot be combined with shift: prediction sets require values that are missing at random";
  throw new ApiError(422, "invalid-request", message);
}

/** The prediction set, or the interval of the outcome, for a requested coverage. */
function setOf({ model, calibration }: Service, row: Row, coverage: number | undefined): object {
  if (coverage === undefined) return {};
  if (!calibration) {
    const message = "set: this service has no calibration; it is started with --calibration FILE";
    throw new ApiError(422, "no-calibration", message);
  }
  if (isRegression(model)) {
    const own = calibration as NumberCalibration;
    const { unseen: _, value: __, ...outcome } = predictionInterval(model, own, row, { coverage });
    return { outcome };
  }
  const { unseen: _, ...set } = predictionSet(model, calibration as Calibration, row, { coverage });
  return { set };
}

interface Strictness {
  readonly strict?: boolean | undefined;
}

function predictionOf(service: Service, model: AnyModel, row: Row, options: Strictness): object {
  const { predictions, ...rest } = predictBatch(service, model, [row], options);
  return { ...predictions[0], ...rest };
}

/** @param model that of the service, or under another assumption about missing values */
function predictBatch(
  { counts }: Service,
  model: AnyModel,
  rows: readonly Row[],
  { strict = false }: Strictness,
): { readonly predictions: readonly object[]; readonly unseen?: readonly UnseenValues[] } {
  const table = encode(model.schema, rows, { strict });
  counts?.add(table);
  const { predictions, unseen } = isRegression(model)
    ? numberPredictions(model, table)
    : classPredictions(model, table);
  return { predictions, ...(unseen.length > 0 && { unseen }) };
}

function numberPredictions(model: RegressionModel, table: Table) {
  const { values, standardErrors, unseen } = predictColumns(model, table);
  const predictions = Array.from(values, (prediction, r) => {
    const standardError = standardErrors?.[r] ?? 0;
    return { prediction, ...(standardError > 0 && { standardError }) };
  });
  return { predictions, unseen };
}

function classPredictions(model: Model, table: Table) {
  const { classes, probabilities, unseen } = predictColumns(model, table);
  const K = classes.length;
  const predictions = Array.from({ length: table.rows }, (_, r) => {
    const own = probabilities.subarray(r * K, (r + 1) * K);
    const decision = decide(own);
    return {
      prediction: classes[decision.class],
      probabilities: Object.fromEntries(classes.map((name, k) => [name, own[k]])),
      ...(decision.tied.length > 0 && { tied: decision.tied.map((k) => classes[k]) }),
    };
  });
  return { predictions, unseen };
}

/** The options without those that are undefined. */
function given<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The value of a JSON text in UTF-8; a byte order mark is skipped. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new ApiError(400, "invalid-json", "the body must be JSON (RFC 8259) in UTF-8");
  }
}

/** The validated body itself, not a copy: rows may have any column name, and copies could lose some. */
function check<S extends z.ZodType>(schema: S, body: unknown): z.infer<S> {
  const outcome = schema.safeParse(body);
  if (outcome.success) return body as z.infer<S>;
  throw new ApiError(422, "invalid-request", firstIssue(outcome.error.issues));
}

/** The first error, the innermost where several alternatives fail. */
function firstIssue(issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[] = []): string {
  // An unknown name explains more than the names that are missing because of it.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const place = [...path, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const deepest = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
    if (deepest.length > 0) return firstIssue(deepest, place);
  }
  const where = place.length > 0 ? place.map(String).join(".") : "the body";
  return `${where}: ${issue.message}`.replace(/\s+/g, " ").slice(0, 300);
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map(({ path }) => path.length));
}
