import { drawColumns } from "../distribution/completions.ts";
import { ConformantError, didYouMean, requireMade, show } from "../errors.ts";
import { type AskedRow, askAbout } from "../explanation/ask-about.ts";
import { type Contribution, featureValue } from "../explanation/contributions.ts";
import { random } from "../math/random.ts";
import { fallingOrder } from "../math/search.ts";
import { finiteLogit, probabilityOf } from "../math/softmax.ts";
import { expectationOf } from "../model/kinds.ts";
import { type AnyModel, isRegression, type Model, type RegressionModel } from "../model/model.ts";
import {
  integer,
  names,
  number,
  type OptionsOf,
  oneOf,
  readOptions,
  record,
  seconds,
  text,
} from "../options.ts";
import { decide } from "../predictors/decision.ts";
import {
  answerTable,
  type Coalitions,
  MANY_ROWS,
  type Precision,
  type SetValues,
} from "../predictors/expectation.ts";
import { Watch, type WatchOptions, watchOptions } from "../progress.ts";
import { type QueryOptions, queryOptions } from "../questions/row-input.ts";
import {
  type EncodedColumn,
  emptyLike,
  isMissingCell,
  missingLike,
  type Row,
  type Table,
} from "../schema/data.ts";
import { cellsOfRow } from "../schema/read-row.ts";
import {
  type CoalitionGame,
  type DrawOrders,
  type GameValues,
  shapleyByOrders,
  shapleyOfTable,
} from "./coalition-game.ts";

/** The class, the game, the scale and the precision. */
export interface ShapleyOptions extends QueryOptions, WatchOptions {
  /** The class whose probability is explained. Default: the predicted one. Numbers have none. */
  readonly class?: string | undefined;
  /** Columns that form one feature, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * How an absent feature is treated: "conditional" makes it unknown, so that what the other features say about it still counts;
   * "interventional" draws it from the model, independent of the other features. Default "conditional".
   */
  readonly game?: "conditional" | "interventional" | undefined;
  /** The scale on which contributions add up: the probability of the class, or its log-odds. Default "probability". Numbers add up as they are. */
  readonly scale?: "probability" | "logOdds" | undefined;
  /** The tolerance of standard errors where orders of features are sampled. Default 0.002; of a number, 0.01 standard deviations of all answers. */
  readonly tolerance?: number | undefined;
  /** The largest number of sampled pairs of orders. Default 100,000, or as many as take a few seconds for the model. */
  readonly maxIterations?: number | undefined;
  /** Seconds for sampling orders. No limit by default, so that the result depends only on the seed. */
  readonly timeLimit?: number | undefined;
  /** Random seed. Default 0. */
  readonly seed?: number | undefined;
}

/** The default tolerance of probabilities and log-odds. */
const TOLERANCE = 0.002;
/**
 * The default tolerance of a number, in standard deviations of all answers. A drawn number varies by about one of them, a drawn probability
 * by much less: a mean within 0.002 would take 250,000 draws, within 0.01 10,000.
 */
const NUMBER_TOLERANCE = 0.01;

const shapleyOptions = {
  ...queryOptions,
  ...watchOptions,
  class: text(undefined),
  groups: record(names(undefined)),
  game: oneOf(["conditional", "interventional"], "conditional"),
  scale: oneOf(["probability", "logOdds"], "probability"),
  tolerance: number(TOLERANCE),
  maxIterations: integer(undefined, { least: 2 }),
  timeLimit: seconds(Number.POSITIVE_INFINITY),
  seed: integer(0),
} satisfies OptionsOf<ShapleyOptions>;

const { class: _, scale: __, ...sharedOptions } = shapleyOptions;

const numberOptions = {
  ...sharedOptions,
  tolerance: number(undefined),
} satisfies OptionsOf<Omit<ShapleyOptions, "class" | "scale">>;

/** The contribution of one feature. */
export interface ShapleyValue extends Pick<Contribution, "column" | "value"> {
  readonly contribution: number;
  /** The standard error, or an upper bound, where orders or predictions were sampled. */
  readonly standardError?: number;
}

/** The difference between the prediction for an empty row and for this one, divided among its known features. */
export interface Shapley {
  readonly class: string;
  readonly game: "conditional" | "interventional";
  readonly scale: "probability" | "logOdds";
  /** v of the empty set. */
  readonly baseline: number;
  /** v of everything known, which is what `predict` answers: baseline plus all contributions. */
  readonly total: number;
  /** Every known feature, the largest contribution first. */
  readonly contributions: readonly ShapleyValue[];
  /** "exact": all sets of features were computed exactly; "sampling": orders of features or predictions were sampled. */
  readonly method: "exact" | "sampling";
  /** After sampling: whether every standard error is within the tolerance. */
  readonly converged?: boolean;
}

/** How the difference between the expected number of no row in particular and that of this one is shared among its known features. */
export interface NumberShapley extends Omit<Shapley, "class" | "scale"> {
  /** The name of the number, whose unit contributions are in. */
  readonly output: string;
}

/**
 * Shapley values of a prediction: over all orders in which the known features of a row could become known, the mean of what each adds.
 *
 * In the conditional game v(S) = P(class | y_S) is the expected prediction itself, also where the row has missing values. All sets S are
 * computed where that takes about a tenth of a second; otherwise orders are drawn until the standard error is small.
 *
 * In the interventional game v(S) = E[ P(class | y_S, Z_N∖S) ], where N are the known features and Z is a row drawn from the model as if
 * no value were known. Features in S have the row's values, the other known features those of Z, which do not depend on
 * S; columns that are missing in the row stay missing and are averaged out by the model. What the known features tell about each other does
 * not count. v(N) is what `predict` answers; for a complete row v(S) is the predictor's own mean answer.
 *
 *     shapley(model, { age: 40, dose: 2 }).contributions[0]; // { column: "dose", value: 2, contribution: 0.21 }
 */
export function shapley(model: Model, row: Row, options?: ShapleyOptions): Shapley;
export function shapley(model: RegressionModel, row: Row, options?: ShapleyOptions): NumberShapley;
export function shapley(model: AnyModel, row: Row, options: ShapleyOptions = {}): Shapley | NumberShapley {
  requireMade("model", model);
  if (isRegression(model)) return shapleyOfNumber(model, row, options);
  const read = readOptions(options, shapleyOptions);
  const watch = new Watch(read, "searching");
  const { outputs } = model.response;
  const wanted = read.class === undefined ? undefined : classOf(outputs, read.class);
  const asked = askAbout(model, row, read, watch.check);
  const { features, coalitions } = asked;
  const answer = coalitions.value(features.map((_, f) => f));
  const c = wanted ?? decide(answer.values).class;
  return {
    class: outputs[c],
    game: read.game,
    scale: read.scale,
    ...shareOut(model, row, asked, c, read, watch),
  };
}

function shapleyOfNumber(model: RegressionModel, row: Row, options: ShapleyOptions): NumberShapley {
  const read = readOptions(options, numberOptions);
  const watch = new Watch(read, "searching");
  const tolerance = read.tolerance ?? NUMBER_TOLERANCE * expectationOf(model).scale;
  const asked = askAbout(model, row, read, watch.check);
  return {
    output: model.response.outputs[0],
    game: read.game,
    ...shareOut(model, row, asked, 0, { ...read, scale: "number", tolerance }, watch),
  };
}

/** How the players of a game are found, and when drawing orders of them ends. */
interface Request extends DrawOrders {
  readonly game: Shapley["game"];
  readonly scale: Scale;
  readonly seed: number;
}

function shareOut(
  model: AnyModel,
  row: Row,
  asked: AskedRow,
  c: number,
  read: Request,
  watch: Watch,
): Omit<Shapley, "class" | "game" | "scale"> {
  const { features, coalitions } = asked;
  const game =
    read.game === "conditional"
      ? conditionalGame(coalitions, c, read.scale)
      : interventionalGame(model, asked, c, read);
  const table = game.table();
  const { values, standardErrors, none, all } = table
    ? shapleyOfTable(table, features.length)
    : shapleyByOrders(game, read, random(read.seed), watch);
  return {
    baseline: none,
    total: all,
    contributions: Array.from(fallingOrder(values.map(Math.abs)), (f) => ({
      column: features[f].name,
      value: featureValue(model.schema, row, features[f]),
      contribution: values[f],
      ...(standardErrors && { standardError: standardErrors[f] }),
    })),
    ...(standardErrors
      ? { method: "sampling", converged: standardErrors.every((error) => error <= read.tolerance) }
      : { method: "exact" }),
  };
}

function classOf(classes: readonly string[], wanted: string): number {
  const c = classes.indexOf(wanted);
  if (c >= 0) return c;
  const message = `options.class must be one of ${classes.map(show).join(", ")}, got ${show(wanted)}${didYouMean(wanted, classes)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.class", value: wanted });
}

/** What is shared out: an output as it is, the log-odds of a class, or a number. */
type Scale = Shapley["scale"] | "number";

/** The conditional game: v(S) is the expected answer where only the features in S are known. */
function conditionalGame(coalitions: Coalitions, c: number, scale: Scale): CoalitionGame {
  return {
    players: coalitions.features.length,
    isDrawn: false,
    range: 1,
    get cost() {
      return coalitions.cost;
    },
    table: () => {
      const table = coalitions.table(c);
      return table && onScale(table, scale);
    },
    along: (order) => onScale(coalitions.along(order, c), scale),
  };
}

function onScale({ scores, errors }: SetValues, scale: Scale): GameValues {
  if (scale === "number") return { values: scores, errors };
  const logOdds = scores;
  const probabilities = logOdds.map(probabilityOf);
  if (scale === "probability") return { values: probabilities, errors };
  // The derivative of log p / (1 − p) is 1 / (p (1 − p)).
  const perProbability = (p: number): number => 1 / Math.max(p * (1 - p), Number.MIN_VALUE);
  return {
    values: logOdds,
    errors: errors?.map((error, s) => error && error * perProbability(probabilities[s])),
  };
}

/** The number of rows drawn from the model at a time. */
const BACKGROUND = 1024;
/** A sampled prediction for a drawn row needs few samples: its error is averaged with all others. */
const FEW_DRAWS = { enumerate: 16, samples: 4 };
/** The logarithm of a mean requires the mean itself. */
const COARSE: Precision = { ...MANY_ROWS, tolerance: 0.1 };

/** The interventional game of {@link shapley}: each draw is one row of the background. */
function interventionalGame(
  model: AnyModel,
  { table, features, coalitions }: AskedRow,
  c: number,
  { scale, seed }: { readonly scale: Scale; readonly seed: number },
): CoalitionGame {
  const expectation = expectationOf(model);
  const { K } = expectation;
  const n = features.length;
  const known = new Set(features.flatMap(({ columns }) => columns));
  const worth = scale === "logOdds" ? finiteLogit : (p: number) => p;
  const whole = coalitions.value(features.map((_, f) => f));
  const all = onScale(
    {
      scores: Float64Array.of(scale === "number" ? whole.values[c] : finiteLogit(whole.values[c])),
      errors: Float64Array.of(whole.standardError),
    },
    scale,
  );
  const nothing = { ...table, columns: table.columns.map(missingLike) };
  const isComplete = table.columns.every((cells) => !isMissingCell(cells, 0));
  const drawFew = expectation.sampled && !isComplete && scale !== "logOdds";
  const answersTo = (rows: Table, own: number): Float64Array => {
    if (!drawFew) return answerTable(expectation, rows, { ...COARSE, seed: own });
    const out = new Float64Array(rows.rows * K);
    for (let r = 0; r < rows.rows; r++) {
      const { values, weights } = expectation.completions(cellsOfRow(rows, r), { ...FEW_DRAWS, seed: own });
      for (let at = 0; at < values.length; at++)
        out[r * K + (at % K)] += weights[Math.floor(at / K)] * values[at];
    }
    return out;
  };
  let [background, chunk]: [readonly EncodedColumn[], number] = [[], -1];
  return {
    players: n,
    isDrawn: true,
    range: expectation.scale,
    cost: expectation.cost,
    table: () => undefined,
    along: (order, draw) => {
      const r = draw % BACKGROUND;
      if (chunk !== Math.floor(draw / BACKGROUND)) {
        chunk = Math.floor(draw / BACKGROUND);
        background = drawColumns(model, nothing, BACKGROUND, seed + chunk);
      }
      // Row j has the first j features of the order as known, and the others as drawn.
      const columns = table.columns.map((cells, i) =>
        emptyLike(cells, n + 1).fill(known.has(i) ? background[i][r] : cells[0]),
      );
      order.forEach((f, j) => {
        for (const i of features[f].columns) columns[i].fill(table.columns[i][0], j + 1);
      });
      const answers = answersTo({ ...table, rows: n + 1, columns }, seed + draw);
      const values = Float64Array.from({ length: n + 1 }, (_, j) => worth(answers[j * K + c]));
      values[n] = all.values[0];
      const errors = whole.standardError > 0 ? new Float64Array(n + 1) : undefined;
      errors?.fill(all.errors?.[0] ?? 0, n);
      return { values, errors };
    },
  };
}
