import {
  askNext,
  type Column,
  type EncodedColumn,
  type Model,
  predictColumns,
  type Row,
  random,
  type Table,
  type Value,
} from "conformant";
import { pickRows } from "conformant/internal";
import { slotOffsets } from "conformant/remote";
import { shuffled } from "conformant-workbench";

/** In which order each row is asked: rows × questions, positions of questions. */
export interface Order {
  readonly name: string;
  readonly questions: Int32Array;
}

/** What the orders are made from. */
export interface OrderRequest {
  readonly model: Model;
  /** The rows that are asked about, and rows that an order may be learned from, with their classes. */
  readonly tested: Table;
  readonly training: Table;
  readonly trainingLabels: ArrayLike<number>;
  readonly costs: Readonly<Record<string, number>>;
  /** Columns that are learned together, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /** Questions that ours chooses by the answers so far; those after them follow the last ranking. Default all. */
  readonly chosen?: number;
  readonly seed: number;
  readonly progress: (share: number, what: string) => void;
}

/** What is asked for at once: a column, or those of a group, by their positions. */
export interface AskedColumns {
  readonly name: string;
  readonly columns: readonly number[];
}

/** All questions: the groups, and every other column for itself. */
export function questionsOf({
  tested,
  groups = {},
}: Pick<OrderRequest, "tested" | "groups">): AskedColumns[] {
  const names = tested.schema.columns.map(({ name }) => name);
  const grouped = new Set(Object.values(groups).flat());
  return [
    ...Object.entries(groups).map(([name, members]) => ({
      name,
      columns: members.map((member) => names.indexOf(member)),
    })),
    ...names.flatMap((name, i) => (grouped.has(name) ? [] : [{ name, columns: [i] }])),
  ];
}

/** Rows and questions up to which the best fixed order is looked for. */
const [FIXED_ROWS, FIXED_QUESTIONS] = [400, 64];

/** Questions at which ours looks ahead: the first is the same for all rows; to look ahead for each row would take too long. */
const LOOKING_AHEAD = 1;
/** The error of what a question is worth, which only has to rank it. */
const ROUGHLY = 1e-6;

/** One order for all rows. */
function forAll(name: string, order: readonly number[], rows: number): Order {
  return {
    name,
    questions: Int32Array.from({ length: rows * order.length }, (_, at) => order[at % order.length]),
  };
}

/** Our order: of each row the question that its answers so far make the most telling, as `ask` has it. */
export function ourOrder(request: OrderRequest): Order {
  const { model, tested, costs, groups, chosen = Number.POSITIVE_INFINITY, progress } = request;
  const all = questionsOf(request);
  const places = new Map(all.map(({ name }, q) => [name, q]));
  const asked = new Map<string, readonly number[]>();
  const rank = (known: Row, isFirst: boolean): readonly number[] => {
    const how = groups ? { groups } : { lookAhead: isFirst, tolerance: ROUGHLY };
    return askNext(model, known, { costs, ...how }).map(({ column }) => places.get(column) as number);
  };
  const orders = new Int32Array(tested.rows * all.length);
  for (let r = 0; r < tested.rows; r++) {
    progress(r / tested.rows, "asking");
    const canTell = (q: number): boolean => all[q].columns.some((c) => !isMissingIn(tested.columns[c], r));
    const known: Record<string, Row[string]> = {};
    const order: number[] = [];
    let ranking: readonly number[] = [];
    while (order.length < all.length) {
      if (order.length < chosen) {
        // Rows with the same answers are asked the same.
        const key = JSON.stringify(Object.entries(known));
        ranking = asked.get(key) ?? rank(known, order.length < LOOKING_AHEAD);
        if (asked.size < 100_000) asked.set(key, ranking);
      }
      const next = ranking.find((q) => !order.includes(q) && canTell(q));
      if (next === undefined) break;
      order.push(next);
      for (const c of all[next].columns) {
        const column = tested.schema.columns[c];
        if (!isMissingIn(tested.columns[c], r)) known[column.name] = givenValue(column, tested.columns[c][r]);
      }
    }
    const rest = all.map((_, q) => q).filter((q) => !order.includes(q)); // gaps, which nobody can answer
    orders.set([...order, ...rest], r * all.length);
  }
  return { name: "ours", questions: orders };
}

/** The questions whose scores differ most between rows first: what a look at the classifier's weights suggests. */
export function weightsOrder(request: OrderRequest): Order {
  const { model, training, tested } = request;
  const {
    schema,
    tilt: { weights },
    response: { outputs: classes },
  } = model;
  const [K, slots] = [classes.length, slotOffsets(schema)];
  /** What a cell adds to the score of a class. */
  const scoreOf = (i: number, x: number, k: number): number =>
    schema.columns[i].kind === "numeric" || schema.columns[i].kind === "binary"
      ? x * weights[slots[i] * K + k]
      : weights[(slots[i] + x) * K + k];
  const rows = Array.from({ length: training.rows }, (_, r) => r);
  const spread = questionsOf(request).map(({ columns }) => {
    const known = rows.filter((r) => columns.every((i) => !isMissingIn(training.columns[i], r)));
    const scores = known.map((r) => {
      const own = Array.from({ length: K }, (_, k) =>
        columns.reduce((sum, i) => sum + scoreOf(i, training.columns[i][r], k), 0),
      );
      const mean = own.reduce((sum, s) => sum + s, 0) / K;
      return own.map((s) => s - mean);
    });
    return Array.from({ length: K }, (_, k) => variance(scores.map((own) => own[k]))).reduce(
      (a, b) => a + b,
      0,
    );
  });
  const order = spread.map((_, q) => q).sort((a, b) => spread[b] - spread[a]);
  return forAll("weights", order, tested.rows);
}

/** For each row an order of its own, drawn. */
export function randomOrder(request: OrderRequest): Order {
  const { tested, seed } = request;
  const generator = random(seed);
  const Q = questionsOf(request).length;
  const questions = new Int32Array(tested.rows * Q);
  for (let r = 0; r < tested.rows; r++) questions.set(shuffled(Q, generator), r * Q);
  return { name: "random", questions };
}

/** The fixed order that is best on training rows: always the question that lowers their log loss most; undefined for too many. */
export function fixedOrder(request: OrderRequest): Order | undefined {
  const { model, training, trainingLabels, tested, progress } = request;
  const all = questionsOf(request);
  if (all.length > FIXED_QUESTIONS || training.rows === 0) return undefined;
  const rows = Int32Array.from({ length: Math.min(FIXED_ROWS, training.rows) }, (_, r) => r);
  const table = pickRows(training, rows);
  const order: number[] = [];
  while (order.length < all.length) {
    progress(order.length / all.length, "looking for the best fixed order");
    const left = all.map((_, q) => q).filter((q) => !order.includes(q));
    const losses = left.map((own) => {
      const known = new Set([...order, own].flatMap((q) => all[q].columns));
      const { probabilities } = predictColumns(
        model,
        maskRows(table, (_, c) => known.has(c)),
      );
      return logLoss(probabilities, trainingLabels, rows.length);
    });
    order.push(left[losses.indexOf(Math.min(...losses))]);
  }
  return forAll("best fixed", order, tested.rows);
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

/** A table of which only some cells are known. */
export function maskRows(table: Table, isKnown: (row: number, column: number) => boolean): Table {
  const columns = table.columns.map((cells, c) => {
    const own = cells.slice();
    for (let r = 0; r < own.length; r++) if (!isKnown(r, c)) own[r] = gapOf(cells);
    return own;
  });
  return { ...table, columns };
}

/** What stands for a gap among the cells of a column. */
function gapOf(cells: EncodedColumn): number {
  return cells instanceof Float64Array || cells instanceof Float32Array ? Number.NaN : -1;
}

/** Whether a cell of a column is a gap. */
export function isMissingIn(cells: EncodedColumn, row: number): boolean {
  return Object.is(cells[row], gapOf(cells));
}

/** The cell of a column as a person would give it. */
function givenValue(column: Column, cell: number): Value {
  if (column.kind === "categorical") return column.values[cell];
  if (column.kind !== "binned") return cell;
  return cell === 0 ? column.edges[0] - 1 : column.edges[cell - 1];
}
