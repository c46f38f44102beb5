import { finiteLogit } from "../../math/exponential/logistic.ts";
import { fallingOrder } from "../../math/falling-order.ts";
import { featureValue } from "../../queries/explanation/contributions.ts";
import type { Explanation, SufficientPart } from "../../queries/explanation/explain.ts";
import {
  type ExplainOptions,
  type ExplainRequest,
  readExplainOptions,
} from "../../queries/explanation/explain-options.ts";
import { knownFeatures } from "../../queries/explanation/features.ts";
import type { Sides } from "../../queries/explanation/sides.ts";
import { type Decision, decide, TIE } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import { isGapCell, type Row } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
import { searchSufficient } from "./search-sufficient.ts";
import { TreeGame } from "./tree-game.ts";
import type { TreeModel } from "./tree-model.ts";

/** An effect on the probability below this is none: noise of the draws. */
const NONE = 1e-9;

/**
 * Explains what trees are expected to answer, with the words of {@link explain}. The sufficient explanation is searched: features by
 * falling effect until the decision holds, then without those that it does not need; it is proved smallest only where all
 * smaller sets have been tried within the time limit.
 */
export function explainTrees(model: TreeModel, row: Row, options: ExplainOptions = {}): Explanation {
  const watch = new Watch(options, "searching");
  const { schema, classes } = model.trees;
  const table = encodeRow(model, row, options);
  const features = knownFeatures(model, table, 0, options.groups);
  const request = readExplainOptions(schema, features, options);
  const late = watch.timer(request.timeLimit);
  const game = new TreeGame(model, table, features, watch.check);
  const all = features.map((_, f) => f);
  const full = game.value(all);
  const decision = decide(full);
  const c = decision.class;
  const effects = all.map((f) => game.value(all.filter((g) => g !== f))[c]);
  const logOdds = effects.map((without) => finiteLogit(full[c]) - finiteLogit(without));
  const order = Array.from(fallingOrder(Float64Array.from(logOdds, Math.abs)));
  const support = order.filter((f) => full[c] - effects[f] >= -NONE);
  const opposing = order.filter((f) => full[c] - effects[f] < -NONE);
  return {
    prediction: classes[c],
    probability: full[c],
    prior: game.value([])[c],
    tied: decision.tied.map((k) => classes[k]),
    contributions: order.map((f) => ({
      column: features[f].name,
      value: featureValue(schema, row, features[f]),
      logOdds: logOdds[f],
      probability: full[c] - effects[f],
    })),
    path: order.map((f, at) => {
      const [before, after] = [order.slice(0, at), order.slice(0, at + 1)].map((s) => game.value(s)[c]);
      return {
        column: features[f].name,
        logOdds: finiteLogit(after) - finiteLogit(before),
        probability: after,
      };
    }),
    support: support.map((f) => features[f].name),
    opposing: opposing.map((f) => features[f].name),
    ...findSufficient(game, decision, { support, opposing }, request, late),
    missing: schema.columns.filter((_, i) => isGapCell(table.columns[i], 0)).map(({ name }) => name),
    unseen: table.unseen,
  };
}

function findSufficient(
  game: TreeGame,
  decision: Decision,
  { support, opposing }: Pick<Sides, "support" | "opposing">,
  { use, avoid, atLeast }: ExplainRequest,
  late: () => boolean,
): SufficientPart {
  const c = decision.class;
  const keeps = (known: readonly number[]): boolean => {
    const p = game.value(known);
    if (atLeast !== undefined) return p[c] >= atLeast - TIE;
    const now = decide(p);
    return now.class === c || (decision.tied.length > 0 && now.tied.includes(c));
  };
  const used = support.filter((f) => use.has(f));
  const given = [...opposing, ...used];
  const free = support.filter((f) => !use.has(f) && !avoid.has(f));
  const { chosen, lowerBound } = searchSufficient(given, free, keeps, late);
  const found = new Set(chosen && [...used, ...chosen]);
  const sufficient = support.filter((f) => found.has(f));
  return {
    sufficient: sufficient.map((f) => game.features[f].name),
    sufficientProbability: game.value([...opposing, ...sufficient])[c],
    status: chosen ? (chosen.length <= lowerBound ? "optimal" : "bounded") : "impossible",
    lowerBound: chosen ? used.length + lowerBound : null,
    ...(atLeast !== undefined && { atLeast }),
  };
}
