import { parseCsv } from "../memory/csv-text.ts";
import { type Affine, classifierFromLogits } from "./affine.ts";
import { readCoefficientName } from "./coefficient-name.ts";
import { type ImportedClassifier, type ReadingContext, refuseFile } from "./imported-classifier.ts";

/** One estimate, with its class and name. */
interface Estimate {
  readonly class: string;
  readonly name: string;
  readonly value: number;
}

const NAMES = ["", "name", "term", "feature", "variable", "parameter", "rownames", "index", "unnamed: 0"];
const CLASSES = ["class", "y.level", "level", "category", "outcome", "response"];
const ESTIMATES = [
  "estimate",
  "coef",
  "coefficient",
  "coefficients",
  "value",
  "beta",
  "param",
  "params",
  "weight",
];

/** With one estimate per name and no class, these are the log-odds of "1". */
const TWO: readonly string[] = ["0", "1"];

/**
 * Reads a table of coefficients from R or statsmodels: name and estimate for two classes; one column per class, or class, name and
 * estimate, for any number. The reference class is listed with zeros, so that its name is known.
 */
export function readCoefficients(text: string, context: ReadingContext): ImportedClassifier {
  const { path } = context;
  const { estimates, dropped } = readEstimates(parseTable(text, path), path);
  const classes = [...new Set(estimates.map((estimate) => estimate.class))];
  if (classes.length > 1) requireReference(classes, estimates, path);
  const logits = new Map<string, { constant: number; terms: Map<string, number> }>();
  for (const name of classes) logits.set(name, { constant: 0, terms: new Map() });
  const guessed = new Map<string, string>();
  for (const estimate of estimates) {
    const meaning = readCoefficientName(estimate.name, context.columns);
    const logit = logits.get(estimate.class) as { constant: number; terms: Map<string, number> };
    if (meaning.kind === "refused")
      throw refuseFile(path, `coefficient ${JSON.stringify(estimate.name)} ${meaning.why}`);
    if (meaning.kind === "intercept") logit.constant += estimate.value;
    else if (logit.terms.has(meaning.feature))
      throw refuseFile(path, `coefficient ${JSON.stringify(estimate.name)} occurs twice`);
    else logit.terms.set(meaning.feature, estimate.value);
    if (meaning.kind === "feature" && meaning.guessed) guessed.set(meaning.feature, estimate.name);
  }
  const rows: Affine[] = [...logits.values()];
  const json =
    classes.length === 1
      ? classifierFromLogits(TWO, [{ constant: 0, terms: new Map() }, ...rows])
      : classifierFromLogits(classes, rows);
  const notes = [
    ...(classes.length === 1
      ? ['read as the log-odds of "1" against "0"; conformant r and conformant python export regressors']
      : []),
    ...(dropped.length === 0 ? [] : [`coefficients that are NA count as 0, as in R: ${dropped.join(", ")}`]),
  ];
  return { json, notes, guessed };
}

function parseTable(text: string, path: string): string[][] {
  const [head] = text.split(/\r?\n/, 1);
  const separator = head.includes("\t") ? "\t" : head.includes(";") ? ";" : ",";
  const rows = parseCsv(text.replace(/^\uFEFF/, ""), separator);
  const ragged = rows.findIndex((row) => row.length !== rows[0].length);
  if (ragged > 0)
    throw refuseFile(
      path,
      `row ${ragged + 1} has ${rows[ragged].length} fields, the first has ${rows[0].length}`,
    );
  if (rows.length === 0 || rows[0].length < 2)
    throw refuseFile(path, "expected a table of coefficients: name and estimate");
  return rows;
}

/** The estimates of a table in any of the three forms; NA estimates are dropped and reported. */
function readEstimates(
  rows: readonly string[][],
  path: string,
): { estimates: Estimate[]; dropped: string[] } {
  const plain = rows[0].length === 2 && rows[0][0] !== "" && isNumber(rows[0][1]);
  const header = plain ? ["name", "estimate"] : rows[0];
  const [nameAt, classAt, estimateAt] = [NAMES, CLASSES, ESTIMATES].map((known) =>
    header.findIndex((title) => known.includes(title.toLowerCase())),
  );
  if (nameAt < 0) throw refuseFile(path, 'expected a column "name" (or "term", or one without a title)');
  const others = header.flatMap((_, at) => (at === nameAt || at === classAt ? [] : [at]));
  const single = estimateAt >= 0 ? estimateAt : others.length === 1 ? others[0] : -1;
  if (classAt >= 0 && single < 0) throw refuseFile(path, 'expected a column "estimate" beside the class');
  const estimates: Estimate[] = [];
  const dropped: string[] = [];
  for (const row of plain ? rows : rows.slice(1)) {
    for (const at of single >= 0 ? [single] : others) {
      const [name, cell] = [row[nameAt], row[at]];
      if (cell === "NA") dropped.push(name);
      else if (!isNumber(cell))
        throw refuseFile(path, `coefficient ${JSON.stringify(name)}: ${JSON.stringify(cell)} is no number`);
      const value = cell === "NA" ? 0 : Number(cell);
      estimates.push({ class: single < 0 ? header[at] : classAt >= 0 ? row[classAt] : "", name, value });
    }
  }
  return { estimates, dropped: [...new Set(dropped)] };
}

function isNumber(text: string): boolean {
  return text !== "" && Number.isFinite(Number(text));
}

/** Without its reference class a table of K − 1 classes looks like one of K, so the reference must be listed, with zeros. */
function requireReference(classes: readonly string[], estimates: readonly Estimate[], path: string): void {
  const zero = classes.filter((name) =>
    estimates.every((estimate) => estimate.class !== name || estimate.value === 0),
  );
  if (zero.length !== 1)
    throw refuseFile(
      path,
      `expected one reference class whose estimates are all 0, got ${zero.length} among ${classes.join(", ")}`,
      "R leaves the reference class out: add it, cbind(reference = 0, t(coef(model)))",
    );
}
