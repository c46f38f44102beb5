import {
  askNext,
  askPlan,
  classify,
  createClassifier,
  decide,
  decisionInWords,
  drawContributions,
  drawPanels,
  type Estimate,
  expectedPrediction,
  explain,
  explainInWords,
  howSure,
  impute,
  keepsDecision,
  logEvidence,
  logJoint,
  mixtureBetween,
  predict,
  predictColumns,
  sample,
  surprise,
  topByWeight,
  usualRange,
} from "../../../../src/index.ts";
import { isComplete } from "../../../../src/schema/complete-rows.ts";
import { encode } from "../../../../src/schema/encode.ts";
import { enumerate } from "../truth.ts";
import { check, checkProbabilities, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

/** Rounding of enumerated answers, whose scores go up to 1e5 in size. */
const EXACT = 1e-6;

function checkEstimate({ value, lower, upper, method, standardError }: Estimate, what: string): void {
  check(lower <= value && value <= upper, `${what}: ${lower} ≤ ${value} ≤ ${upper} does not hold`);
  if (method === "exact") check(lower === upper, `${what} is exact between ${lower} and ${upper}`);
  if (standardError !== undefined) check(standardError >= 0, `${what} has standard error ${standardError}`);
}

function checkContains(estimate: Estimate, truth: number, what: string): void {
  checkEstimate(estimate, what);
  if (estimate.method !== "sampling")
    check(
      truth >= estimate.lower - EXACT && truth <= estimate.upper + EXACT,
      `${what}: ${truth} is not in ${estimate.lower} … ${estimate.upper}`,
    );
}

/** P(k | row) by enumeration. */
function expectedAnswers({ model, row }: World): number[] | undefined {
  const all = enumerate(model, row);
  return all?.[0].answer.map((_, k) =>
    all.reduce((sum, { probability, answer }) => sum + probability * answer[k], 0),
  );
}

export const questions = {
  predict: (world) => {
    const named = predict(world.model, world.row);
    const answers = world.classifier.classes.map((name) => named[name]);
    checkProbabilities(answers, "predictions");
    const table = encode(world.classifier.schema, [world.row]);
    if (isComplete(table, 0)) {
      const own = classify(world.classifier, world.row);
      check(
        world.classifier.classes.every((name, k) => own[name] === answers[k]),
        "a complete row is the classifier's, bit for bit",
      );
    }
    const truth = expectedAnswers(world);
    if (truth)
      check(
        truth.every((p, k) => Math.abs(p - answers[k]) <= EXACT),
        `predicts ${answers}, enumeration ${truth}`,
      );
  },
  predictColumns: (world, { whole }) => {
    const { probabilities, classes } = predictColumns(world.model, world.data(whole[0]));
    const K = classes.length;
    world.rows.forEach((row, r) => {
      const own = probabilities.subarray(r * K, (r + 1) * K);
      checkProbabilities(own, `predictions of row ${r}`);
      const named = predict(world.model, row);
      const alone = classes.map((name) => named[name]);
      check(
        alone.every((p, k) => near(p, own[k])),
        `row ${r} alone gets ${alone}, among others ${own}`,
      );
    });
  },
  logJoint: (world) => {
    const logs = Object.values(logJoint(world.model, world.row));
    check(
      logs.every((x) => !Number.isNaN(x)),
      `log P(k, y) is ${logs}`,
    );
  },
  logEvidence: (world) => {
    const log = logEvidence(world.model, world.row);
    check(!Number.isNaN(log) && (world.model.block !== undefined || log <= 1e-9), `log P(y) is ${log}`);
  },
  impute: (world) => {
    for (const [name, one] of Object.entries(impute(world.model, world.row))) {
      checkProbabilities(Object.values(one.probabilities), `P(${name})`);
      if (one.kind === "numeric")
        check(
          !Number.isNaN(one.mean) && one.standardDeviation >= 0,
          `${name} is ${one.mean} ± ${one.standardDeviation}`,
        );
      else
        check(Object.hasOwn(one.probabilities, one.mostLikely), `${name} is most likely ${one.mostLikely}`);
    }
  },
  usualRange: (world) => {
    for (const [name, one] of Object.entries(impute(world.model, {})))
      if (one.kind === "numeric") {
        const [low, high] = usualRange(one);
        check(low <= high, `${name} is usually from ${low} to ${high}`);
      }
  },
  mixtureBetween: (world, { real }) => {
    const [from, to] = [Math.min(real[0], real[1]), Math.max(real[0], real[1])];
    for (const one of Object.values(impute(world.model, world.row)))
      if (one.kind === "numeric" && one.density) {
        const p = mixtureBetween(one.density, from, to);
        check(p >= -1e-12 && p <= 1 + 1e-9, `P(${from} … ${to}) = ${p}`);
      }
  },
  sample: (world, { whole }) => {
    const rows = sample(world.model, world.row, { count: whole[0], seed: whole[1] });
    check(rows.length === whole[0], `${rows.length} rows instead of ${whole[0]}`);
    for (const row of rows)
      check(
        isComplete(encode(world.classifier.schema, [row]), 0) || world.table.unseen.length >= 0,
        "drawn rows are complete",
      );
  },
  surprise: (world, { whole, real, flag }) => {
    const {
      logEvidence: own,
      expected,
      share,
    } = surprise(world.model, world.row, {
      samples: 1 + whole[0],
      ...(flag[0] && { reference: real }),
    });
    check(!Number.isNaN(own) && !Number.isNaN(expected), `log P(y) is ${own}, expected ${expected}`);
    checkEstimate(share, "typicality");
    check(share.value >= 0 && share.value <= 1, `typicality ${share.value}`);
  },
  howSure: (world, { whole, share, flag }) => {
    const sure = howSure(world.model, world.row, {
      ...(flag[0] && { level: share[0] }),
      ...(flag[1] && { threshold: share[1] }),
      ...(flag[2] && { class: world.classifier.classes[whole[0] % world.classifier.classes.length] }),
      ...(flag[3] && { enumerate: whole[1] }),
      samples: 50 * (1 + whole[2]),
      seed: whole[3],
    });
    checkEstimate(sure.sameDecision, "the same decision");
    for (const end of sure.interval) checkEstimate(end, "an end of the interval");
    const all = enumerate(world.model, world.row);
    if (!all || flag[1]) return;
    const now = world.classifier.classes.indexOf(sure.prediction);
    // Completions that tie, up to rounding, may count on either side.
    const bounds = [-1e-9, 1e-9].map((tie) =>
      all.reduce(
        (sum, { probability, answer }) =>
          answer.every((p, k) => k === now || answer[now] - p >= tie) ? sum + probability : sum,
        0,
      ),
    );
    const { lower, upper, method, value } = sure.sameDecision;
    if (method !== "sampling")
      check(
        lower <= bounds[0] + EXACT && upper >= bounds[1] - EXACT,
        `the same decision is ${value} (${lower} … ${upper}), by enumeration ${bounds}`,
      );
  },
  expectedPrediction: (world, { whole, real, flag }) => {
    const options = { enumerate: flag[0] ? whole[0] : 16384, samples: 20 * (1 + whole[1]), seed: whole[2] };
    const { classes } = world.classifier;
    const intercept = world.classifier.intercept.map((b, k) =>
      k === 0 ? b : b + (Math.abs(real[0]) < 1e3 ? real[0] : 0),
    );
    const other = createClassifier({ ...world.classifier, intercept });
    const truth = enumerate(world.model, world.row);
    const answers = expectedPrediction(other, world.model, world.row, options);
    const same = intercept.every((b, k) => b === world.classifier.intercept[k]);
    classes.forEach((name, k) => {
      checkEstimate(answers[name], name);
      if (truth && same)
        checkContains(
          answers[name],
          truth.reduce((sum, { probability, answer }) => sum + probability * answer[k], 0),
          name,
        );
    });
    const constant = expectedPrediction(() => 7, world.model, world.row, options);
    check(near(constant.value, 7, 100), `a constant is expected to be ${constant.value}`);
  },
  explain: (world, { share, flag }) => {
    const why = explain(world.model, world.row, {
      timeLimit: 200,
      ...(flag[0] && { atLeast: share[0] }),
      ...(flag[1] && { groups: { all: world.problem.columns.map(({ name }) => name) } }),
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
    if (why.status === "optimal" && !flag[0] && why.tied.length === 0 && !flag[1])
      check(keepsDecision(world.model, world.row, why.sufficient), "what suffices keeps the decision");
  },
  explainInWords: (world) => {
    const text = explainInWords(explain(world.model, world.row, { timeLimit: 100 }));
    check(!/undefined|NaN|\[object/.test(text.replaceAll("= NaN", "")), text);
  },
  decisionInWords: (world) => {
    check(
      decisionInWords(explain(world.model, world.row, { timeLimit: 50 })).endsWith("."),
      "a sentence ends",
    );
  },
  decide: (_, { real }) => {
    const { class: k, tied } = decide(real);
    check(real[k] >= Math.max(...real) - 1e-12, `decides for ${k} of ${real}`);
    check(tied.length !== 1, "one alone is not tied");
  },
  keepsDecision: (world, { whole, share, flag }) => {
    const columns = world.problem.columns.slice(0, whole[0]).map(({ name }) => name);
    const kept = keepsDecision(world.model, world.row, columns, {
      opposing: flag[0],
      ...(flag[1] && { atLeast: share[0] }),
    });
    check(typeof kept === "boolean", "an answer is yes or no");
  },
  topByWeight: (world, { whole }) => {
    check(topByWeight(world.model, world.row, whole[0]).length <= whole[0], "no more than were asked for");
  },
  askNext: (world, { real, flag }) => {
    const costs = flag[0] ? { [world.problem.columns[0].name]: real[0] } : {};
    for (const { column, informationGain, changesDecision } of askNext(world.model, world.row, { costs })) {
      check(informationGain > -1e-9 && informationGain < 10, `${column} tells ${informationGain}`);
      check(
        changesDecision >= -1e-9 && changesDecision <= 1 + 1e-9,
        `${column} changes the decision with ${changesDecision}`,
      );
    }
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
  },
  drawContributions: (world) => {
    const svg = drawContributions(explain(world.model, world.row, { timeLimit: 50 }));
    check(
      svg.startsWith("<svg") && !/="NaN"|="-?Infinity"|="undefined"/.test(svg),
      `a picture: ${svg.slice(0, 400)}`,
    );
  },
  drawPanels: (world) => {
    const explanation = explain(world.model, world.row, { timeLimit: 50 });
    const svg = drawPanels(world.model, [{ row: world.row, explanation }], {
      width: world.problem.columns.length,
      height: 1,
    });
    check(
      svg.startsWith("<svg") && !/NaN|undefined/.test(svg.replace(/<text.*?<\/text>/g, "")),
      `a picture: ${svg.slice(0, 400)}`,
    );
  },
} satisfies Record<string, Entry>;
