import { random } from "conformant";
import { shuffled } from "conformant-workbench";
import { answerTable, fitTexts, maskTable, readTexts, type TextFit } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { fillByMice } from "../peers/fill-by-mice.ts";
import { askPeers, encodeTexts, encodingOf, type PeerTask } from "../peers/missing-inputs.ts";
import { type Scores, scoreAnswers } from "../score-answers.ts";
import { type PublishedTable, pickTexts, type TextRows } from "../tables/published-table.ts";
import { readReal } from "./real-tables.ts";

/** What is done to the test rows: nothing, more cells masked at random, or the missing values of another row added. */
export const CONDITIONS = ["as they are", "+30%", "+60%", "patterns"] as const;
const RATES = [0, 0.3, 0.6] as const;
/** The share of the rows that is trained on, and rows of a table at most. */
const [TRAINED, MOST_ROWS] = [0.7, 1000];

const PEERS = [
  "mean",
  "mean + indicator",
  "mean + indicator, told",
  "nearest neighbors",
  "iterative",
  "boosting, native",
  "boosting, masked copies",
  "logistic regression per pattern",
];

/** Multiple imputation, which takes longer than all the other peers together, and seconds of processor time that R may take on a split. */
export const MICE = "mice";
export const MICE_SECONDS = 120;

/** Ours, by the options of `fit`. It chooses between models, and indicators for trees, only where it scores new rows. */
const OURS: Readonly<Record<string, TextFit["training"]>> = {
  fit: { crossValidation: true },
  "fit --model logistic": { model: "logistic" },
  "fit --model trees": { model: "trees", crossValidation: true },
  "fit --model logistic --missing random": { model: "logistic", gaps: "random" },
  "fit --model logistic --missing informative": { model: "logistic", gaps: "informative" },
};
/** The default of `fit`. */
export const DEFAULT = "fit";
export const OTHER_WAYS = Object.keys(OURS).filter((name) => name !== DEFAULT);
/** The default, where masked cells count as missing for the table's own reasons. */
const UNTOLD = "fit, not told";

export const METHODS: readonly string[] = [...Object.keys(OURS), UNTOLD, ...PEERS];

interface Split {
  readonly all: TextRows;
  readonly training: TextRows;
  readonly test: TextRows;
  readonly classes: readonly string[];
  readonly labels: Int32Array;
  /** Per condition, of each test row the inputs that are masked. */
  readonly masks: readonly (readonly (readonly boolean[])[])[];
}

/** Scores of a method, one per condition; undefined where it could not be fitted. */
export type ConditionScores = readonly Scores[] | undefined;

/** Scores all methods on one split of a table. */
export async function evaluateReal(
  table: PublishedTable,
  seed: number,
  isWanted: (method: string) => boolean,
): Promise<Map<string, ConditionScores>> {
  const split = splitOnce(table, seed);
  const found = new Map<string, ConditionScores>(Object.entries(await evaluatePeers(table, seed, split)));
  for (const [name, training] of Object.entries(OURS)) {
    if (!isWanted(name)) continue;
    const scores = await kept([...placeOf(table, seed), name], async () =>
      ourScores(await split(), training),
    );
    found.set(name, scores.told);
    if (name === DEFAULT) found.set(UNTOLD, scores.untold);
  }
  return found;
}

/** Scores the other software on one split of a table. */
export async function evaluatePeers(
  table: PublishedTable,
  seed: number,
  split = splitOnce(table, seed),
): Promise<PeerScores["scores"]> {
  return (await kept([...placeOf(table, seed), "peers"], async () => peerScores(await split()))).scores;
}

/** Scores, one per condition, or what R said instead. */
export interface MiceScores {
  readonly scores?: readonly Scores[];
  readonly refused?: string;
}

/** Scores the mean of logistic regressions of five imputations by R's mice. */
export async function evaluateMice(table: PublishedTable, seed: number): Promise<MiceScores> {
  return kept([...placeOf(table, seed), MICE], async () => miceScores(await splitOf(table, seed)));
}

function placeOf(table: PublishedTable, seed: number): string[] {
  return ["real", table.name, `split ${seed}`];
}

/** A split that is made when it is first needed. */
function splitOnce(table: PublishedTable, seed: number): () => Promise<Split> {
  let split: Promise<Split> | undefined;
  return () => {
    split ??= splitOf(table, seed);
    return split;
  };
}

async function splitOf(table: PublishedTable, seed: number): Promise<Split> {
  const all = await readReal(table, MOST_ROWS);
  const order = shuffled(all.rows.length, random(seed));
  const cut = Math.round(TRAINED * order.length);
  const [training, test] = [order.subarray(0, cut), order.subarray(cut)].map((part) => pickTexts(all, part));
  const inputs = all.names.length - 1;
  const classes = [...new Set(all.rows.map((row) => row[inputs] as string))].sort();
  return {
    all,
    training,
    test,
    classes,
    labels: Int32Array.from(test.rows, (row) => classes.indexOf(row[inputs] as string)),
    masks: CONDITIONS.map((_, condition) => masksOf(training, test, condition, 10 * seed + condition)),
  };
}

function masksOf(training: TextRows, test: TextRows, condition: number, seed: number): boolean[][] {
  const generator = random(seed);
  const inputs = test.names.length - 1;
  return test.rows.map(() => {
    if (condition < RATES.length)
      return Array.from({ length: inputs }, () => generator.uniform() < RATES[condition]);
    const other = training.rows[generator.integer(training.rows.length)];
    return Array.from({ length: inputs }, (_, c) => other[c] === null);
  });
}

/** Fits with the command's options, and predicts where masked cells are known to be missing at random, and where they are not. */
async function ourScores(
  { training, test, classes, labels, masks }: Split,
  options: TextFit["training"],
): Promise<{ told?: Scores[]; untold?: Scores[]; refused?: string }> {
  try {
    const { model } = await fitTexts(training, { training: { crossValidation: false, ...options } });
    const { table } = await readTexts(model, test);
    const outputs = model.response.outputs;
    const place = new Map(test.names.map((name, c) => [name, c]));
    const score = (mask: readonly (readonly boolean[])[], told: boolean): Scores => {
      const masked = maskTable(table, (r, name) => mask[r][place.get(name) as number], told);
      const own = labels.map((k) => outputs.indexOf(classes[k]));
      return scoreAnswers(answerTable(model, masked), own, outputs.length);
    };
    return { told: masks.map((mask) => score(mask, true)), untold: masks.map((mask) => score(mask, false)) };
  } catch (thrown) {
    return { refused: (thrown as Error).message };
  }
}

/** Test rows with masked cells. */
function masked(test: TextRows, mask: readonly (readonly boolean[])[]): TextRows {
  return { ...test, rows: test.rows.map((row, r) => row.map((cell, c) => (mask[r][c] ? null : cell))) };
}

interface PeerScores {
  readonly scores: Readonly<Record<string, Scores[]>>;
  readonly seconds: Readonly<Record<string, number>>;
}

function peerScores(split: Split): PeerScores {
  const { answers, seconds } = askPeers({ ...peerTask(split), methods: PEERS });
  const scores = Object.entries(answers).map(([name, own]) => [name, scoresOf(split, own)]);
  return { scores: Object.fromEntries(scores), seconds };
}

function miceScores(split: Split): MiceScores & { readonly seconds?: number } {
  const task = peerTask(split);
  const { categories } = task.encoding;
  const [train, ...tests] = [task.training, ...task.tests].map((rows) => encodeTexts(task.encoding, rows));
  // mice has to know all categories.
  const known = (rows: typeof train): typeof train =>
    rows.map((cells) => cells.map((cell, c) => (cell === categories[c]?.size ? null : cell)));
  const isNumber = categories.map((places) => places === undefined);
  try {
    const asked = tests.flat();
    const own = fillByMice(isNumber, known(train), known(asked), MICE_SECONDS);
    const all = [...train, ...asked];
    const filled = own.filled.map((rows) =>
      rows.map((cells, r) => cells.map((cell, c) => all[r][c] ?? cell)),
    );
    const { answers } = askPeers({ ...task, methods: [MICE], filled });
    return { scores: scoresOf(split, answers[MICE]), seconds: own.seconds };
  } catch (thrown) {
    return { refused: (thrown as Error).message };
  }
}

function scoresOf(
  { labels, classes }: Split,
  answers: readonly (readonly (readonly number[])[])[],
): Scores[] {
  return answers.map((rows) => scoreAnswers(Float64Array.from(rows.flat()), labels, classes.length));
}

function peerTask({ all, training, test, classes, masks }: Split): Omit<PeerTask, "methods"> {
  const inputs = test.names.length - 1;
  return {
    encoding: encodingOf(all, training),
    training,
    labels: training.rows.map((row) => classes.indexOf(row[inputs] as string)),
    count: classes.length,
    tests: masks.map((mask) => masked(test, mask)),
    missing: masks.map(() => test.rows.map((row) => row.slice(0, inputs).map((cell) => cell === null))),
  };
}
