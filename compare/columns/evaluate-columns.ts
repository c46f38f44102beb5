import { random } from "conformant";
import { shuffled } from "conformant-workbench";
import { answerTable, fitTexts, maskTable, readTexts } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { askPeers, type Encoding, encodingOf, type PeerTask } from "../peers/missing-inputs.ts";
import { type Scores, scoreAnswers } from "../score-answers.ts";
import { type PublishedTable, pickTexts, readPublished, type TextRows } from "../tables/published-table.ts";

/** Shares of the columns that are removed from the test rows. */
export const RATES = [0.2, 0.4, 0.6, 0.8] as const;
/** Random sets of columns at each rate, in each split. */
export const SETS = 3;
/** The share of the rows that is trained on, as in TabFSBench. */
const TRAINED = 0.8;
/** Rows of large tables that are used: to train on, for imputers to learn from, and to score. */
export const MOST = { training: 10_000, imputing: 3000, test: 1000 };

/** The classifiers, as the names of methods begin. */
export const PREDICTORS = ["xgboost", "logistic"] as const;
const FILLS = ["mean", "nearest neighbors", "iterative"];
const PEERS = [
  ...PREDICTORS.flatMap((p) => [...FILLS, "retrained"].map((fill) => `${p}, ${fill}`)),
  "xgboost, native",
];
/** Models that are trained here. */
const TRAINED_HERE = { "own trees": "trees", "own logistic regression": "logistic" } as const;

/** All methods in the order of results. */
export const METHODS: readonly string[] = [
  ...PREDICTORS.flatMap((p) => [
    `${p}, expected prediction`,
    `${p}, mean`,
    ...(p === "xgboost" ? ["xgboost, native"] : []),
    `${p}, nearest neighbors`,
    `${p}, iterative`,
    `${p}, retrained`,
  ]),
  ...Object.keys(TRAINED_HERE),
];

/** A split of a table, every column named and every category written so that all programs can read it. */
export interface Split {
  readonly encoding: Encoding;
  readonly classes: readonly string[];
  readonly training: TextRows;
  readonly test: TextRows;
  /** Per test set, the inputs that are removed. */
  readonly removed: readonly (readonly number[])[];
}

/** Scores of a method: one per rate, each the mean over the sets of columns. */
export type RateScores = readonly Scores[];

/** Removes whole columns from the test rows of one split of a table, and scores all methods on the rest. */
export async function evaluateColumns(table: PublishedTable, seed: number): Promise<Map<string, RateScores>> {
  const place = ["columns", table.name, `split ${seed}`];
  let split: Split | undefined;
  const own = async (): Promise<Split> => {
    split ??= splitOf(await readPublished(table), seed);
    return split;
  };
  const peers = await kept([...place, "peers"], async () => peerScores(await own()));
  const found = new Map(Object.entries(peers.scores));
  for (const predictor of PREDICTORS) {
    const name = `${predictor}, expected prediction`;
    const classifier = peers.files[predictor];
    found.set(name, await kept([...place, name], async () => importedScores(await own(), classifier)));
  }
  for (const [name, model] of Object.entries(TRAINED_HERE))
    found.set(name, await kept([...place, name], async () => trainedScores(await own(), model)));
  return found;
}

export function splitOf(all: TextRows, seed: number): Split {
  const order = shuffled(all.rows.length, random(seed));
  const cut = Math.round(TRAINED * order.length);
  const chosen = {
    training: pickTexts(all, order.subarray(0, Math.min(cut, MOST.training))),
    test: pickTexts(all, order.subarray(cut, cut + MOST.test)),
  };
  const encoding = encodingOf(all, all);
  const inputs = all.names.length - 1;
  const generator = random(1000 + seed);
  return {
    encoding,
    classes: [...new Set(all.rows.map((row) => row[inputs] as string))].sort(),
    training: plainTexts(encoding, chosen.training),
    test: plainTexts(encoding, chosen.test),
    removed: RATES.flatMap((rate) =>
      Array.from({ length: SETS }, () =>
        Array.from(shuffled(inputs, generator).subarray(0, Math.max(1, Math.round(rate * inputs)))),
      ),
    ),
  };
}

/** Columns c0, c1, … with numbers and categories v0, v1, …: names of features may not have all characters in XGBoost. */
function plainTexts({ categories }: Encoding, { names, rows }: TextRows): TextRows {
  return {
    names: names.map((name, c) => (c < names.length - 1 ? `c${c}` : name)),
    rows: rows.map((row) =>
      row.map((cell, c) => {
        const places = categories[c];
        return cell === null || !places ? cell : `v${places.get(cell)}`;
      }),
    ),
  };
}

interface PeerScores {
  readonly scores: Readonly<Record<string, RateScores>>;
  /** XGBoost's file and the coefficients of the logistic regression, as text. */
  readonly files: Readonly<Record<string, string>>;
}

function peerScores(split: Split): PeerScores {
  const { classes, training, test } = split;
  const labels = labelsOf(training, classes);
  const { answers, files } = askPeers({
    ...peerTask(split),
    labels,
    count: classes.length,
    methods: PEERS,
  });
  const truth = labelsOf(test, classes);
  return {
    scores: Object.fromEntries(
      Object.entries(answers).map(([name, own]) => [
        name,
        perRate(own.map((rows) => scoreAnswers(Float64Array.from(rows.flat()), truth, classes.length))),
      ]),
    ),
    files: {
      xgboost: files.xgboost as string,
      logistic: JSON.stringify({ classes, ...(files.logistic as object) }),
    },
  };
}

/** The rows of a split, for programs of other languages. */
export function peerTask({
  encoding,
  training,
  test,
  removed,
}: Split): Pick<PeerTask, "encoding" | "training" | "tests" | "most"> {
  return {
    encoding: {
      categories: encoding.categories.map(
        (own) => own && new Map([...own.values()].map((code) => [`v${code}`, code])),
      ),
    },
    training,
    tests: removed.map((columns) => ({
      names: test.names,
      rows: test.rows.map((row) => row.map((cell, c) => (columns.includes(c) ? null : cell))),
    })),
    most: MOST.imputing,
  };
}

function labelsOf({ rows, names }: TextRows, classes: readonly string[]): number[] {
  return rows.map((row) => classes.indexOf(row[names.length - 1] as string));
}

/** The mean over the sets of columns of each rate. */
function perRate(scores: readonly Scores[]): Scores[] {
  return RATES.map((_, rate) => {
    const own = scores.slice(rate * SETS, (rate + 1) * SETS);
    const mean = (of: keyof Scores): number => own.reduce((sum, score) => sum + score[of], 0) / SETS;
    return { logLoss: mean("logLoss"), accuracy: mean("accuracy"), calibration: mean("calibration") };
  });
}

/** The expected prediction of an existing classifier: `fit --classifier` on the training rows, without their labels. */
async function importedScores(split: Split, text: string): Promise<Scores[]> {
  const { model } = await fitTexts(split.training, { classifier: { text, classes: split.classes } });
  return modelScores(split, model);
}

/** A model trained here: `fit --label`. */
async function trainedScores(split: Split, model: "trees" | "logistic"): Promise<Scores[]> {
  const fitted = await fitTexts(split.training, { training: { model, crossValidation: false } });
  return modelScores(split, fitted.model);
}

async function modelScores(
  { test, removed }: Split,
  model: Awaited<ReturnType<typeof fitTexts>>["model"],
): Promise<Scores[]> {
  const { table, labels } = await readTexts(model, test);
  return perRate(
    removed.map((columns) => {
      const names = new Set(columns.map((c) => `c${c}`));
      const masked = maskTable(table, (_, name) => names.has(name), true);
      return scoreAnswers(answerTable(model, masked), labels, model.response.outputs.length);
    }),
  );
}
