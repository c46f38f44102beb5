import { describe, expect, test } from "vitest";
import {
  type Calibration,
  calibrate,
  type Model,
  predict,
  predictionSet,
  predictionSets,
  type Random,
  type Row,
} from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";
import { randomTreeModel, randomTreeRows } from "../support/random-trees.ts";

/** Answers that differ by less are the same, as everywhere in the library. */
const TIED = 1e-12;
/** The step of draws that go through all of [0, 1) evenly. */
const STEP = 1 / 64;

/** Rows with a class drawn from the model's own answer, some cells missing. */
function labelledRows(model: Model, complete: readonly Row[], g: Random, gaps: number): Row[] {
  return complete.map((row) => {
    const answer = Object.entries(predict(model, row));
    const draw = g.uniform();
    const upTo = (k: number): number => answer.slice(0, k + 1).reduce((sum, [, p]) => sum + p, 0);
    const [label] = answer.find((_, k) => upTo(k) >= draw) ?? answer[answer.length - 1];
    return { ...withGaps(row, g, gaps), label };
  });
}

function withGaps(row: Row, g: Random, share: number): Row {
  return Object.fromEntries(Object.entries(row).filter(() => g.uniform() >= share));
}

/** The sets by their definition: the label's probability of each calibration row that knows what the row knows, and of it only that. */
function byDefinition(model: Model, rows: readonly Row[], row: Row, coverage: number): string[] {
  const known = Object.keys(row);
  const scores = rows
    .filter((other) => known.every((name) => other[name] !== undefined))
    .map((other) => {
      const masked = Object.fromEntries(known.map((name) => [name, other[name]]));
      return predict(model, masked)[String(other.label)];
    })
    .sort((a, b) => b - a);
  const rank = Math.ceil(Number(((scores.length + 1) * coverage).toFixed(9)));
  const answer = Object.entries(predict(model, row));
  const most = Math.max(...answer.map(([, p]) => p));
  return answer
    .filter(([, p]) => rank > scores.length || p >= scores[rank - 1] - TIED || p === most)
    .map(([name]) => name)
    .sort();
}

interface World {
  readonly model: Model;
  readonly complete: (count: number, g: Random) => Row[];
}

const worlds: Readonly<Record<string, (seed: number) => World>> = {
  "one component": (seed) => {
    const model = randomModel({ seed, columns: 4, classes: 3 });
    return { model, complete: (count, g) => Array.from({ length: count }, () => randomRow(model, g)) };
  },
  "a mixture": (seed) => {
    const model = randomMixture({ seed, columns: 4, classes: 2, components: 3 });
    return { model, complete: (count, g) => Array.from({ length: count }, () => randomRow(model, g)) };
  },
  "a Gaussian block": (seed) => ({
    model: randomGaussianModel({ seed, numbers: 3, classes: 3, components: 2 }),
    complete: (count, g) => Array.from({ length: count }, () => randomGaussianRow(3, g)),
  }),
  trees: (seed) => ({
    model: randomTreeModel(
      seed,
      { link: "softmax", classes: 3, trees: 6, depth: 2 },
      { components: 2, numeric: "atoms", bins: 4 },
    ).model,
    complete: (count, g) => randomTreeRows(g, count),
  }),
};

describe.each(Object.entries(worlds))("sets of %s", (_, create) => {
  test("hold the classes that the definition says", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const g = random(seed);
      const { model, complete } = create(seed);
      const rows = labelledRows(model, complete(40, g), g, 0.15);
      const calibration = calibrate(model, rows, { label: "label" });
      for (const row of complete(6, g).map((own) => withGaps(own, g, 0.4)))
        for (const coverage of [0.5, 0.8, 0.9]) {
          const { classes } = predictionSet(model, calibration, row, { coverage });
          expect([...classes].sort()).toEqual(byDefinition(model, rows, row, coverage));
        }
    }
  });

  // The theorem behind it holds for any rows: of n + 1 of them, each held against the others, at least ⌈(n + 1) · coverage⌉ are covered.
  test("cover what they promise, whatever the rows", () => {
    for (let seed = 1; seed <= 3; seed++) {
      const g = random(100 + seed);
      const { model, complete } = create(seed);
      const known = Object.keys(withGaps(complete(1, g)[0], g, 0.5));
      const rows = labelledRows(model, complete(25, g), g, 0);
      for (const coverage of [0.6, 0.9]) {
        const covered = rows.filter((row, r) => {
          const calibration = without(model, rows, r);
          const masked = Object.fromEntries(known.map((name) => [name, row[name]]));
          return predictionSet(model, calibration, masked, { coverage }).classes.includes(String(row.label));
        });
        expect(covered.length).toBeGreaterThanOrEqual(Math.ceil(rows.length * coverage - TIED));
      }
    }
  });

  test("cover exactly what they promise where draws decide about the border", () => {
    const g = random(7);
    const { model, complete } = create(7);
    const rows = labelledRows(model, complete(15, g), g, 0);
    const coverage = 0.8;
    let [covered, asked] = [0, 0];
    rows.forEach((row, r) => {
      const calibration = without(model, rows, r);
      for (let draw = STEP / 2; draw < 1; draw += STEP) {
        const randomized = { ...random(0), uniform: () => draw };
        const { classes } = predictionSet(model, calibration, {}, { coverage, randomized });
        asked++;
        if (classes.includes(String(row.label))) covered++;
      }
    });
    expect(Math.abs(covered / asked - coverage)).toBeLessThan(STEP);
  });
});

function without(model: Model, rows: readonly Row[], r: number): Calibration {
  return calibrate(
    model,
    rows.filter((_, other) => other !== r),
    { label: "label" },
  );
}

describe("a set", () => {
  const model = randomModel({ seed: 5, columns: 3, classes: 3 });
  const g = random(5);
  const complete = Array.from({ length: 30 }, () => randomRow(model, g));
  const rows = labelledRows(model, complete, g, 0);
  const calibration = calibrate(model, rows, { label: "label" });

  test("holds every class where too few calibration rows know the same columns, and says so", () => {
    const few = calibrate(model, rows.slice(0, 8), { label: "label" });
    const set = predictionSet(model, few, complete[0], { coverage: 0.9 });
    expect(set).toMatchObject({ calibrationRows: 8, enough: false });
    expect(set.classes).toHaveLength(3);
    expect(predictionSet(model, calibration, complete[0], { coverage: 0.9 }).enough).toBe(true);
  });

  test("grows with the coverage, begins with the prediction, and is never empty without draws", () => {
    for (const row of complete.slice(0, 5)) {
      let last: readonly string[] = [];
      for (const coverage of [0.01, 0.3, 0.6, 0.9, 0.97]) {
        const { classes } = predictionSet(model, calibration, row, { coverage });
        const answer = Object.entries(predict(model, row)).sort(([, a], [, b]) => b - a);
        expect(classes[0]).toBe(answer[0][0]);
        expect(classes.slice(0, last.length)).toEqual(last);
        last = classes;
      }
    }
  });

  test("of many rows at once is the set of each", () => {
    const incomplete = complete.map((row) => withGaps(row, g, 0.4));
    const { members, calibrationRows, classes } = predictionSets(model, calibration, incomplete);
    incomplete.forEach((row, r) => {
      const one = predictionSet(model, calibration, row);
      const own = classes.filter((_, k) => members[r * classes.length + k] === 1);
      expect([...one.classes].sort()).toEqual([...own].sort());
      expect(one.calibrationRows).toBe(calibrationRows[r]);
    });
  });

  test("is refused with a coverage that is none, of another model, or by a label that is not there", () => {
    for (const coverage of [0, 1, 90, Number.NaN])
      expectError(
        () => predictionSet(model, calibration, {}, { coverage }),
        "invalid-argument",
        /^options\.coverage must be a probability between 0 and 1/,
      );
    const other = randomModel({ seed: 6, columns: 3, classes: 3 });
    expectError(() => predictionSet(other, calibration, {}), "calibration-mismatch", /is for a model with/);
    expectError(() => calibrate(model, rows), "invalid-argument", /^options\.label/);
    expectError(() => calibrate(model, complete, { label: "nobody" }), "empty-data", /no row has a class/);
    expectError(
      () => calibrate(model, [{ label: "class 9" }], { label: "label" }),
      "unknown-class",
      /expected "class 0".*got "class 9"/,
    );
  });

  test("leaves out calibration rows without a class", () => {
    const some = [...rows, { ...complete[0], label: null }];
    expect(calibrate(model, some, { label: "label" }).labels).toHaveLength(rows.length);
  });
});
