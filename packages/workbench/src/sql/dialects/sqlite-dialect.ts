import { binByCase, pickByCase, positionByCase } from "../case-lists.ts";
import { singleBlanks } from "../number-text.ts";
import { writeOutComponents } from "../per-component.ts";
import { quoteInBackticks, quoteLiteral } from "../quote.ts";
import { chainStages, computeNumbers, softmaxOfScalars } from "../stages.ts";
import type { Dialect } from "./dialect.ts";

/** A function takes 127 arguments; one is reserved for what does not fit. */
const MOST_ARGUMENTS = 120;

/** Keeps a subquery from being merged with the outer query, which would compute its expressions at every use. */
const FENCE = " LIMIT -1 OFFSET 0";

const inStages = chainStages(FENCE);

/** SQLite 3.35 and newer, built with its mathematical functions. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  // SQLite reads an unknown column in double quotes as a text.
  identifier: quoteInBackticks,
  literal: quoteLiteral,
  number: (x) => (Number.isNaN(x) ? "NULL" : Number.isFinite(x) ? asReal(x) : x > 0 ? "9e999" : "-9e999"),
  text: (expression) => `CAST(${expression} AS TEXT)`,
  // A SQLite column may hold texts whatever its type: the empty text means missing, one that is not a number invalidates the row.
  double: (expression) =>
    `CASE WHEN typeof(${expression}) IN ('integer', 'real') THEN CAST(${expression} AS REAL) ELSE ${sqliteDialect.parseDouble(`NULLIF(trim(${expression}), '')`)} END`,
  whole: (expression) => `CAST(${expression} AS INTEGER)`,
  // Compared with a number, SQLite converts a numeric text; other texts are greater than all numbers.
  parseDouble: (expression) =>
    `CASE WHEN ${expression} <= CAST(9e999 AS REAL) THEN CAST(${expression} AS REAL) WHEN ${expression} IS NOT NULL THEN 9e999 END`,
  trim: (expression) => `trim(${expression})`,
  fold: (expression) => singleBlanks(`lower(${expression})`),
  withoutZeros: (expression) => `rtrim(${expression}, '0')`,
  nanForNull: (expression) => expression, // SQLite has no NaN; missing values stay NULL
  nullForNan: (expression) => expression,
  position: (expression, values) => positionByCase(expression, values, quoteLiteral),
  otherwise: (first, second) => `COALESCE(${first}, ${second})`,
  pick: (position, numbers) => pickByCase(position, numbers, sqliteDialect.number),
  bin: (expression, edges) => binByCase(expression, edges, sqliteDialect.number),
  exp: (expression) => `exp(${expression})`,
  log: (expression) => `ln(${expression})`,
  greatest: (expressions) => {
    if (expressions.length === 1) return expressions[0]; // MAX of one argument is an aggregate
    if (expressions.length <= MOST_ARGUMENTS) return `max(${expressions.join(", ")})`;
    const rest = sqliteDialect.greatest(expressions.slice(MOST_ARGUMENTS));
    return `max(${expressions.slice(0, MOST_ARGUMENTS).join(", ")}, ${rest})`;
  },
  distinct: (expression) => `count(DISTINCT ${expression})`,
  staged: inStages,
  computed: computeNumbers(inStages),
  softmax: (logs) => softmaxOfScalars(sqliteDialect, logs),
  mostTreeTerms: 20_000,
  perComponent: (computation) => writeOutComponents(computation, sqliteDialect.number),
};

/** With a point or an exponent, so that arithmetic is never integer arithmetic. */
function asReal(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e21 ? `${x}.0` : String(x);
}
