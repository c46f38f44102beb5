import { askNext, type Model, pickRows, predictColumns, type Row, random, type Table } from "conformant";
import { slotOffsets } from "conformant/remote";
import { shuffled } from "../shuffled.ts";
import { givenValue, isGapIn, maskRows } from "./masked-rows.ts";

/** In which order the columns of each row are asked for: rows × columns, positions of columns. */
export interface Order {
  readonly name: string;
  readonly columns: Int32Array;
}

/** What the orders are made from. */
export interface OrderRequest {
  readonly model: Model;
  /** The rows that are asked about, and rows that an order may be learned from, with their classes. */
  readonly judged: Table;
  readonly training: Table;
  readonly trainingLabels: ArrayLike<number>;
  readonly costs: Readonly<Record<string, number>>;
  readonly seed: number;
  readonly progress: (share: number, what: string) => void;
}

/** Rows and columns up to which the best fixed order is looked for. */
const [FIXED_ROWS, FIXED_COLUMNS] = [400, 64];

/** Questions at which ours looks ahead: the first is the same for all rows; to look ahead for each row would take too long. */
const LOOKING_AHEAD = 1;
/** The error of what a question is worth, which only has to rank it. */
const ROUGHLY = 1e-4;

/** One order for all rows. */
function forAll(name: string, order: readonly number[], rows: number): Order {
  return {
    name,
    columns: Int32Array.from({ length: rows * order.length }, (_, at) => order[at % order.length]),
  };
}

/** Our order: of each row the question that its answers so far make the most telling, as `ask` has it. */
export function ourOrder({ model, judged, costs, progress }: OrderRequest): Order {
  const { columns } = judged.schema;
  const n = columns.length;
  const places = new Map(columns.map(({ name }, i) => [name, i]));
  const asked = new Map<string, readonly number[]>();
  const orders = new Int32Array(judged.rows * n);
  for (let r = 0; r < judged.rows; r++) {
    progress(r / judged.rows, "asking");
    const known: Record<string, Row[string]> = {};
    const order: number[] = [];
    while (order.length < n) {
      // Rows with the same answers are asked the same.
      const key = JSON.stringify(Object.entries(known));
      const ranking =
        asked.get(key) ??
        askNext(model, known, { costs, lookAhead: order.length < LOOKING_AHEAD, tolerance: ROUGHLY }).map(
          ({ column }) => places.get(column) as number,
        );
      if (asked.size < 100_000) asked.set(key, ranking);
      const next = ranking.find((i) => !order.includes(i) && !isGapIn(judged.columns[i], r));
      if (next === undefined) break;
      order.push(next);
      known[columns[next].name] = givenValue(columns[next], judged.columns[next][r]);
    }
    const rest = columns.map((_, i) => i).filter((i) => !order.includes(i)); // gaps, which nobody can answer
    orders.set([...order, ...rest], r * n);
  }
  return { name: "ours", columns: orders };
}

/** The columns whose scores differ most between rows first: what a look at the classifier's weights suggests. */
export function weightsOrder({ model, training, judged }: OrderRequest): Order {
  const { schema, weights, classes } = model.classifier;
  const [K, slots] = [classes.length, slotOffsets(schema)];
  const spread = schema.columns.map(({ kind }, i) => {
    const cells = Array.from(training.columns[i]).filter((_, r) => !isGapIn(training.columns[i], r));
    const linear = kind === "numeric" || kind === "binary";
    const scores = cells.map((x) => {
      const own = Array.from({ length: K }, (_, k) =>
        linear ? x * weights[slots[i] * K + k] : weights[(slots[i] + x) * K + k],
      );
      const mean = own.reduce((sum, s) => sum + s, 0) / K;
      return own.map((s) => s - mean);
    });
    return Array.from({ length: K }, (_, k) => variance(scores.map((own) => own[k]))).reduce(
      (a, b) => a + b,
      0,
    );
  });
  const order = spread.map((_, i) => i).sort((a, b) => spread[b] - spread[a]);
  return forAll("weights", order, judged.rows);
}

/** For each row an order of its own, drawn. */
export function randomOrder({ judged, seed }: OrderRequest): Order {
  const generator = random(seed);
  const n = judged.columns.length;
  const columns = new Int32Array(judged.rows * n);
  for (let r = 0; r < judged.rows; r++) columns.set(shuffled(n, generator), r * n);
  return { name: "random", columns };
}

/** The fixed order that is best on training rows: always the column that lowers their log loss most; undefined for too many columns. */
export function fixedOrder(request: OrderRequest): Order | undefined {
  const { model, training, trainingLabels, judged, progress } = request;
  const n = training.columns.length;
  if (n > FIXED_COLUMNS || training.rows === 0) return undefined;
  const rows = Int32Array.from({ length: Math.min(FIXED_ROWS, training.rows) }, (_, r) => r);
  const table = pickRows(training, rows);
  const order: number[] = [];
  while (order.length < n) {
    progress(order.length / n, "looking for the best fixed order");
    const left = training.columns.map((_, i) => i).filter((i) => !order.includes(i));
    const losses = left.map((i) => {
      const known = new Set([...order, i]);
      const { probabilities } = predictColumns(
        model,
        maskRows(table, (_, c) => known.has(c)),
      );
      return logLoss(probabilities, trainingLabels, rows.length);
    });
    order.push(left[losses.indexOf(Math.min(...losses))]);
  }
  return forAll("best fixed", order, judged.rows);
}

function logLoss(probabilities: Float64Array, labels: ArrayLike<number>, rows: number): number {
  const K = probabilities.length / rows;
  let sum = 0;
  for (let r = 0; r < rows; r++)
    sum -= Math.log(Math.max(probabilities[r * K + labels[r]], Number.MIN_VALUE));
  return sum / rows;
}

function variance(values: readonly number[]): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  return values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
}
