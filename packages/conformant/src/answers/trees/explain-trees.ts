import { finiteLogit } from "../../math/exponential/logistic.ts";
import { fallingOrder } from "../../math/falling-order.ts";
import { featureValue } from "../../queries/explanation/contributions.ts";
import type { Explanation } from "../../queries/explanation/explain.ts";
import { type ExplainOptions, readExplainOptions } from "../../queries/explanation/explain-options.ts";
import { knownFeatures } from "../../queries/explanation/features.ts";
import { decide, TIE } from "../../queries/terms/decision.ts";
import { encodeRow } from "../../queries/terms/query-input.ts";
import { isGapCell, type Row } from "../../schema/data.ts";
import { Watch } from "../../watch.ts";
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
  const started = Date.now();
  const watch = new Watch(options, "searching");
  const { schema, classes } = model.trees;
  const table = encodeRow(model, row, options);
  const features = knownFeatures(model, table, 0, options.groups);
  const request = readExplainOptions(schema, features, options);
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
  const keeps = (known: readonly number[]): boolean => {
    const p = game.value(known);
    if (request.atLeast !== undefined) return p[c] >= request.atLeast - TIE;
    const now = decide(p);
    return now.class === c || (decision.tied.length > 0 && now.tied.includes(c));
  };
  const used = support.filter((f) => request.use.has(f));
  const given = [...opposing, ...used];
  const free = support.filter((f) => !request.use.has(f) && !request.avoid.has(f));
  const { chosen, lowerBound } = searchSufficient(given, free, keeps, () => {
    const passed = Date.now() - started;
    watch.step(passed / request.timeLimit);
    return passed > request.timeLimit;
  });
  const found = new Set([...used, ...(chosen ?? [])]);
  const sufficient = chosen ? support.filter((f) => found.has(f)) : [];
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
    sufficient: sufficient.map((f) => features[f].name),
    sufficientProbability: game.value([...opposing, ...sufficient])[c],
    status: chosen ? (chosen.length <= lowerBound ? "optimal" : "bounded") : "impossible",
    lowerBound: chosen ? used.length + lowerBound : null,
    ...(request.atLeast !== undefined && { atLeast: request.atLeast }),
    missing: schema.columns.filter((_, i) => isGapCell(table.columns[i], 0)).map(({ name }) => name),
    unseen: table.unseen,
  };
}

/**
 * A small subset of `free` that keeps the decision together with `given`: the shortest prefix that does, thinned out from its end;
 * then all sets of 0, 1, 2, … features as long as there is time, which proves how many are needed.
 */
function searchSufficient(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
  late: () => boolean,
): { chosen: readonly number[] | undefined; lowerBound: number } {
  let best = thinned(given, free, keeps);
  let lowerBound = 0;
  for (let size = 0; best && size < best.length; size++) {
    const found = firstSubset(free, size, (subset) => keeps([...given, ...subset]), late);
    if (found === "late") return { chosen: best, lowerBound };
    if (found) best = found;
    lowerBound = found ? found.length : size + 1;
  }
  return { chosen: best, lowerBound };
}

function thinned(
  given: readonly number[],
  free: readonly number[],
  keeps: (known: readonly number[]) => boolean,
): readonly number[] | undefined {
  let length = 0;
  while (length <= free.length && !keeps([...given, ...free.slice(0, length)])) length++;
  if (length > free.length) return undefined;
  let chosen = free.slice(0, length);
  for (const f of [...chosen].reverse()) {
    const without = chosen.filter((g) => g !== f);
    if (keeps([...given, ...without])) chosen = without;
  }
  return chosen;
}

/** The first subset of a size that passes a test, in lexicographic order; "late" where the time is over before all were tried. */
function firstSubset(
  items: readonly number[],
  size: number,
  test: (subset: readonly number[]) => boolean,
  late: () => boolean,
): readonly number[] | "late" | undefined {
  const places = Array.from({ length: size }, (_, j) => j);
  for (;;) {
    if (late()) return "late";
    const subset = places.map((place) => items[place]);
    if (test(subset)) return subset;
    let at = size - 1;
    while (at >= 0 && places[at] === items.length - size + at) at--;
    if (at < 0) return undefined;
    places[at]++;
    for (let j = at + 1; j < size; j++) places[j] = places[j - 1] + 1;
  }
}
