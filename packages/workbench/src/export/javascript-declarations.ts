import { type AnyModel, type Column, isRegression } from "conformant";
import { isIndicatorColumn } from "../source/positions.ts";
import { scriptJson } from "./javascript-json.ts";

/** The type declarations of an exported module, with the names of its columns and classes. */
export function declarationsOf(model: AnyModel): string {
  const { schema, gaussianColumns } = model;
  const { label } = model.predictor;
  const columns = schema.columns.filter((column) => !isIndicatorColumn(column));
  const fields = columns.map(
    (column) => `  readonly ${scriptJson(column.name)}?: ${typeOf(column)} | null | undefined;`,
  );
  const own = label !== undefined && !columns.some(({ name }) => name === label);
  const labelField = own ? [`  readonly ${scriptJson(label)}?: unknown;`] : [];
  const { type, values, functions } = isRegression(model) ? NUMBER : answersOf(model.response.outputs);
  return `${type}/** A row; an absent key, null, NaN and the empty text are gaps. */
export interface Row {
${[...fields, ...labelField].join("\n")}
}

export interface Options {
  /** Names that are no column: an error, as by default, or ignored. */
  readonly extra?: "error" | "ignore";
}

export interface Column {
  readonly name: string;
  readonly kind: "numeric" | "binary" | "categorical" | "binned";
  readonly values?: readonly string[];
}

export interface DiscreteImputation {
  readonly kind: "discrete";
  readonly probabilities: Record<string, number>;
  readonly mostLikely: string;
}

export interface NumericImputation {
  readonly kind: "numeric";
  readonly mean: number;
  readonly standardDeviation: number;
${gaussianColumns ? EITHER : ATOMS}}

${values}
/** The columns of a row. */
export const columns: readonly Column[];

${functions}
/** What each missing column is likely to be, given the known ones. */
export function impute(row: Row, options?: Options): Record<string, DiscreteImputation | NumericImputation>;
`;
}

/** What differs between the modules of classes and of numbers. */
function answersOf(classes: readonly string[]): typeof NUMBER {
  return {
    type: `export type ClassName = ${classes.map((name) => scriptJson(name)).join(" | ")};

`,
    values: `/** The names of the classes, in the order of their probabilities. */
export const classes: readonly ClassName[];
`,
    functions: `/** The expected prediction: class name to probability. */
export function predict(row: Row, options?: Options): Record<ClassName, number>;

/** The most likely class. */
export function classify(row: Row, options?: Options): ClassName;
`,
  };
}

const NUMBER = {
  type: "",
  values: `/** The name of the number. */
export const output: string;
`,
  functions: `/** The expected prediction: a number. */
export function predict(row: Row, options?: Options): number;
`,
};

const ATOMS = `  readonly values: number[];
  readonly probabilities: number[];
`;

const EITHER = `  /** The values it may have and how likely they are; the numbers that a Gaussian describes have a density instead. */
  readonly values?: number[];
  readonly probabilities?: number[];
  /** The exact distribution, a mixture of normal ones. */
  readonly density?: {
    readonly weights: number[];
    readonly means: number[];
    readonly standardDeviations: number[];
  };
`;

function typeOf(column: Column): string {
  if (column.kind === "binary") return '0 | 1 | boolean | "0" | "1" | "true" | "false"';
  if (column.kind !== "categorical") return "number | string";
  return `${column.values.map((value) => scriptJson(value)).join(" | ")} | (string & {}) | number | boolean`;
}
