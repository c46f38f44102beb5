import { binByCase, pickByCase, positionByCase } from "../case-lists.ts";
import { singleBlanks } from "../number-text.ts";
import { writeOutComponents } from "../per-component.ts";
import { quoteIdentifier, quoteLiteral } from "../quote.ts";
import { computeNumbers, nestStages, softmaxOfScalars } from "../stages.ts";
import type { Dialect } from "./dialect.ts";

/** Below this exp() may raise an error instead of returning 0. */
const LEAST_EXPONENT = -700;

const inStages = nestStages();

/** Standard SQL (2023, for GREATEST), without features of single engines. It has no NaN; a missing value is NULL. */
export const ansiDialect: Dialect = {
  name: "ansi",
  identifier: quoteIdentifier,
  literal: quoteLiteral,
  number: (x) =>
    `CAST(${Number.isFinite(x) ? x.toExponential().replace("e", "E") : "NULL"} AS DOUBLE PRECISION)`,
  text: (expression) => `CAST(${expression} AS VARCHAR(1000))`,
  double: (expression) => `CAST(${expression} AS DOUBLE PRECISION)`,
  whole: (expression) => `CAST(${expression} AS BIGINT)`,
  parseDouble: (expression) => ansiDialect.double(expression),
  trim: (expression) => `TRIM(${expression})`,
  fold: (expression) => singleBlanks(`lower(${expression})`),
  withoutZeros: (expression) => `TRIM(TRAILING '0' FROM ${expression})`,
  nanForNull: (expression) => expression,
  nullForNan: (expression) => expression,
  position: (expression, values) => positionByCase(expression, values, quoteLiteral),
  otherwise: (first, second) => `COALESCE(${first}, ${second})`,
  pick: (position, numbers) => pickByCase(position, numbers, ansiDialect.number),
  bin: (expression, edges) => binByCase(expression, edges, ansiDialect.number),
  exp: (expression) => `EXP(GREATEST(${expression}, ${ansiDialect.number(LEAST_EXPONENT)}))`,
  log: (expression) => `LN(${expression})`,
  greatest: (expressions) => `GREATEST(${expressions.join(", ")})`,
  distinct: (expression) => `COUNT(DISTINCT ${expression})`,
  staged: inStages,
  computed: computeNumbers(inStages),
  softmax: (logs) => softmaxOfScalars(ansiDialect, logs),
  mostTreeTerms: 20_000,
  perComponent: (computation) => writeOutComponents(computation, ansiDialect.number),
};
