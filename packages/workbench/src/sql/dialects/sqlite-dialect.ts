import { binByCase, pickByCase, positionByCase } from "../case-lists.ts";
import { writeOutComponents } from "../per-component.ts";
import { quoteInBackticks, quoteLiteral } from "../quote.ts";
import { chainStages, computeNumbers, softmaxOfScalars } from "../stages.ts";
import type { Dialect } from "./dialect.ts";

/** A function takes 127 arguments; one is kept for what does not fit. */
const MOST_ARGUMENTS = 120;

/** Keeps a subquery from being merged with the query around it, which would compute its expressions at every use. */
const FENCE = " LIMIT -1 OFFSET 0";

const inStages = chainStages(FENCE);

/** SQLite 3.35 and newer, built with its mathematical functions. */
export const sqliteDialect: Dialect = {
  name: "sqlite",
  // In double quotes a column that is not there would be taken for a text.
  identifier: quoteInBackticks,
  literal: quoteLiteral,
  number: (x) => (Number.isNaN(x) ? "NULL" : Number.isFinite(x) ? asReal(x) : x > 0 ? "9e999" : "-9e999"),
  text: (expression) => `CAST(${expression} AS TEXT)`,
  // A column of SQLite may hold texts whatever its type: the empty one is a gap, one that is no number spoils the row.
  double: (expression) =>
    `CASE WHEN typeof(${expression}) IN ('integer', 'real') THEN CAST(${expression} AS REAL) ELSE ${sqliteDialect.parseDouble(`NULLIF(trim(${expression}), '')`)} END`,
  whole: (expression) => `CAST(${expression} AS INTEGER)`,
  // Beside a number SQLite takes a text for the number that it is as a whole, and a text that is none is greater than all numbers.
  parseDouble: (expression) =>
    `CASE WHEN ${expression} <= CAST(9e999 AS REAL) THEN CAST(${expression} AS REAL) WHEN ${expression} IS NOT NULL THEN 9e999 END`,
  trim: (expression) => `trim(${expression})`,
  withoutZeros: (expression) => `rtrim(${expression}, '0')`,
  nanForNull: (expression) => expression, // SQLite has no NaN, a gap stays NULL
  nullForNan: (expression) => expression,
  position: (expression, values) => positionByCase(expression, values, quoteLiteral),
  otherwise: (first, second) => `COALESCE(${first}, ${second})`,
  pick: (position, numbers) => pickByCase(position, numbers, sqliteDialect.number),
  bin: (expression, edges) => binByCase(expression, edges, sqliteDialect.number),
  exp: (expression) => `exp(${expression})`,
  log: (expression) => `ln(${expression})`,
  greatest: (expressions) => {
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

/** With a point or an exponent, so that arithmetic is never that of whole numbers. */
function asReal(x: number): string {
  return Number.isInteger(x) && Math.abs(x) < 1e21 ? `${x}.0` : String(x);
}
