import { type AnyModel, predictColumns, type RegressionModel, type Table } from "conformant";
import { fitAnyModel, readLabeledNumbers, USUAL_TRAINING } from "conformant-workbench";
import { openClassifier } from "conformant-workbench/import";
import { maskTable, silent, sourceOf } from "../fit-texts.ts";
import { kept } from "../kept.ts";
import { askPeers } from "../peers/missing-inputs.ts";
import { type PublishedTable, readPublished, type TextRows } from "../tables/published-table.ts";
import { peerTask, RATES, SETS, type Split, splitOf } from "./evaluate-columns.ts";

/** Ways to use the same XGBoost regressor, in the order of results. */
const PEERS = ["mean", "native", "nearest neighbors", "iterative", "retrained"];
export const OURS = "expected prediction";
export const NUMBER_METHODS = [OURS, ...PEERS, "own trees"] as const;

/** The root mean squared errors of a method: one per rate, each the mean over the sets of columns. */
export type RateErrors = readonly number[];

/** Removes whole columns from the test rows of one split of a table, and scores a regressor of XGBoost on the rest. */
export async function evaluateColumnNumbers(
  table: PublishedTable,
  seed: number,
): Promise<Readonly<Record<string, RateErrors>>> {
  const place = ["columns", table.name, `split ${seed}`];
  let split: Split | undefined;
  const own = async (): Promise<Split> => {
    split ??= splitOf(await readPublished(table), seed);
    return split;
  };
  const peers = await kept([...place, "peers"], async () => peerErrors(await own()));
  const ours = await kept([...place, OURS], async () => ownErrors(await own(), peers.file));
  const trees = await kept([...place, "own trees"], async () => ownErrors(await own()));
  return { ...peers.errors, [OURS]: ours, "own trees": trees };
}

function numbersOf({ rows, names }: TextRows): number[] {
  return rows.map((row) => Number(row[names.length - 1]));
}

function peerErrors(split: Split): { errors: Record<string, RateErrors>; file: string } {
  const { answers, files } = askPeers({
    ...peerTask(split),
    labels: numbersOf(split.training),
    count: 0,
    methods: PEERS.map((name) => `xgboost, ${name}`),
  });
  const truth = numbersOf(split.test);
  const errors = PEERS.map((name): [string, RateErrors] => [
    name,
    perRate(answers[`xgboost, ${name}`].map((rows) => errorOf(rows.flat(), truth))),
  ]);
  return { errors: Object.fromEntries(errors), file: files.xgboost as string };
}

/** The mean over the sets of columns of each rate. */
function perRate(errors: readonly number[]): number[] {
  return RATES.map(
    (_, rate) => errors.slice(rate * SETS, (rate + 1) * SETS).reduce((sum, error) => sum + error, 0) / SETS,
  );
}

function errorOf(answers: ArrayLike<number>, truth: ArrayLike<number>): number {
  const squares = Array.from(answers, (answer, r) => (answer - truth[r]) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

/** The expected prediction of an existing regressor, `fit --classifier`, or of trees trained here, `fit --label --model trees`. */
async function ownErrors(split: Split, text?: string): Promise<number[]> {
  const { training, test, removed } = split;
  const label = training.names[training.names.length - 1];
  const classifier =
    text === undefined
      ? undefined
      : openClassifier("regressor.json", new TextEncoder().encode(text), {
          words: { columns: "", classes: "", categories: "", gap: () => "" },
          readers: {},
        });
  const { model } = await fitAnyModel(
    sourceOf(training),
    {
      label,
      ...(classifier ? { classifier } : { task: "regression" }),
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: [],
      training: { ...USUAL_TRAINING, model: "trees", crossValidation: false },
    },
    silent,
  );
  if (!isOfNumbers(model)) throw new Error("expected a model that predicts a number");
  const rows = await readLabeledNumbers(
    model,
    sourceOf(test),
    { modelName: "model", label, seed: 0, gaps: [] },
    silent.reporter,
  );
  const [inputs, truth] = splitNumbers(rows);
  return perRate(
    removed.map((columns) => {
      const names = new Set(columns.map((c) => `c${c}`));
      const masked = maskTable(inputs, (_, name) => names.has(name), true);
      return errorOf(predictColumns(model, masked).values, truth);
    }),
  );
}

function isOfNumbers(model: AnyModel): model is RegressionModel {
  return model.response.kind === "number";
}

/** The inputs of labeled rows and, last, their numbers. */
function splitNumbers(table: Table): [Table, ArrayLike<number>] {
  const columns = table.schema.columns.slice(0, -1);
  return [
    { ...table, schema: { columns }, columns: table.columns.slice(0, -1) },
    table.columns[columns.length],
  ];
}
