import type { Column, Model, Row, Value } from "../../../src/index.ts";

/** More completions than this are not enumerated. */
const MOST = 400;
/** Scores beyond this leave too few digits to compare. */
const LARGEST = 1e5;
/** A covariance whose pivots fall by more than this leaves too few digits. */
const CONDITION = 1e-7;

/** One way to fill the gaps that are not numbers of a Gaussian. */
export interface Completion {
  /** P(completion | row). */
  readonly probability: number;
  /** P(k | row, completion): the classifier's answer, unless numbers of a Gaussian are hidden. */
  readonly answer: readonly number[];
  /** The atom of every column. */
  readonly atoms: readonly number[];
}

/** What is true of a row, from the parameters of a model and the definitions alone. */
export interface Truth {
  /** P(k | row). */
  readonly answer: readonly number[];
  /** log P(row, k): numbers count by the atom that they fall into, those of a Gaussian by their density. */
  readonly logJoint: readonly number[];
  readonly completions: readonly Completion[];
  /** Positions of the missing columns that have atoms. */
  readonly missing: readonly number[];
  /** Whether numbers of a Gaussian are missing. */
  readonly hidden: boolean;
}

/**
 * Goes through all completions of a row, with
 *
 *     P(m, k, x) = π_m / Z_m · q_m(x) · exp( b_k + Σ_i s_ki(x_i) )
 *
 * and the numbers of a Gaussian that are missing integrated out. Undefined where there are too many, or where numbers are so
 * large that nothing can be compared. Of the model it reads intercept, weights, values, edges, π, log q, μ and Σ, nothing that the
 * library has made of them, and it calls no function of the library.
 */
export function enumerate(model: Model, row: Row): Truth | undefined {
  const { tilt, schema, atoms, components, gaussianColumns } = model;
  const { intercept, weights } = tilt;
  const K = intercept.length;
  const slots = schema.columns.map((_, i) =>
    schema.columns.slice(0, i).reduce((sum, one) => sum + slotsOf(one), 0),
  );
  const inGaussian = schema.columns.map((_, i) => gaussianColumns?.columns.includes(i) === true);
  const cells = schema.columns.map((column) => readCell(column, row));
  if ([...intercept, ...weights, ...cells].some((x) => Math.abs(x ?? 0) > LARGEST)) return undefined;
  if (atoms.columns.some(({ values }) => values?.some((x) => Math.abs(x) > LARGEST))) return undefined;

  const slope = (i: number, k: number): number => weights[slots[i] * K + k];
  const linear = (i: number): boolean => ["numeric", "binary"].includes(schema.columns[i].kind);
  const scoreOfAtom = (i: number, v: number, k: number): number =>
    linear(i) ? slope(i, k) * (atoms.columns[i].values?.[v] ?? v) : weights[(slots[i] + v) * K + k];
  const scoreOfCell = (i: number, k: number): number =>
    linear(i) ? slope(i, k) * (cells[i] as number) : scoreOfAtom(i, atomOfCell(i), k);
  const atomOfCell = (i: number): number => {
    const x = cells[i] as number;
    const { kind, ...rest } = schema.columns[i];
    const edges = kind === "numeric" ? atoms.columns[i].edges : (rest as { edges?: number[] }).edges;
    return edges === undefined ? x : Array.from(edges).filter((edge) => edge <= x).length;
  };

  const classes = Array.from({ length: K }, (_, k) => k);
  const plain = Array.from(schema.columns.keys()).filter((i) => !inGaussian[i]);
  const numbers = Array.from(gaussianColumns?.columns ?? []);
  const known = numbers.filter((i) => cells[i] !== undefined);
  const gaussians = components.map(({ gaussian }) =>
    gaussian
      ? conditionOn(
          gaussian.mean,
          gaussian.covariance,
          numbers,
          numbers.map((i) => cells[i]),
        )
      : undefined,
  );
  if (gaussianColumns && gaussians.some((one) => one === undefined)) return undefined;
  /** log ∫ q(hidden | known) e^{w_k·x}, with and without log q(known). */
  const gaussianTerm = (m: number, k: number): number => {
    const one = gaussians[m];
    if (!one) return 0;
    const w = one.hidden.map((i) => slope(i, k));
    return (
      one.logDensity +
      known.reduce((sum, i) => sum + slope(i, k) * (cells[i] as number), 0) +
      w.reduce((sum, x, a) => sum + x * one.mean[a], 0) +
      w.reduce((sum, x, a) => sum + x * w.reduce((inner, y, b) => inner + y * one.covariance[a][b], 0), 0) / 2
    );
  };
  const logZ = components.map(({ logQ, gaussian }) =>
    logSum(
      classes.map((k) => {
        const ofAtoms = plain.reduce(
          (sum, i) =>
            sum + logSum(atomsOf(model, i).map((v) => logQ[atoms.offsets[i] + v] + scoreOfAtom(i, v, k))),
          intercept[k],
        );
        if (!gaussian) return ofAtoms;
        const w = numbers.map((i) => slope(i, k));
        const n = numbers.length;
        const linearPart = w.reduce((sum, x, a) => sum + x * gaussian.mean[a], 0);
        const square = w.reduce(
          (sum, x, a) => sum + x * w.reduce((inner, y, b) => inner + y * gaussian.covariance[a * n + b], 0),
          0,
        );
        return ofAtoms + linearPart + square / 2;
      }),
    ),
  );

  const missing = plain.filter((i) => cells[i] === undefined);
  if (missing.reduce((product, i) => product * atoms.columns[i].count, 1) > MOST) return undefined;
  const all = combinations(missing.map((i) => atoms.columns[i].count)).map((chosen) => {
    const own = schema.columns.map((_, i) =>
      inGaussian[i] ? 0 : cells[i] === undefined ? chosen[missing.indexOf(i)] : atomOfCell(i),
    );
    /** With known numbers at their atom's value (`atAtoms`), or as they are. */
    const logs = (atAtoms: boolean): number[] =>
      classes.map((k) =>
        logSum(
          components.map(({ logWeight, logQ }, m) =>
            plain.reduce(
              (sum, i) =>
                sum +
                logQ[atoms.offsets[i] + own[i]] +
                (cells[i] === undefined || atAtoms ? scoreOfAtom(i, own[i], k) : scoreOfCell(i, k)),
              logWeight - logZ[m] + intercept[k] + gaussianTerm(m, k),
            ),
          ),
        ),
      );
    return { atoms: own, logs: logs(false), atAtoms: logs(true) };
  });
  const total = logSum(all.flatMap(({ logs }) => logs));
  if (!Number.isFinite(total)) return undefined;
  const completions = all.map(({ logs, atoms: own }) => {
    const log = logSum(logs);
    return {
      probability: Math.exp(log - total),
      answer: logs.map((x) => (log === Number.NEGATIVE_INFINITY ? 1 / K : Math.exp(x - log))),
      atoms: own,
    };
  });
  return {
    answer: classes.map((k) => Math.exp(logSum(all.map(({ logs }) => logs[k])) - total)),
    logJoint: classes.map((k) => logSum(all.map(({ atAtoms }) => atAtoms[k]))),
    completions,
    missing,
    hidden: known.length < numbers.length,
  };
}

function atomsOf({ atoms }: Model, i: number): number[] {
  return Array.from({ length: atoms.columns[i].count }, (_, v) => v);
}

function slotsOf(column: Column): number {
  if (column.kind === "categorical") return column.values.length;
  return column.kind === "binned" ? column.edges.length + 1 : 1;
}

/** A cell as a number, or as the position of its value; undefined for a gap and for a value that is not in the list. */
export function readCell(column: Column, row: Row): number | undefined {
  const value: Value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
  if (value === null || value === undefined || value === "" || Number.isNaN(value)) return undefined;
  if (column.kind !== "categorical") return Number(value);
  const at = column.values.indexOf(String(value));
  return at < 0 ? undefined : at;
}

interface Conditional {
  /** log N(known; μ, Σ). */
  readonly logDensity: number;
  /** Positions in the schema, and the moments, of what is hidden given what is known. */
  readonly hidden: readonly number[];
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

/** Known numbers are swept out of mean and covariance one after the other; undefined where that loses too many digits. */
function conditionOn(
  mean: Float64Array,
  covariance: Float64Array,
  columns: readonly number[],
  cells: readonly (number | undefined)[],
): Conditional | undefined {
  const n = columns.length;
  const m = Array.from(mean);
  const c = Array.from({ length: n }, (_, i) => Array.from(covariance.subarray(i * n, (i + 1) * n)));
  if ([...m, ...covariance].some((x) => Math.abs(x) > LARGEST)) return undefined;
  let logDensity = 0;
  for (let a = 0; a < n; a++) {
    const x = cells[a];
    if (x === undefined) continue;
    const pivot = c[a][a];
    if (!(pivot > CONDITION * Math.max(1, covariance[a * n + a]))) return undefined;
    const off = x - m[a];
    logDensity -= (off * off) / (2 * pivot) + Math.log(2 * Math.PI * pivot) / 2;
    const ratios = c.map((line) => line[a] / pivot);
    for (let i = 0; i < n; i++) {
      m[i] += ratios[i] * off;
      for (let j = 0; j < n; j++) if (i !== a && j !== a) c[i][j] -= ratios[i] * c[a][j];
    }
    for (let i = 0; i < n; i++) c[i][a] = c[a][i] = 0;
  }
  const left = columns.flatMap((_, a) => (cells[a] === undefined ? [a] : []));
  return {
    logDensity,
    hidden: left.map((a) => columns[a]),
    mean: left.map((a) => m[a]),
    covariance: left.map((a) => left.map((b) => c[a][b])),
  };
}

function combinations(counts: readonly number[]): number[][] {
  return counts.reduce<number[][]>(
    (all, count) => all.flatMap((one) => Array.from({ length: count }, (_, v) => [...one, v])),
    [[]],
  );
}

/** log Σ e^x. */
export function logSum(logs: readonly number[]): number {
  const most = Math.max(...logs);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(logs.reduce((sum, x) => sum + Math.exp(x - most), 0));
}
