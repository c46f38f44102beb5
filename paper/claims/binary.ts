import type { Model, Random, Row, Schema } from "conformant";
import { modelFromNaiveBayes, type NaiveBayes } from "conformant-workbench/baselines";

/** The 0/1 columns x1 … xn. */
export function binarySchema(n: number): Schema {
  return { columns: Array.from({ length: n }, (_, i) => ({ name: `x${i + 1}`, kind: "binary" })) };
}

/** Naive Bayes over 0/1 columns. @param given per column [P(x = 1 | c), P(x = 1 | not c)] */
export function naiveBayes(prior: number, given: readonly (readonly [number, number])[]): NaiveBayes {
  return {
    schema: binarySchema(given.length),
    classes: ["not c", "c"],
    logPrior: Float64Array.of(Math.log(1 - prior), Math.log(prior)),
    logConditional: Float64Array.from(given.flatMap(([c, not]) => [1 - not, 1 - c, not, c].map(Math.log))),
  };
}

/** A distribution over 0/1 columns in which they are independent, as a model whose class knows nothing. */
export function independentModel(shares: readonly number[]): Model {
  return modelFromNaiveBayes(
    naiveBayes(
      0.5,
      shares.map((p) => [p, p]),
    ),
  );
}

/** All rows of n bits. */
export function allRows(n: number): number[][] {
  return Array.from({ length: 2 ** n }, (_, code) => Array.from({ length: n }, (_, i) => (code >> i) & 1));
}

/** Bits as a row of the library. */
export function rowOf(bits: readonly (number | undefined)[]): Row {
  return Object.fromEntries(bits.flatMap((bit, i) => (bit === undefined ? [] : [[`x${i + 1}`, bit]])));
}

/** A row of the library as bits. */
export function bitsOf(row: Row, n: number): number[] {
  return Array.from({ length: n }, (_, i) => Number(row[`x${i + 1}`]));
}

/** A number between two others. */
export function between(g: Random, low: number, high: number): number {
  return low + (high - low) * g.uniform();
}

export function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** A formula in conjunctive normal form: clauses of literals ±(i + 1). */
export type Formula = readonly (readonly number[])[];

/** A random formula of clauses with three different variables. */
export function randomFormula(n: number, clauses: number, g: Random): Formula {
  return Array.from({ length: clauses }, () => {
    const variables = new Set<number>();
    while (variables.size < 3) variables.add(1 + g.integer(n));
    return [...variables].map((variable) => (g.uniform() < 0.5 ? variable : -variable));
  });
}

export function satisfies(bits: readonly number[], formula: Formula): boolean {
  return formula.every((clause) =>
    clause.some((literal) => bits[Math.abs(literal) - 1] === Number(literal > 0)),
  );
}

/** How many rows of n bits satisfy a formula, by branching on its first literal; no row is looked at. */
export function countModels(formula: Formula, n: number): number {
  if (formula.some((clause) => clause.length === 0)) return 0;
  if (formula.length === 0) return 2 ** n;
  const [[literal]] = formula;
  return [literal, -literal].reduce(
    (sum, chosen) =>
      sum +
      countModels(
        formula
          .filter((clause) => !clause.includes(chosen))
          .map((clause) => clause.filter((other) => other !== -chosen)),
        n - 1,
      ),
    0,
  );
}
