import { TIE } from "conformant/internal";
import { LARGEST, MISSING_TEXTS, numberPattern, PLAIN_NUMBERS } from "conformant/texts";
import { GAUSSIAN_SOURCE } from "./javascript-gaussian.ts";
import { scriptJson } from "./javascript-json.ts";

/**
 * The part of an exported module that reads rows, predicts and imputes, the same for every model but for what a Gaussian
 * block needs. It is written to be read by people who have only the module. `model`, which stands before it, has classes,
 * intercept, columns and components, and perhaps a block.
 */
export function predictorSource(hasBlock: boolean): string {
  const [imputing, scoring, rest] = hasBlock ? [IMPUTE_BLOCK, SCORE_BLOCK, GAUSSIAN_SOURCE] : ["", "", ""];
  return `
/** The names of the classes, in the order of their probabilities. */
export const classes = model.classes;

/** The columns of a row: name, kind and, where it has some, values. */
export const columns = model.columns
  .filter(({ gapOf }) => gapOf === undefined)
  .map(({ name, kind, values }) => (values ? { name, kind, values } : { name, kind }));

/**
 * The expected prediction: what the classifier would answer on average over what is missing, given what is known.
 * With nothing missing it is the classifier's own answer. Returns class name to probability.
 */
export function predict(row, options) {
  const probabilities = classProbabilities(row, options);
  return Object.fromEntries(classes.map((name, k) => [name, probabilities[k]]));
}

/** The most likely class; a tie goes to the last of the tied classes. */
export function classify(row, options) {
  const probabilities = classProbabilities(row, options);
  const tied = Math.max(...probabilities) - ${TIE};
  return classes[probabilities.map((p) => p >= tied).lastIndexOf(true)];
}

/**
 * What each missing column is likely to be given the known ones, by name: the probabilities of its values, and the most
 * likely one or, for a number, mean and standard deviation.
 */
export function impute(row, options) {
  const cells = readRow(row, options);
  const joint = posterior(cells);
  const likely = (column, i) => {${imputing}
    return describe(column, atomProbabilities(joint, i));
  };
  const entries = model.columns.map((column, i) => (cells[i] === null ? [[column.name, likely(column, i)]] : []));
  return Object.fromEntries(entries.flat());
}

function classProbabilities(row, options) {
  const probabilities = new Array(classes.length).fill(0);
  posterior(readRow(row, options)).forEach((p, a) => {
    probabilities[a % classes.length] += p;
  });
  return probabilities;
}

/**
 * Each cell as the model counts it: a number, the position of a value, or null for a gap. A column with gapOf is not in the row: it is
 * 1 where the named column is missing, else 0.
 */
function readRow(row, { extra = "error" } = {}) {
  if (typeof row !== "object" || row === null || Array.isArray(row)) throw new TypeError("row must be an object");
  for (const name of Object.keys(row)) {
    const known = name === model.label || columns.some((column) => column.name === name);
    if (!known && extra !== "ignore") throw new RangeError("the model has no column " + JSON.stringify(name));
  }
  const cellOf = (column) => readCell(column, Object.hasOwn(row, column.name) ? row[column.name] : null);
  return model.columns.map(({ gapOf, ...column }) => {
    if (gapOf === undefined) return cellOf(column);
    return Number(cellOf(model.columns.find(({ name }) => name === gapOf)) === null);
  });
}

/** A cell as conformant reads it: what stands for a missing value, for a number, and for a category. */
function readCell(column, value) {
  if (value === null || value === undefined || value === "" || Number.isNaN(value)) return null;
  if (column.kind === "categorical") return readCategory(column, value);
  if (${scriptJson(MISSING_TEXTS)}.includes(value)) return null;
  if (column.kind === "binary") {
    if ([1, true, "1", "true", 1n].includes(value)) return 1;
    if ([0, false, "0", "false", 0n].includes(value)) return 0;
    return reject(column, "0, 1", value);
  }
  const number = readNumber(value);
  if (!(Math.abs(number) <= ${LARGEST})) reject(column, "a number from -${LARGEST} to ${LARGEST}", value);
  return column.kind === "binned" ? binOf(column.edges, number) : number;
}

/** A number, or a text that is a decimal number; NaN for anything else, as for 0x10 and 007. */
function readNumber(value) {
  if (typeof value === "number" || typeof value === "bigint") return Number(value);
  const text = typeof value === "string" ? value.replace(/^ +| +$/g, "") : "";
  return /^(?:${numberPattern(PLAIN_NUMBERS)})$/.test(text) ? Number(text) : NaN;
}

/** The position of a category, null for one that the model does not know. It may be spelled otherwise: 1.0 for 1, True for true. */
function readCategory(column, value) {
  if (["object", "function", "symbol"].includes(typeof value)) reject(column, "a text, number, boolean", value);
  const exact = column.values.indexOf(String(value));
  if (exact >= 0) return exact;
  const keys = column.values.map(categoryKey);
  const key = categoryKey(String(value));
  const position = keys.indexOf(key) >= 0 ? keys.indexOf(key) : truthPosition(keys, key);
  if (position >= 0 && keys.indexOf(key) === keys.lastIndexOf(key)) return position;
  const folded = column.values.map(foldText);
  const at = folded.indexOf(foldText(String(value)));
  return at >= 0 && at === folded.lastIndexOf(folded[at]) ? at : null;
}

/** A text in small letters and with single blanks: a category may differ in both. */
function foldText(text) {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replace(/ {2,}/g, " ");
}

/** Where true and false are the only categories, 1 and 0 mean the same, and the other way round. */
function truthPosition(keys, key) {
  const other = { true: "1", false: "0", 1: "true", 0: "false" };
  const isTruth = ["true", "false"].includes(keys[0]) ? ["true", "false"] : ["1", "0"];
  return Object.hasOwn(other, key) && keys.every((own) => isTruth.includes(own)) ? keys.indexOf(other[key]) : -1;
}

/** What spellings of one category share. */
function categoryKey(text) {
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase();
  return /^[-+]?[0-9]+[.]0*$/.test(text) ? text.slice(0, text.indexOf(".")) : text;
}

function reject(column, need, value) {
  const got = typeof value === "object" ? "an object" : String(value);
  throw new RangeError(JSON.stringify(column.name) + " must be " + need + " or missing, got " + got);
}

/** How many of the ascending edges are at or below x. */
function binOf(edges, x) {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (edges[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The classifier's score of a known cell for class k: weight times number, or the weight of the value. */
function classScore(column, cell, k) {
  const linear = column.kind === "numeric" || column.kind === "binary";
  return linear ? column.weights[0][k] * cell : column.weights[cell][k];
}

/** P(component, class | row), components first: the softmax of the logarithms of P(component, class, row). */
function posterior(cells) {
  const parts = model.components.map((component) => componentScores(component, cells));
  const likeliest = Math.max(...parts.map(({ evidence }) => evidence));
  // Evidence counts relative to the likeliest component, so that none, however small, drowns the scores of the classes.
  const scores = parts.flatMap(({ evidence, scores }) => scores.map((score) => score + (evidence - likeliest)));
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/**
 * Per class: intercept, the scores of the known cells, and for each gap what it is worth (logZ). The evidence: log of the
 * component's weight, and of how common the known cells are in it.
 */
function componentScores(component, cells) {
  const scores = [...model.intercept];
  let evidence = component.constant;
  model.columns.forEach((column, i) => {
    const cell = cells[i];
    for (let k = 0; k < scores.length; k++)
      scores[k] += cell === null ? component.logZ[i][k] : classScore(column, cell, k);
    if (cell !== null) evidence += component.logQ[i][column.kind === "numeric" ? binOf(column.edges, cell) : cell];
  });
${scoring}  return { evidence, scores };
}

/** P(column i = atom | row) = sum over components and classes of P(component, class | row) P(atom | component, class). */
function atomProbabilities(joint, i) {
  const column = model.columns[i];
  return model.components[0].logQ[i].map((_, atom) => {
    const cell = column.kind === "numeric" ? column.atoms[atom] : atom;
    return joint.reduce((sum, p, a) => {
      const k = a % classes.length;
      const { logQ, logZ } = model.components[(a - k) / classes.length];
      return sum + p * Math.exp(logQ[i][atom] + classScore(column, cell, k) - logZ[i][k]);
    }, 0);
  });
}

function describe(column, probabilities) {
  if (column.kind === "numeric") {
    const values = column.atoms;
    const mean = values.reduce((sum, value, j) => sum + probabilities[j] * value, 0);
    const variance = values.reduce((sum, value, j) => sum + probabilities[j] * (value - mean) ** 2, 0);
    return { kind: "numeric", mean, standardDeviation: Math.sqrt(variance), values: [...values], probabilities };
  }
  const mostLikely = column.labels[probabilities.indexOf(Math.max(...probabilities))];
  const byLabel = Object.fromEntries(column.labels.map((label, j) => [label, probabilities[j]]));
  return { kind: "discrete", probabilities: byLabel, mostLikely };
}
${rest}`;
}

const IMPUTE_BLOCK = `
    if (model.block.includes(i)) return describeNormal(joint, cells, i);`;

const SCORE_BLOCK = `  const condition = conditionBlock(component.gaussian, cells);
  evidence += condition.logDensity;
  for (let k = 0; k < scores.length; k++) scores[k] += hiddenWorth(condition, k);
`;
