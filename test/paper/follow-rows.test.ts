import { conform, predictColumns, random, type Table, train } from "conformant";
import { classifyImputed, fitConstants } from "conformant-workbench/baselines";
import { describe, expect, it } from "vitest";
import { classifierOfBits, toBits } from "../../paper/protocol/bits.ts";
import { drawRemoval, removeColumns } from "../../paper/protocol/removal.ts";
import { scoresOfModel, scoresWithConstants } from "../../paper/protocol/scores/additive-scores.ts";
import { followRows, startFollowing } from "../../paper/protocol/scores/follow-rows.ts";
import { score } from "../../paper/protocol/scores/metrics.ts";

/** Sums of a hundred terms in another order. */
const ROUNDING = 1e-9;

const ROWS = 400;
const COLORS = ["red", "green", "blue"];

/** A categorical and four binary columns, of which the class is a noisy sum; two cells are unknown. */
function makeTable(seed: number, withLabel: boolean): Table {
  const g = random(seed);
  const color = Int8Array.from({ length: ROWS }, () => g.integer(3));
  const bits = Array.from({ length: 4 }, (_, i) =>
    Int8Array.from({ length: ROWS }, (_, r) => Number(g.uniform() < 0.2 + 0.2 * color[r] + 0.05 * i)),
  );
  const label = Int8Array.from({ length: ROWS }, (_, r) =>
    Math.min(2, Math.floor((color[r] + bits[0][r] + 2 * g.uniform()) / 1.5)),
  );
  if (!withLabel) color[3] = bits[1][5] = -1;
  return {
    schema: {
      columns: [
        { name: "color", kind: "categorical", values: COLORS },
        ...bits.map((_, i) => ({ name: `bit${i}`, kind: "binary" as const })),
        ...(withLabel ? [{ name: "class", kind: "categorical" as const, values: ["a", "b", "c"] }] : []),
      ],
    },
    rows: ROWS,
    columns: [color, ...bits, ...(withLabel ? [label] : [])],
    unseen: [],
  };
}

const training = makeTable(1, true);
const test = makeTable(2, false);
const classifier = train(training, { label: "class", l2: 1 });
const K = 3;
const model = conform(classifier, training);
const bits = toBits(training, "class");
const withoutLabel = { ...bits, schema: { columns: bits.schema.columns.slice(0, -1) } };
const bitModel = conform(classifierOfBits(classifier, withoutLabel), bits);
const means = fitConstants(classifier.schema, training, "mean");

/** Each additive method beside the library's own answer. */
const METHODS = {
  constants: {
    scores: scoresWithConstants(classifier, means.constants ?? new Float64Array()),
    predict: (rows: Table) => classifyImputed(classifier, means, rows).probabilities,
  },
  "a model of columns": {
    scores: scoresOfModel(model, test.schema),
    predict: (rows: Table) => predictColumns(model, rows).probabilities,
  },
  "a model of one-hot bits": {
    scores: scoresOfModel(bitModel, test.schema),
    predict: (rows: Table) => predictColumns(bitModel, toBits(rows)).probabilities,
  },
};

describe.each(Object.entries(METHODS))("followed from gap to gap, %s", (_, { scores, predict }) => {
  // The second group overlaps the third, as groups of the authors' CovType do.
  const groups = [[0], [1, 2], [2, 3], [4]];
  const removal = drawRemoval(ROWS, groups, 7);
  const full = predictColumns(model, test).probabilities;
  const truth = Int32Array.from({ length: ROWS }, (_, r) => r % K);

  it("scores as the library does at every number of missing groups", () => {
    const missing = [0, 1, 2, 3, 4];
    const [followed] = followRows(startFollowing(test, [scores]), removal, missing, {
      full,
      truth,
      added: 0,
    });
    missing.forEach((count, at) => {
      const own = score(full, predict(removeColumns(test, removal, count)), truth, K);
      expect(Math.abs(followed[at].crossEntropy - own.crossEntropy)).toBeLessThan(ROUNDING);
      expect(followed[at].accuracy).toBe(own.accuracy);
      expect(followed[at].weightedF1).toBe(own.weightedF1);
    });
  });
});
