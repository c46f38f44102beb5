import { ConformantError, requireMade, show } from "../errors.ts";
import { flatTilt } from "../schema/class-tilt.ts";
import { type Column, checkSchema, isDiscrete, type Schema, valueLabels } from "../schema/column.ts";
import type { Row, Table, Value } from "../schema/data.ts";
import { isMissing } from "../schema/read-row.ts";
import { DefaultExpectation } from "./default-expectation.ts";
import type { Predictor, PredictorKind } from "./predictor.ts";

/** Any function of a row whose answer is a number. It cannot be saved, nor handed to other threads. */
export interface RowFunction extends Predictor {
  readonly kind: "function";
  /** The name of the number. */
  readonly output: string;
  readonly answer: (row: Row) => number;
  /** Positions of the columns that the function is given. */
  readonly uses: readonly number[];
}

/**
 * A regressor that is any function of a row; expected answers are means over all completions where these are few, else over draws.
 *
 *     functionRegressor({ schema, output: "cost", answer: ({ days, rate }) => Math.min(days * rate, 900) });
 */
export function functionRegressor(parts: {
  readonly schema: Schema;
  readonly output: string;
  readonly answer: (row: Row) => number;
}): RowFunction {
  requireMade("schema", parts?.schema, "parts.schema");
  const { output, answer } = parts;
  if (typeof answer !== "function") reject("parts.answer must be a function of a row", answer);
  if (typeof output !== "string" || output === "") reject("parts.output must be a non-empty string", output);
  const schema = checkSchema(parts.schema);
  return { kind: "function", schema, output, answer, uses: [...schema.columns.keys()] };
}

function reject(what: string, value: unknown): never {
  throw new ConformantError("invalid-argument", `${what}, got ${show(value)}`, { argument: "parts", value });
}

/** Functions of a row. */
export const functionKind: PredictorKind<RowFunction> = {
  kind: "function",
  description: "a function of a row",
  sampled: true,
  response: ({ output }) => ({ kind: "number", outputs: [output] }),
  columnsUsed: ({ uses }) => uses,
  evaluate: evaluateFunction,
  tilt: ({ schema }) => flatTilt(schema, 1),
  expectation: (predictor, distribution) => new DefaultExpectation(functionKind, predictor, distribution),
  write: () => {
    throw new ConformantError("invalid-argument", "a function of a row cannot be saved in a model file");
  },
  addColumns: (predictor, columns) => ({
    ...predictor,
    schema: checkSchema({ columns: [...predictor.schema.columns, ...columns] }),
  }),
};

function evaluateFunction({ schema, answer, uses }: RowFunction, { rows, columns }: Table): Float64Array {
  const labels = schema.columns.map((column) => (isDiscrete(column) ? labelsOf(column) : undefined));
  return Float64Array.from({ length: rows }, (_, r) => {
    const row = Object.fromEntries(
      uses.flatMap((i): [string, Value][] => {
        const cell = columns[i][r];
        return isMissing(schema.columns[i], cell)
          ? []
          : [[schema.columns[i].name, labels[i]?.[cell] ?? cell]];
      }),
    );
    const number = answer(row);
    if (typeof number === "number" && Number.isFinite(number)) return number;
    return reject("answer must return a finite number for every row", number);
  });
}

/** The values of a category as the caller knows them; the codes of other columns are numbers already. */
function labelsOf(column: Column): readonly string[] | undefined {
  return column.kind === "categorical" ? valueLabels(column) : undefined;
}
