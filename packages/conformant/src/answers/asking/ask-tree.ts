import { ConformantError, requireInteger, requireMade, requireOptions, show } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import type { AskOptions } from "../../queries/asking/ask-next.ts";
import type { QuestionBranch, Questionnaire } from "../../queries/asking/questionnaire.ts";
import { impute, type NumericImputation } from "../../queries/filling/impute.ts";
import { decide } from "../../queries/terms/decision.ts";
import type { Column } from "../../schema/column.ts";
import type { Row, Value } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { askNext } from "../ask-next.ts";
import { predict } from "../predict.ts";
import { likelyValues } from "./likely-values.ts";

/** How long a questionnaire is, and when it ends before. */
export interface AskTreeOptions extends AskOptions {
  /** The most questions in a row. Default 3. */
  readonly depth?: number;
  /** No more is asked where the prediction has this probability. Default 0.95. */
  readonly threshold?: number;
}

/** Values of a category, and ranges of a number, with branches of their own. */
const [MOST_VALUES, MOST_RANGES] = [8, 4];
/** Answers, and ways through the questions, that are less likely than this are not followed. */
const [RARE, RAREST] = [0.01, 0.001];
/** A question must tell this much, in nats. */
const NOTHING = 1e-6;
/** The error of what a question is worth, which only has to rank it. */
const ENOUGH = 1e-4;
/** The longest questionnaire: every question more may double it. */
const DEEPEST = 12;

/**
 * Compiles the questions that {@link askNext} would ask, looking ahead, into a tree that can be followed without the model: at each place the prediction and the
 * next question, with a branch per likely value of a category and per range of a number. Ranges are cut where the decision changes; what is said below one is what
 * holds in its middle.
 */
export function askTree(model: Model, row: Row, options: AskTreeOptions = {}): Questionnaire {
  requireMade("model", model);
  requireOptions(options);
  const { depth = 3, threshold = 0.95 } = options;
  requireInteger("options.depth", depth, 1);
  if (depth > DEEPEST) throw wrong("options.depth", `at most ${DEEPEST}`, depth);
  if (!(threshold > 0 && threshold <= 1))
    throw wrong("options.threshold", "a probability above 0 and at most 1", threshold);
  const watch = new Watch(options, "planning");
  const { costs = {}, extra = "error" } = options;
  const { columns, classes } = { ...model.classifier.schema, classes: model.classifier.classes };

  const grow = (known: Row, share: number, left: number, done: number): Questionnaire => {
    watch.step(done);
    const answer = Float64Array.from(Object.values(predict(model, known, { extra })));
    const c = decide(answer).class;
    const here = { prediction: classes[c], probability: answer[c], share };
    if (left === 0 || answer[c] >= threshold || share < RAREST) return here;
    const [best] = askNext(model, known, { costs, extra, lookAhead: true, tolerance: ENOUGH });
    if (!best || (best.ahead ?? best).informationGain < NOTHING) return here;
    const column = columns.find(({ name }) => name === best.column) as Column;
    const answers = answersTo(model, column, known, extra);
    const branches = answers.map(
      ({ value, probability, ...when }, b): QuestionBranch => ({
        ...when,
        next: grow(
          value === undefined ? known : { ...known, [column.name]: value },
          share * probability,
          value === undefined ? 0 : left - 1,
          done + (share * b) / answers.length,
        ),
      }),
    );
    return { ...here, question: { column: column.name, branches } };
  };
  return grow(row, 1, depth, 0);
}

/** Answers that are told apart, by a value that stands for each; undefined where nothing stands for them. */
interface Answer extends Omit<QuestionBranch, "next"> {
  readonly value: Value;
  readonly probability: number;
}

function answersTo(model: Model, column: Column, known: Row, extra: "ignore" | "error"): Answer[] {
  const imputed = impute(model, known, { extra })[column.name];
  if (imputed.kind === "numeric") return rangesOf(model, column.name, known, imputed, extra);
  const likely = likelyValues(column, imputed, MOST_VALUES).filter(({ probability }) => probability >= RARE);
  const told = likely.map(
    ({ value, probability }): Answer =>
      column.kind === "binned"
        ? { ...binOf(column.edges, Number(value)), value, probability }
        : { values: [String(value)], value, probability },
  );
  const rest = 1 - likely.reduce((sum, { probability }) => sum + probability, 0);
  const all = Object.keys(imputed.probabilities).length === likely.length;
  return all ? told : [...told, { value: undefined, probability: Math.max(0, rest) }];
}

/** The bounds of the bin that a number falls into. */
function binOf(edges: readonly number[], value: number): Pick<QuestionBranch, "from" | "to"> {
  const at = edges.filter((edge) => edge <= value).length;
  return { ...(at > 0 && { from: edges[at - 1] }), ...(at < edges.length && { to: edges[at] }) };
}

/** Ranges of a number, cut where the decision changes as it grows, or in the middle where it does not. */
function rangesOf(
  model: Model,
  name: string,
  known: Row,
  { values, probabilities }: NumericImputation,
  extra: "ignore" | "error",
): Answer[] {
  const decisions = Array.from(
    values,
    (x) => decide(Float64Array.from(Object.values(predict(model, { ...known, [name]: x }, { extra })))).class,
  );
  const ends = decisions.flatMap((c, v) => (v > 0 && c !== decisions[v - 1] ? [v] : []));
  const cuts = ends.length > 0 ? ends.slice(0, MOST_RANGES - 1) : middleOf(probabilities);
  const bounds = [0, ...cuts, values.length];
  return bounds.slice(1).map((end, b): Answer => {
    const start = bounds[b];
    const shares = probabilities.slice(start, end);
    const probability = shares.reduce((sum, p) => sum + p, 0);
    const middle = start + (middleOf(shares)[0] ?? 0);
    return {
      ...(start > 0 && { from: (values[start - 1] + values[start]) / 2 }),
      ...(end < values.length && { to: (values[end - 1] + values[end]) / 2 }),
      value: values[Math.min(middle, end - 1)],
      probability,
    };
  });
}

/** The place where half of a distribution is passed; none where that is its beginning. */
function middleOf(probabilities: Float64Array): number[] {
  const half = probabilities.reduce((sum, p) => sum + p, 0) / 2;
  let sum = 0;
  for (let v = 0; v < probabilities.length; v++) {
    sum += probabilities[v];
    if (sum >= half) return v === 0 && probabilities.length > 1 ? [1] : v === 0 ? [] : [v];
  }
  return [];
}

function wrong(argument: string, need: string, value: unknown): ConformantError {
  const message = `${argument} must be ${need}, got ${show(value)}`;
  return new ConformantError("invalid-argument", message, { argument, value });
}
