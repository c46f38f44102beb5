import { cscFromTriplets } from "cvxjs";
import { type ConicProgram, solveWithClarabel, solveWithScs } from "./conic-solvers.ts";

/**
 * Naive conformant learning as the paper poses it, for 0/1 columns: Khosravi et al. 2019, "Naive Conformant Learning"
 * and the appendix on multiclass. K classes, n columns; class 0 is the one the others are divided by.
 */
export interface GeometricProgram {
  /** K × (n + 1), intercept first. For two classes give class 0 a row of zeros. */
  readonly weights: readonly (readonly number[])[];
  /** K: rows of each class. Any completion of the labels has the same optimum, so fractions are welcome. */
  readonly classCounts: readonly number[];
  /** K × n: rows of the class with a one in the column. */
  readonly onesPerClass: readonly (readonly number[])[];
  /** Added to the count of every parameter. Above 0 where a column is constant, or the optimum is at infinity. */
  readonly pseudocount: number;
}

export interface GeometricSolution {
  /** "solved", or the solver's word for what went wrong. */
  readonly status: string;
  /** K: θ_k = P(k). */
  readonly prior: number[];
  /** K × n: θ_{x_i|k} = P(x_i = 1 | k). */
  readonly one: number[][];
  /** K × n: θ_{x̄_i|k} = P(x_i = 0 | k), a variable of its own and not 1 − θ_{x_i|k}. */
  readonly zero: number[][];
  /** Largest |1 − Σθ| over the sum-to-one constraints, which the program relaxes to Σθ ≤ 1; a violation shows too. */
  readonly slack: number;
}

/**
 * Solves, in the variables y = log θ, with N rows and counts that include the pseudo-count:
 *
 *     minimise  Π θ^{−count/N}                                                            a monomial: linear in y
 *     where     e^{w_ki − w_0i} θ_{x_i|k}⁻¹ θ_{x̄_i|k} θ_{x_i|0} θ_{x̄_i|0}⁻¹ = 1            k > 0, all i
 *               e^{w_k0 − w_00} θ_k⁻¹ θ_0 Π_i θ_{x̄_i|k}⁻¹ θ_{x̄_i|0} = 1                    k > 0
 *               Σ_k θ_k ≤ 1,   θ_{x_i|k} + θ_{x̄_i|k} ≤ 1                                   all i, k
 *
 * The inequalities are tight at the optimum (the paper saw it; it always holds): with room in column i of class k, raise
 * both its θ by a factor and lower θ_k by the same; the objective does not rise, and then all θ_k have room to grow.
 */
export async function solveGeometricProgram(
  gp: GeometricProgram,
  solver: "clarabel" | "scs",
): Promise<GeometricSolution> {
  const layout = layOut(gp);
  const program = poseConic(gp, layout);
  const { status, point } = await (solver === "clarabel" ? solveWithClarabel : solveWithScs)(program);
  const theta = Float64Array.from(point.subarray(0, layout.parameters), Math.exp);
  const slacks = layout.sums.map((sum) => Math.abs(1 - sum.reduce((total, j) => total + theta[j], 0)));
  const table = (index: Layout["one"]) =>
    gp.onesPerClass.map((ones, k) => ones.map((_, i) => theta[index(k, i)]));
  return {
    status,
    prior: gp.classCounts.map((_, k) => theta[k]),
    one: table(layout.one),
    zero: table(layout.zero),
    slack: Math.max(...slacks),
  };
}

/** Where each parameter stands in θ: the K priors, then θ_{x_i|k} and θ_{x̄_i|k}, each class by class. */
interface Layout {
  readonly classes: number;
  readonly columns: number;
  /** K + 2Kn. */
  readonly parameters: number;
  readonly one: (k: number, i: number) => number;
  readonly zero: (k: number, i: number) => number;
  /** The parameters of each sum-to-one constraint: the priors, then one pair per class and column. */
  readonly sums: readonly (readonly number[])[];
}

function layOut(gp: GeometricProgram): Layout {
  const classes = gp.weights.length;
  const columns = gp.weights[0].length - 1;
  const one = (k: number, i: number) => classes + k * columns + i;
  const zero = (k: number, i: number) => classes + (classes + k) * columns + i;
  const priors = gp.weights.map((_, k) => k);
  const pairs = priors.flatMap((k) => gp.onesPerClass[k].map((_, i) => [one(k, i), zero(k, i)]));
  return {
    classes,
    columns,
    parameters: classes + 2 * classes * columns,
    one,
    zero,
    sums: [priors, ...pairs],
  };
}

/** One row of A x + s = b. Every entry of A is +1 or −1, so a row is two lists of variables and its bound. */
interface ConicRow {
  readonly plus: readonly number[];
  readonly minus: readonly number[];
  readonly bound: number;
}

/**
 * The program in conic form. Variables: y = log θ, then t ≥ e^y, one for each parameter; so Σθ ≤ 1 becomes Σ t ≤ 1
 * with an exponential cone for each parameter.
 */
function poseConic(gp: GeometricProgram, layout: Layout): ConicProgram {
  const equalities = weightRows(gp, layout);
  const inequalities = layout.sums.map((sum) => sumRow(sum, layout));
  const exponentials = Array.from({ length: layout.parameters }, (_, j) => exponentialRows(j, layout)).flat();
  const rows = [...equalities, ...inequalities, ...exponentials];
  return {
    objective: logObjective(gp, layout),
    matrix: toMatrix(rows, 2 * layout.parameters),
    bound: Float64Array.from(rows, (row) => row.bound),
    cones: { zero: equalities.length, nonnegative: inequalities.length, exponential: layout.parameters },
  };
}

/** log Π θ^{−count/N} = −Σ (count/N) y: the negative log-likelihood per row, which keeps the numbers near 1. */
function logObjective(gp: GeometricProgram, layout: Layout): Float64Array {
  const rows = gp.classCounts.reduce((total, count) => total + count, 0);
  const cost = (count: number) => -(count + gp.pseudocount) / rows;
  const objective = new Float64Array(2 * layout.parameters); // t costs nothing
  gp.onesPerClass.forEach((onesOfClass, k) => {
    objective[k] = cost(gp.classCounts[k]);
    onesOfClass.forEach((ones, i) => {
      objective[layout.one(k, i)] = cost(ones);
      objective[layout.zero(k, i)] = cost(gp.classCounts[k] - ones);
    });
  });
  return objective;
}

/** The monomial equalities, in logs: for each class after the first its n weights, then its intercept. */
function weightRows({ weights }: GeometricProgram, { classes, columns, one, zero }: Layout): ConicRow[] {
  const everyColumn = Array.from({ length: columns }, (_, i) => i);
  const rows: ConicRow[] = [];
  for (let k = 1; k < classes; k++) {
    for (const i of everyColumn) {
      const bound = weights[k][i + 1] - weights[0][i + 1];
      rows.push({ plus: [one(k, i), zero(0, i)], minus: [zero(k, i), one(0, i)], bound });
    }
    const zerosOf = (c: number) => everyColumn.map((i) => zero(c, i));
    const bound = weights[k][0] - weights[0][0];
    rows.push({ plus: [k, ...zerosOf(k)], minus: [0, ...zerosOf(0)], bound });
  }
  return rows;
}

/** Σ_j t_j + s = 1 with s ≥ 0, over the parameters j of one distribution. */
function sumRow(sum: readonly number[], { parameters }: Layout): ConicRow {
  return { plus: sum.map((j) => parameters + j), minus: [], bound: 1 };
}

/** (y_j, 1, t_j) in the exponential cone: e^{y_j} ≤ t_j. */
function exponentialRows(j: number, { parameters }: Layout): ConicRow[] {
  return [
    { plus: [], minus: [j], bound: 0 },
    { plus: [], minus: [], bound: 1 },
    { plus: [], minus: [parameters + j], bound: 0 },
  ];
}

function toMatrix(rows: readonly ConicRow[], variables: number): ConicProgram["matrix"] {
  const rowOf = rows.flatMap(({ plus, minus }, r) => [...plus, ...minus].map(() => r));
  const variableOf = rows.flatMap(({ plus, minus }) => [...plus, ...minus]);
  const values = rows.flatMap(({ plus, minus }) => [...plus.map(() => 1), ...minus.map(() => -1)]);
  return cscFromTriplets(rows.length, variables, rowOf, variableOf, values);
}
