import {
  ConformantError,
  requireInteger,
  requireNumber,
  requireOneOf,
  requireOptions,
  show,
} from "../../errors.ts";
import { finiteLogit, logistic } from "../../math/exponential/logistic.ts";
import { fallingOrder } from "../../math/falling-order.ts";
import { random } from "../../math/random.ts";
import type { Model } from "../../model/model.ts";
import { type Contribution, featureValue } from "../../queries/explanation/contributions.ts";
import { evidenceOf } from "../../queries/explanation/evidence.ts";
import { type Feature, knownFeatures } from "../../queries/explanation/features.ts";
import { decide } from "../../queries/terms/decision.ts";
import { encodeRow, type QueryOptions } from "../../queries/terms/query-input.ts";
import type { Row, Table } from "../../schema/data.ts";
import { Watch, type WatchOptions } from "../../watch.ts";
import { predict } from "../predict.ts";
import { TreeGame } from "../trees/tree-game.ts";
import { hasTrees } from "../trees/tree-model.ts";
import { type CoalitionGame, shapleyByOrders, shapleyOfTable, type Worth } from "./coalition-game.ts";
import { evidenceGame } from "./evidence-game.ts";
import { interventionalGame } from "./interventional-game.ts";
import { treeCoalitions } from "./tree-coalitions.ts";

/** Of which class, in which game, in which unit, and how exactly. */
export interface ShapleyOptions extends QueryOptions, WatchOptions {
  /** The class whose probability is shared out. Default the predicted one. */
  readonly class?: string;
  /** Columns that go together as one feature, by the name of the group. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  /**
   * What a feature that is left out becomes: "conditional", unknown, so that what the others tell about it still counts;
   * "interventional", a draw from the model that knows of no other feature. Default "conditional".
   */
  readonly game?: "conditional" | "interventional";
  /** What is shared out: the probability of the class, or its log-odds. Default "probability". */
  readonly scale?: "probability" | "logOdds";
  /** Where orders of features are drawn: the standard error at which it is enough. Default 0.002. */
  readonly tolerance?: number;
  /** Milliseconds for drawing orders. Default 1000. */
  readonly timeLimit?: number;
  /** Seed of the draws. Default 0. */
  readonly seed?: number;
}

/** What one feature is worth. */
export interface ShapleyValue extends Pick<Contribution, "column" | "value"> {
  readonly contribution: number;
  /** Where orders were drawn. */
  readonly standardError?: number;
}

/** How the way from what is said of no row to the answer to this one is shared among its known features. */
export interface Shapley {
  readonly class: string;
  readonly game: "conditional" | "interventional";
  readonly scale: "probability" | "logOdds";
  /** v of nothing known. */
  readonly baseline: number;
  /** v of all that is known: baseline plus all contributions. */
  readonly total: number;
  /** Every known feature, the largest contribution first. */
  readonly contributions: readonly ShapleyValue[];
  /** "exact": all sets of features were gone through; "sampling": orders of them were drawn. */
  readonly method: "exact" | "sampling";
}

/**
 * Shapley values of a prediction: of all orders in which the known features of a row could become known, what each adds on
 * average. In the conditional game v(S) = P(class | y_S) is the expected prediction itself, exact for every set S of features, also where the row has
 * gaps: all sets are gone through where that takes about a tenth of a second, else orders are drawn until the standard error is small.
 */
export function shapley(model: Model, row: Row, options: ShapleyOptions = {}): Shapley {
  requireOptions(options);
  const { game = "conditional", scale = "probability" } = options;
  requireOneOf("options.game", game, ["conditional", "interventional"]);
  requireOneOf("options.scale", scale, ["probability", "logOdds"]);
  const tolerance = requireNumber("options.tolerance", options.tolerance ?? 0.002, 0);
  const timeLimit = requireNumber("options.timeLimit", options.timeLimit ?? 1000, 0);
  const seed = requireInteger("options.seed", options.seed ?? 0, 0);
  const watch = new Watch(options, "searching");
  const table = encodeRow(model, row, options);
  const features = knownFeatures(model, table, 0, options.groups);
  const c = classOf(model, row, options);
  const posed = pose(model, table, features, c, { game, scale, seed, watch });
  const { values, standardErrors, none, all } =
    worthExactly(posed) ?? shapleyByOrders(posed, { tolerance, timeLimit }, random(seed), watch);
  return {
    class: model.classifier.classes[c],
    game,
    scale,
    baseline: none,
    total: all,
    contributions: Array.from(fallingOrder(values.map(Math.abs)), (f) => ({
      column: features[f].name,
      value: featureValue(model.classifier.schema, row, features[f]),
      contribution: values[f],
      ...(standardErrors && { standardError: standardErrors[f] }),
    })),
    method: standardErrors ? "sampling" : "exact",
  };
}

/** The class that is asked for, or the predicted one. */
function classOf(model: Model, row: Row, { class: wanted, strict, extra }: ShapleyOptions): number {
  const { classes } = model.classifier;
  if (wanted === undefined) {
    const asked = { ...(strict !== undefined && { strict }), ...(extra && { extra }) };
    return decide(Float64Array.from(Object.values(predict(model, row, asked)))).class;
  }
  const c = classes.indexOf(wanted);
  if (c >= 0) return c;
  const message = `options.class must be one of ${classes.map(show).join(", ")}, got ${show(wanted)}`;
  throw new ConformantError("invalid-argument", message, { argument: "options.class", value: wanted });
}

interface Posed extends Required<Pick<ShapleyOptions, "game" | "scale" | "seed">> {
  readonly watch: Watch;
}

/** The game that is asked for. */
function pose(
  model: Model,
  table: Table,
  features: readonly Feature[],
  c: number,
  { game, scale, seed, watch }: Posed,
): CoalitionGame {
  const ofProbability = scale === "probability" ? (p: number) => p : finiteLogit;
  if (game === "interventional")
    return interventionalGame({ model, table, features }, c, ofProbability, seed);
  if (hasTrees(model))
    return treeCoalitions(new TreeGame(model, table, features, watch.check), c, ofProbability);
  const ofLogOdds = scale === "probability" ? logistic : (logOdds: number) => logOdds;
  return evidenceGame(evidenceOf(model, table, 0, features), c, ofLogOdds);
}

/** From all sets, where these are few enough. */
function worthExactly(game: CoalitionGame): Worth | undefined {
  const values = game.values();
  if (!values) return undefined;
  const [none, all] = [values[0], values[values.length - 1]];
  return { values: shapleyOfTable(values, game.players), none, all, pairs: 0 };
}
