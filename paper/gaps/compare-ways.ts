import type { Table } from "conformant";
import { dataFolders } from "../datasets/data-folder.ts";
import { LABEL } from "../datasets/dataset.ts";
import { datasetOf } from "../datasets/datasets.ts";
import { random, seedOf } from "../protocol/random.ts";
import { maskColumns } from "../protocol/removal.ts";
import { score } from "../protocol/scores/metrics.ts";
import { learn, type Predictor, WAYS } from "./ways.ts";

/** The share of the training cells that is hidden. */
export const HIDDEN = 0.3;
/** Shares of the columns that are missing in the test rows. */
const RATES = [0, 0.2, 0.4, 0.6];
const REPEATS = 3;
const DATASETS = ["adult", "splice"];

/** Against the labels of the test rows, one number per rate: means over repeats. */
export interface WayScores {
  readonly log_loss: readonly number[];
  readonly weighted_f1: readonly number[];
  /** Standard errors of the log loss. */
  readonly standard_error: readonly number[];
}

export interface GapsResults {
  readonly hidden: number;
  readonly repeats: number;
  readonly rates: readonly number[];
  /** Dataset → way → scores; null where a way had nothing to learn from. "nothing_hidden" learns from all cells. */
  readonly datasets: Readonly<Record<string, Readonly<Record<string, WayScores | null>>>>;
}

/** Hides cells of the training rows and compares what can be learned from the rest. */
export function compareWays(
  data: string | undefined,
  seed: number,
  progress: (text: string) => void,
): GapsResults {
  const datasets = DATASETS.map((name) => [name, compareOn(name, data, seed, progress)] as const);
  return { hidden: HIDDEN, repeats: REPEATS, rates: RATES, datasets: Object.fromEntries(datasets) };
}

function compareOn(
  name: string,
  data: string | undefined,
  seed: number,
  progress: (text: string) => void,
): Record<string, WayScores | null> {
  const source = datasetOf(name);
  const dataset = source.read(dataFolders(data), seed, "ours");
  const { l2 } = source.protocol("ours");
  const label = dataset.training.schema.columns.find((column) => column.name === LABEL);
  const classes = label?.kind === "categorical" ? label.values : [];
  const truth = Int32Array.from(dataset.testLabels, (text) => classes.indexOf(text));
  const judge = (predictor: Predictor | undefined, repeat: number): Score[] | null =>
    predictor
      ? RATES.map((rate) => {
          const count = Math.round(rate * dataset.test.columns.length);
          const rows = maskColumns(dataset.test, count, seedOf(seed, name, repeat, rate));
          return scoreAgainst(predictor(rows), truth, classes.length);
        })
      : null;
  const runs = new Map(
    [...Object.keys(WAYS), "nothing_hidden"].map((way) => [way, [] as (Score[] | null)[]]),
  );
  const complete = learn(dataset.training, l2);
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const hidden = maskCells(dataset.training, HIDDEN, seedOf(seed, name, "hidden", repeat));
    for (const [way, start] of Object.entries(WAYS)) {
      progress(`gaps: ${name}, repeat ${repeat + 1} of ${REPEATS}, ${way}`);
      runs.get(way)?.push(judge(start(hidden, l2), repeat));
    }
    runs.get("nothing_hidden")?.push(judge(complete, repeat));
  }
  return Object.fromEntries([...runs].map(([way, scores]) => [way, summarize(scores)]));
}

interface Score {
  readonly logLoss: number;
  readonly weightedF1: number;
}

/** Log loss is the cross entropy to a prediction that is sure of the truth. */
function scoreAgainst(probabilities: Float64Array, truth: Int32Array, K: number): Score {
  const sure = new Float64Array(probabilities.length);
  truth.forEach((k, r) => {
    sure[r * K + k] = 1;
  });
  const { crossEntropy, weightedF1 } = score(sure, probabilities, truth, K);
  return { logLoss: crossEntropy, weightedF1 };
}

/** Hides each cell with the given chance, never the label. */
export function maskCells(table: Table, share: number, seed: number): Table {
  const draw = random(seed);
  const columns = table.columns.map((cells, i) =>
    table.schema.columns[i].name === LABEL ? cells : cells.map((x) => (draw(1000) < 1000 * share ? -1 : x)),
  );
  return { ...table, columns: columns as Table["columns"] };
}

function summarize(runs: readonly (Score[] | null)[]): WayScores | null {
  const scored = runs.filter((run) => run !== null);
  if (scored.length < runs.length) return null;
  const at = (rate: number, measure: keyof Score): number[] => scored.map((run) => run[rate][measure]);
  const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
  const error = (numbers: readonly number[]): number => {
    const center = mean(numbers);
    const variance = numbers.reduce((sum, x) => sum + (x - center) ** 2, 0) / (numbers.length - 1);
    return Math.sqrt(variance / numbers.length);
  };
  return {
    log_loss: RATES.map((_, rate) => mean(at(rate, "logLoss"))),
    weighted_f1: RATES.map((_, rate) => mean(at(rate, "weightedF1"))),
    standard_error: RATES.map((_, rate) => error(at(rate, "logLoss"))),
  };
}
