import { logJoint, mixtureBetween, usualRange } from "../../../../src/entries/internal.ts";
import { predict as predictSmall } from "../../../../src/entries/predict.ts";
import {
  classify,
  createClassifier,
  type Estimate,
  expectedPrediction,
  howSure,
  type Imputation,
  impute,
  logEvidence,
  predict,
  predictColumns,
  type Row,
  sample,
  surprise,
} from "../../../../src/index.ts";
import { logSum, readCell, type Truth } from "../truth.ts";
import { agrees, check, checkProbabilities, drawnWithin, near, type World } from "../world.ts";
import type { Entry } from "./entry.ts";

export function checkEstimate({ value, lower, upper, method, standardError }: Estimate, what: string): void {
  check(lower <= value && value <= upper, `${what}: ${lower} ≤ ${value} ≤ ${upper} does not hold`);
  if (method === "exact") check(lower === upper, `${what} is exact between ${lower} and ${upper}`);
  if (standardError !== undefined) check(standardError >= 0, `${what} has standard error ${standardError}`);
}

/** Fails where an estimate is not what was enumerated: exactly, within its bounds, or as near as draws come. */
function checkContains(estimate: Estimate, truth: number, what: string, draws: number): void {
  checkEstimate(estimate, what);
  const { lower, upper, value, method } = estimate;
  if (method === "sampling")
    // The variance of a number from 0 to 1 is no larger than that of a coin with the same mean.
    check(
      Math.abs(value - truth) <= drawnWithin(truth, draws),
      `${what}: ${draws} draws give ${value}, not ${truth}`,
    );
  else {
    const slack = 1e-7;
    check(
      truth >= lower - slack && truth <= upper + slack,
      `${what}: ${truth} is not in ${lower} … ${upper}`,
    );
  }
}

/** P(x_i = v | row) by enumeration, per atom. */
function shares({ completions }: Truth, i: number, count: number): number[] {
  const p = new Array<number>(count).fill(0);
  for (const { probability, atoms } of completions) p[atoms[i]] += probability;
  return p;
}

function checkImputation(world: World, truth: Truth, name: string, one: Imputation): void {
  const i = world.problem.columns.findIndex((column) => column.name === name);
  if (!truth.missing.includes(i)) return;
  const { count, values } = world.model.atoms.columns[i];
  const expected = shares(truth, i, count);
  const given = one.kind === "numeric" ? Array.from(one.probabilities) : Object.values(one.probabilities);
  if (one.kind === "discrete") {
    // Objects list names that look like numbers first, so that values are compared as sets.
    const [a, b] = [given, expected].map((all) => [...all].sort((x, y) => x - y));
    check(
      a.every((p, v) => agrees(p, b[v])),
      `P(${name}) is ${a}, by enumeration ${b}`,
    );
    const most = Math.max(...given);
    check(one.probabilities[one.mostLikely] === most, `${name} is most likely ${one.mostLikely}`);
    return;
  }
  check(
    given.every((p, v) => agrees(p, expected[v])),
    `P(${name}) is ${given}, by enumeration ${expected}`,
  );
  const places = Array.from(values ?? []);
  const mean = places.reduce((sum, x, v) => sum + x * expected[v], 0);
  const scale = 1e-7 * (1 + Math.max(...places.map(Math.abs)));
  check(Math.abs(one.mean - mean) <= scale, `${name} has the mean ${one.mean}, by enumeration ${mean}`);
}

export const questions = {
  predict: (world) => {
    const named = predict(world.model, world.row);
    const { classes, schema } = world.classifier;
    const answers = classes.map((name) => named[name]);
    checkProbabilities(answers, "predictions");
    if (schema.columns.every((column) => readCell(column, world.row) !== undefined)) {
      const own = classify(world.classifier, world.row);
      check(
        classes.every((name, k) => own[name] === answers[k]),
        "a complete row is the classifier's, bit for bit",
      );
    }
    const truth = world.truth?.answer;
    if (truth)
      check(
        truth.every((p, k) => agrees(answers[k], p)),
        `predicts ${answers}, by enumeration ${truth}`,
      );
  },
  predictSmall: (world) => {
    const [ours, theirs] = [predictSmall, predict].map((ask) => ask(world.model, world.row));
    check(
      world.classifier.classes.every((name) => Object.is(ours[name], theirs[name])),
      "a small page answers something else",
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
        alone.every((p, k) => near(p, own[k], world.blur)),
        `row ${r} alone gets ${alone}, among others ${own}`,
      );
    });
  },
  logJoint: (world) => {
    const named = logJoint(world.model, world.row);
    const logs = world.classifier.classes.map((name) => named[name]);
    check(
      logs.every((x) => !Number.isNaN(x)),
      `log P(k, y) is ${logs}`,
    );
    check(agrees(logSum(logs), logEvidence(world.model, world.row)), "P(y) is the sum of P(k, y)");
    const truth = world.truth?.logJoint;
    // What cannot be compared is what is all but impossible: logarithms there are differences of large numbers.
    if (truth)
      check(
        truth.every((x, k) => agrees(logs[k], x) || (x < -600 && logs[k] < -600)),
        `log P(k, y) is ${logs}, by enumeration ${truth}`,
      );
  },
  logEvidence: (world) => {
    const log = logEvidence(world.model, world.row);
    check(
      !Number.isNaN(log) && (world.model.gaussianColumns !== undefined || log <= 1e-9),
      `log P(y) is ${log}`,
    );
    const truth = world.truth && logSum(world.truth.logJoint);
    if (truth !== undefined)
      check(agrees(log, truth) || truth < -600, `log P(y) is ${log}, by enumeration ${truth}`);
  },
  impute: (world) => {
    for (const [name, one] of Object.entries(impute(world.model, world.row))) {
      checkProbabilities(Object.values(one.probabilities), `P(${name})`);
      if (one.kind === "numeric")
        check(
          !Number.isNaN(one.mean) && one.standardDeviation >= 0,
          `${name} is ${one.mean} ± ${one.standardDeviation}`,
        );
      if (world.truth) checkImputation(world, world.truth, name, one);
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
        const whole = mixtureBetween(one.density, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
        check(near(whole, 1), `the whole line has ${whole}`);
      }
  },
  sample: (world, { whole, flag }) => {
    const { columns } = world.problem;
    const count = flag[0] && world.truth ? 300 : whole[0];
    const rows = sample(world.model, world.row, { count, seed: whole[1] });
    check(rows.length === count, `${rows.length} rows instead of ${count}`);
    const gaps = columns.map((column) => readCell(column, world.row) === undefined);
    for (const row of rows)
      columns.forEach((column, i) => {
        if (gaps[i]) check(readCell(column, row) !== undefined, `${column.name} is drawn`);
        else check(Object.is(row[column.name], world.row[column.name]), `${column.name} is as it was`);
      });
    if (count === 300 && world.truth) checkDraws(world, world.truth, rows);
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
    check(agrees(own, logEvidence(world.model, world.row)), `log P(y) is ${own}`);
    if (!flag[0] && share.method === "exact" && !world.model.gaussianColumns)
      checkSurprise(world, own, expected);
  },
  howSure: (world, { whole, share, flag }) => {
    const samples = 50 * (1 + whole[2]);
    const sure = howSure(world.model, world.row, {
      ...(flag[0] && { level: share[0] }),
      ...(flag[1] && { threshold: share[1] }),
      ...(flag[2] && { class: world.classifier.classes[whole[0] % world.classifier.classes.length] }),
      ...(flag[3] && { enumerate: whole[1] }),
      samples,
      seed: whole[3],
    });
    checkEstimate(sure.sameDecision, "the same decision");
    for (const end of sure.interval) checkEstimate(end, "an end of the interval");
    const { truth } = world;
    if (!truth || truth.hidden || flag[1]) return;
    const now = world.classifier.classes.indexOf(sure.prediction);
    // Completions that tie, up to rounding, may count on either side.
    const [surely, perhaps] = [1e-9, -1e-9].map((tie) =>
      truth.completions.reduce(
        (sum, { probability, answer }) =>
          answer.every((p, k) => k === now || answer[now] - p >= tie) ? sum + probability : sum,
        0,
      ),
    );
    const { lower, upper, method, value } = sure.sameDecision;
    const slack = method === "sampling" ? drawnWithin((surely + perhaps) / 2, samples) : 1e-7;
    check(
      lower <= perhaps + slack && upper >= surely - slack,
      `the same decision is ${value} (${lower} … ${upper}), by enumeration ${surely} … ${perhaps}`,
    );
  },
  expectedPrediction: (world, { whole, real, flag }) => {
    const draws = 20 * (1 + whole[1]);
    const options = { enumerate: flag[0] ? whole[0] : 16384, samples: draws, seed: whole[2] };
    const { classes } = world.classifier;
    const shift = Math.abs(real[0]) < 30 ? real[0] : 0;
    const intercept = world.classifier.intercept.map((b, k) => (k === 0 ? b : b + shift));
    const other = createClassifier({ ...world.classifier, intercept });
    const answers = expectedPrediction(other, world.model, world.row, options);
    const { truth } = world;
    classes.forEach((name, k) => {
      checkEstimate(answers[name], name);
      if (truth && !truth.hidden) checkContains(answers[name], shifted(truth, shift, k), name, draws);
    });
    const constant = expectedPrediction(() => 7, world.model, world.row, options);
    check(near(constant.value, 7, 100), `a constant is expected to be ${constant.value}`);
  },
} satisfies Record<string, Entry>;

/** The expected answer of the classifier with all intercepts but the first moved. */
function shifted({ completions }: Truth, by: number, k: number): number {
  return completions.reduce((sum, { probability, answer }) => {
    const tilted = answer.map((p, j) => (j === 0 ? p : p * Math.exp(by)));
    return sum + (probability * tilted[k]) / tilted.reduce((all, p) => all + p, 0);
  }, 0);
}

/** Fails where values were drawn much more or less often than they are likely. */
function checkDraws(world: World, truth: Truth, rows: readonly Row[]): void {
  for (const i of truth.missing) {
    const column = world.problem.columns[i];
    const { count, edges } = world.model.atoms.columns[i];
    const own = column.kind === "binned" ? column.edges : edges;
    const seen = new Array<number>(count).fill(0);
    for (const row of rows) {
      const x = readCell(column, row) as number;
      seen[own ? Array.from(own).filter((edge) => edge <= x).length : x] += 1;
    }
    shares(truth, i, count).forEach((p, v) => {
      const share = seen[v] / rows.length;
      check(
        Math.abs(share - p) <= drawnWithin(p, rows.length),
        `${column.name}: atom ${v} was drawn with ${share}, not ${p}`,
      );
    });
  }
}

/** E log P(Y) and P(log P(Y) ≤ log P(y)) over all rows with the same columns known. */
function checkSurprise(world: World, own: number, expected: number): void {
  const all = world.truthOf({});
  if (!all) return;
  const { columns } = world.problem;
  const known = columns.flatMap((column, i) => (readCell(column, world.row) === undefined ? [] : [i]));
  const rows = new Map<string, number>();
  for (const { probability, atoms } of all.completions) {
    const key = known.map((i) => atoms[i]).join();
    rows.set(key, (rows.get(key) ?? 0) + probability);
  }
  const mean = [...rows.values()].reduce((sum, p) => (p > 0 ? sum + p * Math.log(p) : sum), 0);
  check(agrees(expected, mean), `log P(y) is ${own}, expected ${expected}, by enumeration ${mean}`);
}
