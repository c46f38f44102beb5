import { requireMade } from "../errors.ts";
import { expectationOf } from "../model/kinds.ts";
import { type Model, requireClasses } from "../model/model.ts";
import { integer, type OptionsOf, probabilityUpTo1, readOptions } from "../options.ts";
import { decide } from "../predictors/decision.ts";
import { learn } from "../predictors/features.ts";
import { Watch } from "../progress.ts";
import { type ColumnLaw, columnLaws } from "../questions/impute.ts";
import { readCells } from "../questions/row-input.ts";
import { type Schema, valueLabels } from "../schema/column.ts";
import type { Row } from "../schema/data.ts";
import type { Cells } from "../schema/read-row.ts";
import { askColumns } from "./ask-next.ts";
import { type AskOptions, askOptions, type Question, readCosts } from "./question.ts";
import { likelyCells, lookAhead } from "./two-questions-ahead.ts";

/** The size of a questionnaire, and when it ends early. */
export interface AskTreeOptions extends AskOptions {
  /** The largest number of questions in a row. Default 3. */
  readonly depth?: number | undefined;
  /** A branch ends where the prediction has this probability. Default 0.95. */
  readonly threshold?: number | undefined;
}

/** The largest number of branches of a question. */
const [MOST_VALUES, MOST_RANGES] = [8, 4];
/** Less likely answers and paths are not followed. */
const [RARE, RAREST] = [0.01, 0.001];
/** The least information of a question, in nats. */
const NOTHING = 1e-6;
/** The tolerance of a question's information, which only has to rank it. */
const ENOUGH = 1e-4;
/** The largest depth: each level may double the size. */
const DEEPEST = 12;

const askTreeOptions = {
  ...askOptions,
  depth: integer(3, { least: 1, most: DEEPEST }),
  threshold: probabilityUpTo1(0.95),
} satisfies OptionsOf<AskTreeOptions>;

/**
 * Compiles the questions that {@link askNext} would ask, looking ahead, into a tree that can be followed without the model: at each
 * place the prediction and the next question, with a branch per likely value of a category and per range of a number. Ranges are cut
 * where the decision changes; what is said below a range holds in its middle.
 *
 *     askTree(model, {}, { depth: 2 }).question?.column; // "age"
 */
export function askTree(model: Model, row: Row, options: AskTreeOptions = {}): Questionnaire {
  requireClasses(model, "askTree");
  requireMade("model", model);
  const read = readOptions(options, askTreeOptions);
  const { depth, threshold } = read;
  const watch = new Watch(read, "planning");
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const costOf = readCosts(schema, read.costs);
  const expectation = expectationOf(model);
  const ask = (known: Cells): Question[] => askColumns(model, known, costOf, ENOUGH, watch.check);

  const grow = (known: Cells, share: number, left: number, done: number): Questionnaire => {
    watch.step(done);
    const { values } = expectation.expect(known);
    const c = decide(values).class;
    const here = { prediction: classes[c], probability: values[c], share };
    if (left === 0 || values[c] >= threshold || share < RAREST) return here;
    const [best] = lookAhead(model, known, ask(known), ask, watch.check);
    if (!best || (best.ahead ?? best).informationGain < NOTHING) return here;
    const i = schema.columns.findIndex(({ name }) => name === best.column);
    const answers = answersTo(model, i, known);
    const branches = answers.map(
      ({ cell, probability, ...when }, b): QuestionBranch => ({
        ...when,
        next: grow(
          cell === undefined ? known : learned(schema, known, i, cell),
          share * probability,
          cell === undefined ? 0 : left - 1,
          done + (share * b) / answers.length,
        ),
      }),
    );
    return { ...here, question: { column: best.column, branches } };
  };
  return grow(readCells(model, row, read), 1, depth, 0);
}

function learned(schema: Schema, cells: Cells, i: number, cell: number): Cells {
  const known = cells.slice();
  learn(schema, known, i, cell);
  return known;
}

/** Groups of answers, each represented by a cell; undefined where none represents them. */
interface Answer extends Omit<QuestionBranch, "next"> {
  readonly cell: number | undefined;
  readonly probability: number;
}

function answersTo(model: Model, i: number, known: Cells): Answer[] {
  const column = model.schema.columns[i];
  const law = columnLaws(model, known).get(i) as ColumnLaw;
  if (column.kind === "numeric") return rangesOf(model, i, known, law);
  const likely = likelyCells(column, law, MOST_VALUES).filter(({ probability }) => probability >= RARE);
  const labels = valueLabels(column);
  const told = likely.map(
    ({ cell, probability }): Answer =>
      column.kind === "binned"
        ? { ...boundsOf(column.edges, cell), cell, probability }
        : { values: [labels[cell]], cell, probability },
  );
  const rest = 1 - likely.reduce((sum, { probability }) => sum + probability, 0);
  const all = law.cells.length === likely.length;
  return all ? told : [...told, { cell: undefined, probability: Math.max(0, rest) }];
}

/** The bounds of a bin. */
function boundsOf(edges: readonly number[], bin: number): Pick<QuestionBranch, "from" | "to"> {
  return { ...(bin > 0 && { from: edges[bin - 1] }), ...(bin < edges.length && { to: edges[bin] }) };
}

/** Ranges of a number, cut where the decision changes as it grows, or at the median where it does not. */
function rangesOf(model: Model, i: number, known: Cells, { cells, probabilities }: ColumnLaw): Answer[] {
  const expectation = expectationOf(model);
  const decisions = Array.from(
    cells,
    (x) => decide(expectation.expect(learned(model.schema, known, i, x)).values).class,
  );
  const ends = decisions.flatMap((c, v) => (v > 0 && c !== decisions[v - 1] ? [v] : []));
  const cuts = ends.length > 0 ? ends.slice(0, MOST_RANGES - 1) : middleOf(probabilities);
  const bounds = [0, ...cuts, cells.length];
  return bounds.slice(1).map((end, b): Answer => {
    const start = bounds[b];
    const shares = probabilities.slice(start, end);
    const probability = shares.reduce((sum, p) => sum + p, 0);
    const middle = start + (middleOf(shares)[0] ?? 0);
    return {
      ...(start > 0 && { from: (cells[start - 1] + cells[start]) / 2 }),
      ...(end < cells.length && { to: (cells[end - 1] + cells[end]) / 2 }),
      cell: cells[Math.min(middle, end - 1)],
      probability,
    };
  });
}

/** The median of a discrete distribution; undefined where that is its first value. */
function middleOf(probabilities: Float64Array): number[] {
  const half = probabilities.reduce((sum, p) => sum + p, 0) / 2;
  let sum = 0;
  for (let v = 0; v < probabilities.length; v++) {
    sum += probabilities[v];
    if (sum >= half) return v === 0 && probabilities.length > 1 ? [1] : v === 0 ? [] : [v];
  }
  return [];
}

/** A node: the prediction after the answers so far, and the next question. */
export interface Questionnaire {
  readonly prediction: string;
  readonly probability: number;
  /** The probability of reaching it. */
  readonly share: number;
  /** The next question; undefined where the questions end. */
  readonly question?: {
    readonly column: string;
    readonly branches: readonly QuestionBranch[];
  };
}

/** Answers with the same next node: some values, a range of numbers, or all values without a branch. */
export interface QuestionBranch {
  readonly values?: readonly string[];
  /** A number is at least `from` and below `to`; an absent bound is infinite. */
  readonly from?: number;
  readonly to?: number;
  readonly next: Questionnaire;
}

/** A branch in words. */
export function branchInWords(branch: QuestionBranch): string {
  requireMade("branch", branch);
  const { values, from, to } = branch;
  if (values) return values.join(", ");
  if (from !== undefined && to !== undefined) return `${shortNumber(from)} to ${shortNumber(to)}`;
  if (from !== undefined) return `${shortNumber(from)} or more`;
  return to === undefined ? "anything else" : `below ${shortNumber(to)}`;
}

/** A number with enough digits to tell answers apart. */
function shortNumber(x: number): string {
  return String(Number(x.toPrecision(4)));
}
