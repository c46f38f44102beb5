import { branchInWords, decide, decisionInWords } from "../../../../src/entries/internal.ts";
import {
  askNext,
  askPlan,
  askTree,
  type Explanation,
  explain,
  explainInWords,
  predict,
  type Questionnaire,
  type Row,
  sensitivity,
  sensitivityInWords,
  shapley,
  shiftMissing,
} from "../../../../src/index.ts";
import { readCell, type Truth } from "../truth.ts";
import { agrees, check, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";
import { checkEstimate } from "./questions.ts";

/** Differences of probabilities that rounding cannot have made. */
const CLEAR = 1e-6;
/** A place where questions end. */
const END: Questionnaire = { prediction: "a", probability: 1, share: 1 };
/** Columns up to which all sets of them are gone through. */
const FEW = 4;

/** The row with only these columns known. */
function only({ row }: World, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

/** By how much class c leads the other classes given these columns, by enumeration. */
function leadGiven(world: World, names: readonly string[], c: number): number | undefined {
  const answer = world.truthOf(only(world, names))?.answer;
  return answer && answer[c] - Math.max(...answer.filter((_, k) => k !== c));
}

function knownNames({ problem, row }: World): string[] {
  return problem.columns.filter((column) => readCell(column, row) !== undefined).map(({ name }) => name);
}

/** Fails where the class that was decided for is not clearly at the top of what was enumerated. */
function decided(world: World): number | undefined {
  const answer = world.truth?.answer;
  if (!answer) return undefined;
  const c = answer.indexOf(Math.max(...answer));
  return answer.every((p, k) => k === c || answer[c] - p > CLEAR) ? c : undefined;
}

/** The sides of the features, and that no smaller set suffices, by going through all of them. */
function checkExplanation(world: World, why: Explanation): void {
  const c = decided(world);
  const known = knownNames(world);
  if (c === undefined || known.length > FEW) return;
  check(why.prediction === world.classifier.classes[c], `decides for ${why.prediction}`);
  const own = world.truth?.answer[c] as number;
  check(agrees(why.probability, own), `the probability is ${why.probability}, by enumeration ${own}`);
  const prior = world.truthOf({})?.answer[c];
  if (prior !== undefined)
    check(agrees(why.prior, prior), `the prior is ${why.prior}, by enumeration ${prior}`);
  for (const name of known) {
    const without = world.truthOf(
      only(
        world,
        known.filter((other) => other !== name),
      ),
    )?.answer[c];
    if (without === undefined) return;
    if (without < own - CLEAR) check(why.support.includes(name), `${name} supports`);
    if (without > own + CLEAR) check(why.opposing.includes(name), `${name} opposes`);
  }
  if (why.status !== "optimal") return;
  for (const set of subsets(why.support)) {
    if (set.length >= why.sufficient.length) continue;
    const lead = leadGiven(world, [...new Set([...why.opposing, ...set])], c) ?? 0;
    check(lead <= CLEAR, `${set} would suffice, not only ${why.sufficient}`);
  }
}

function subsets(names: readonly string[]): string[][] {
  return names.reduce<string[][]>((all, name) => all.flatMap((set) => [set, [...set, name]]), [[]]);
}

export const explanations = {
  explain: (world, { share, flag }) => {
    const why = explain(world.model, world.row, {
      timeLimit: 0.2,
      ...(flag[0] && { threshold: share[0] }),
      ...(flag[1] && flag[2] && { groups: { all: world.problem.columns.map(({ name }) => name) } }),
      ...(flag[2] && { avoid: [world.problem.columns[0].name] }),
    });
    check(
      why.contributions.every(({ logOdds }) => !Number.isNaN(logOdds)),
      "contributions are numbers",
    );
    check(
      why.support.length + why.opposing.length === why.contributions.length,
      "every feature supports or opposes",
    );
    check(
      why.sufficient.every((name) => why.support.includes(name)),
      "what suffices supports",
    );
    if (flag[0] || flag[2]) return;
    if (why.status === "optimal" && why.tied.length === 0) {
      const given = predict(world.model, only(world, [...new Set([...why.sufficient, ...why.opposing])]));
      const most = Math.max(...world.classifier.classes.map((name) => given[name]));
      check(given[why.prediction] >= most - CLEAR, "what suffices keeps the decision");
    }
    checkExplanation(world, why);
  },
  shapley: (world, { share, flag }) => {
    const found = shapley(world.model, world.row, {
      timeLimit: 0.05,
      ...(flag[0] && { tolerance: share[0] / 10 }),
      ...(flag[1] && { game: "interventional" as const }),
      ...(flag[2] && { scale: "logOdds" as const }),
    });
    const known = knownNames(world);
    check(found.contributions.length === known.length, "every known column has its share");
    const sum = found.contributions.reduce((all, { contribution }) => all + contribution, found.baseline);
    const scale = Math.max(1, Math.abs(found.total), Math.abs(found.baseline));
    check(Math.abs(sum - found.total) <= CLEAR * scale, `the shares come to ${sum}, not ${found.total}`);
    if (flag[1] || flag[2] || !world.truth) return;
    const own = world.truth.answer[world.classifier.classes.indexOf(found.class)];
    check(agrees(found.total, own), `all that is known is worth ${found.total}, by enumeration ${own}`);
  },
  askTree: (world, { whole, flag, share }) => {
    const depth = 1 + (whole[0] % 3);
    const threshold = flag[0] ? Math.max(share[0], 0.01) : 0.95;
    const visit = (node: Questionnaire, left: number): void => {
      check(node.probability >= 0 && node.probability <= 1 + CLEAR, `a probability of ${node.probability}`);
      const branches = node.question?.branches ?? [];
      check(branches.length === 0 || left > 0, "more questions than were asked for");
      const sum = branches.reduce((all, { next }) => all + next.share, 0);
      if (branches.length > 0)
        check(Math.abs(sum - node.share) < CLEAR, `branches of ${sum} below ${node.share}`);
      for (const { next } of branches) visit(next, left - 1);
    };
    visit(askTree(world.model, world.row, { depth, threshold }), depth);
  },
  branchInWords: (_, { real }) => {
    check(branchInWords({ from: real[0], next: END }).endsWith("or more"), "a range without an end");
  },
  shiftMissing: (world, { real, whole }) => {
    const { columns } = world.problem;
    const tilt = Math.max(-100, Math.min(100, real[0] || 0));
    const column = columns[whole[0] % columns.length];
    const shift = column.kind === "categorical" ? { [column.values[0]]: tilt } : tilt;
    const shifted = shiftMissing(world.model, { [column.name]: shift });
    const [own, before] = [shifted, world.model].map((model) => Object.values(predict(model, world.row)));
    const sum = own.reduce((all, p) => all + p, 0);
    check(Math.abs(sum - 1) < CLEAR, `the shifted answer comes to ${sum}`);
    if (knownNames(world).includes(column.name) && Math.abs(tilt) < 3)
      own.forEach((p, k) => {
        const same = agrees(p, before[k]) || near(p, before[k], world.blur);
        check(same, `a known column shifts ${before[k]} to ${p}`);
      });
  },
  sensitivity: (world, { share, flag }) => {
    const { tilts, limit } = sensitivity(world.model, world.row, { ...(flag[0] && { limit: 4 * share[0] }) });
    const known = knownNames(world);
    for (const { column, tilt } of tilts) {
      check(!known.includes(column), `${column} is known`);
      check(tilt === null || Math.abs(tilt) <= limit, `a tilt of ${tilt}`);
    }
  },
  sensitivityInWords: (world) => {
    const words = sensitivityInWords(sensitivity(world.model, world.row));
    check(words.endsWith(".") && !/undefined|NaN|\[object/.test(words.replaceAll("= NaN", "")), words);
  },
  explainInWords: (world) => {
    const text = explainInWords(explain(world.model, world.row, { timeLimit: 0.1 }));
    check(!/undefined|NaN|\[object/.test(text.replaceAll("= NaN", "")), text);
  },
  decisionInWords: (world) => {
    const why = explain(world.model, world.row, { timeLimit: 0.05 });
    const words = decisionInWords(why);
    check(words.endsWith(".") && words.includes(why.prediction), words);
  },
  decide: (_, { real }) => {
    const { class: k, tied } = decide(real);
    check(real[k] >= Math.max(...real) - 1e-12, `decides for ${k} of ${real}`);
    check(tied.length !== 1, "one alone is not tied");
  },
  askNext: (world, { real, flag }) => {
    const costs = flag[0] ? { [world.problem.columns[0].name]: real[0] } : {};
    for (const one of askNext(world.model, world.row, { costs })) {
      const { column, informationGain, changesDecision } = one;
      check(informationGain > -1e-9 && informationGain < 10, `${column} tells ${informationGain}`);
      check(
        changesDecision >= -1e-9 && changesDecision <= 1 + 1e-9,
        `${column} changes the decision with ${changesDecision}`,
      );
      if (world.truth) checkQuestion(world, world.truth, one);
    }
    if (!flag[1]) return;
    const panel = world.problem.columns.slice(0, 2).map(({ name }) => name);
    for (const one of askNext(world.model, world.row, { groups: { "a panel": panel } }))
      check(
        one.informationGain >= 0 && one.informationGain < 10 && one.changesDecision <= 1,
        `${one.column} tells ${one.informationGain}`,
      );
  },
  askPlan: (world, { whole, share, flag }) => {
    const { questions: asked, sameDecision } = askPlan(world.model, world.row, {
      samples: 1 + whole[0],
      enumerate: 200,
      ...(flag[0] && { threshold: share[0] }),
      ...(flag[1] && { most: whole[1] }),
    });
    checkEstimate(sameDecision, "before any question");
    for (const one of asked) {
      checkEstimate(one.sameDecision, `after ${one.column}`);
      check(Number.isFinite(one.informationGain), `${one.column} tells ${one.informationGain}`);
    }
    const names = asked.map(({ column }) => column);
    check(new Set(names).size === names.length, "nothing is asked for twice");
  },
} satisfies Record<string, Entry>;

/** Σ_kv p_kv log( p_kv / (p_k p_v) ), and how often the decision becomes another, by enumeration. */
function checkQuestion(
  world: World,
  { completions, missing, answer }: Truth,
  question: { column: string; informationGain: number; changesDecision: number },
): void {
  const { column, informationGain, changesDecision } = question;
  const i = world.problem.columns.findIndex(({ name }) => name === column);
  if (!missing.includes(i)) return;
  const joint = new Map<number, number[]>();
  for (const one of completions) {
    const own = joint.get(one.atoms[i]) ?? answer.map(() => 0);
    joint.set(
      one.atoms[i],
      own.map((p, k) => p + one.probability * one.answer[k]),
    );
  }
  const named = predict(world.model, world.row);
  const now = decide(world.classifier.classes.map((name) => named[name])).class;
  let [gain, surely, perhaps] = [0, 0, 0];
  for (const p of joint.values()) {
    const share = p.reduce((sum, x) => sum + x, 0);
    if (share === 0) continue;
    p.forEach((x, k) => {
      // A class may be too unlikely for its sum, but not for a part of it; that part is nothing.
      if (x > 0 && answer[k] > 0) gain += x * (Math.log(x) - Math.log(share) - Math.log(answer[k]));
    });
    const lead = (Math.max(...p) - p[now]) / share;
    if (lead > 1e-9) surely += share;
    if (lead > -1e-9 && p.some((x, k) => k !== now && x >= p[now] - 1e-9 * share)) perhaps += share;
  }
  // Probabilities that underflow on one side only cost p log p.
  check(
    Math.abs(informationGain - gain) <= CLEAR,
    `${column} tells ${informationGain}, by enumeration ${gain}`,
  );
  check(
    changesDecision >= surely - CLEAR && changesDecision <= perhaps + CLEAR,
    `${column} changes the decision with ${changesDecision}, by enumeration ${surely} … ${perhaps}`,
  );
}
