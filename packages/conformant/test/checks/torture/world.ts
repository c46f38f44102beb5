import {
  type Classifier,
  type Columns,
  ConformantError,
  conform,
  conformMixture,
  createClassifier,
  type Data,
  encode,
  type Model,
  type Row,
  type Table,
  type Value,
} from "../../../src/index.ts";
import type { Problem } from "./problem.ts";
import { enumerate, type Truth } from "./truth.ts";

/** What stands between a problem and the calls: rows in three forms, the classifier, and a model where one can be fitted. */
export class World {
  readonly problem: Problem;
  readonly classifier: Classifier;
  readonly rows: readonly Row[];
  /** The rows with their labels, in the column "label". */
  readonly labelled: readonly Row[];
  readonly row: Row;
  private known: { readonly truth: Truth | undefined } | undefined;
  private fitted: { readonly model?: Model; readonly thrown?: unknown } | undefined;

  constructor(problem: Problem) {
    const { columns, classes, intercept, weights, cells, labels, row } = problem;
    this.problem = problem;
    this.classifier = createClassifier({
      schema: { columns },
      classes,
      label: "label",
      intercept: Float64Array.from(intercept),
      weights: Float64Array.from(weights),
    });
    this.rows = cells.map((own) => this.rowOf(own));
    this.labelled = cells.map((own, r) => this.rowOf(own, labels[r]));
    this.row = this.rowOf(row);
  }

  private rowOf(cells: readonly Value[], label?: string | null): Row {
    const entries = this.problem.columns.map(({ name }, i): [string, Value] => [name, cells[i]]);
    return Object.fromEntries(label === undefined ? entries : [...entries, ["label", label]]);
  }

  get table(): Table {
    return encode(this.classifier.schema, this.rows);
  }

  /** The rows as objects, as columns or as a table. */
  data(form: number): Data {
    if (form % 3 === 0) return this.rows;
    if (form % 3 === 1) return this.table;
    return Object.fromEntries(
      this.problem.columns.map(({ name }, i) => [name, this.problem.cells.map((row) => row[i])]),
    ) as Columns;
  }

  get weights(): { weights?: readonly number[] } {
    const { rowWeights } = this.problem;
    return rowWeights ? { weights: rowWeights } : {};
  }

  /** The model of the problem's fit, which all calls share; it throws what the fit throws. */
  get model(): Model {
    if (this.fitted === undefined) {
      try {
        this.fitted = { model: this.fit() };
      } catch (thrown) {
        this.fitted = { thrown };
      }
    }
    if (this.fitted.model === undefined) throw this.fitted.thrown;
    return this.fitted.model;
  }

  private fit(): Model {
    const { kind, components, pseudocount, bins, seed } = this.problem.fit;
    const options = { pseudocount, bins, seed, ...this.weights };
    if (kind === "conform") return conform(this.classifier, this.rows, options);
    const numeric = kind === "gaussian" ? "gaussian" : "atoms";
    return conformMixture(this.classifier, this.rows, { ...options, components, numeric, maxIterations: 10 });
  }

  /**
   * How much of the scale of probabilities the rounding of scores may take, in units of 1e-9: scores are products of weights and
   * numbers, and with a Gaussian their squares, or those of the numbers' distances in standard deviations.
   */
  get blur(): number {
    const { weights, intercept, cells, row } = this.problem;
    const numbers = [...cells.flat(), ...row].map((x) => (typeof x === "number" ? Math.abs(x) || 0 : 1));
    const largest = Math.max(1, ...weights.map(Math.abs), ...intercept.map(Math.abs));
    return 1e-6 * Math.max((largest * Math.max(1, ...numbers)) ** 2, this.farthest() ** 2);
  }

  /** The largest distance of a number from the mean of a component's Gaussian, in standard deviations of it. */
  private farthest(): number {
    const { cells, row } = this.problem;
    const { gaussianColumns, components } = this.model;
    const n = gaussianColumns?.columns.length ?? 0;
    return Array.from(gaussianColumns?.columns ?? []).reduce((far, column, i) => {
      const numbers = [...cells.map((own) => own[column]), row[column]].filter((x) => typeof x === "number");
      const away = components.flatMap(({ gaussian }) =>
        numbers.map((x) =>
          gaussian ? Math.abs(x - gaussian.mean[i]) / Math.sqrt(gaussian.covariance[i * n + i]) : 0,
        ),
      );
      return Math.max(far, ...away.filter((x) => !Number.isNaN(x)));
    }, 0);
  }

  /** What is true of a row under the model, where it can be enumerated. */
  truthOf(row: Row): Truth | undefined {
    return enumerate(this.model, row);
  }

  /** The same of the problem's row, found once. */
  get truth(): Truth | undefined {
    this.known ??= { truth: this.truthOf(this.row) };
    return this.known.truth;
  }
}

/** Fails with a sentence. */
export function check(holds: boolean, what: string): void {
  if (!holds) throw new Broken(what);
}

/** Something that must hold does not. */
export class Broken extends Error {}

/** Whether two numbers differ by no more than rounding on the given scale. */
export function near(a: number, b: number, scale = 1): boolean {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(1, scale);
}

/** Rounding of what was enumerated, whose scores go up to 1e5 in size. */
const ENUMERATED = 1e-7;

/** Whether an answer is what was enumerated, up to the rounding of either. */
export function agrees(answer: number, truth: number): boolean {
  return answer === truth || Math.abs(answer - truth) <= ENUMERATED * (1 + Math.abs(truth));
}

/** How far the share of n draws may lie from a probability: six standard deviations, and six draws where that is nothing. */
export function drawnWithin(p: number, n: number): number {
  return 6 * Math.sqrt((Math.max(0, p) * Math.max(0, 1 - p)) / n) + 6 / n;
}

/** Fails unless the numbers are probabilities that sum to 1. */
export function checkProbabilities(p: ArrayLike<number>, what: string): void {
  const all = Array.from(p);
  check(
    all.every((x) => x >= 0 && x <= 1 + 1e-9),
    `${what}: ${all} are not probabilities`,
  );
  const sum = all.reduce((total, x) => total + x, 0);
  check(near(sum, 1), `${what} sum to ${sum}`);
}

/** Fails unless what was thrown is the library's own error, with a code and a message without holes. */
export function checkThrown(error: unknown): void {
  if (error instanceof Broken) throw error;
  if (!(error instanceof ConformantError))
    throw new Broken(`threw ${error instanceof Error ? `${error.name}: ${error.stack}` : String(error)}`);
  check(typeof error.code === "string" && error.code.length > 0, "an error without a code");
  check(!/undefined|\[object|column ""/.test(error.message), `a message with a hole: ${error.message}`);
  if (error.code === "invalid-value") {
    const { row, column } = error.details;
    const named =
      row !== undefined || column !== undefined || error.message.startsWith("the numbers are too large");
    check(named, `no row and no column: ${error.message}`);
  }
}
