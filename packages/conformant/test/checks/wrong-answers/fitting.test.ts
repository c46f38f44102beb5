import { type Column, conformMixture, type Row, random, readTrees } from "conformant";
import { startMixture } from "conformant/remote";
import { describe, expect, it } from "vitest";

describe("the choice of a mixture for trees whose rows stay elsewhere", () => {
  const columns = ["p", "q", "r"].map((name): Column => ({ name, kind: "binary" }));
  const trees = readTrees(
    {
      kind: "trees",
      classes: ["no", "yes"],
      features: ["p", "q", "r"],
      link: "logistic",
      trees: [
        {
          feature: [0, 1, 1, -1, -1, -1, -1],
          threshold: [0.5, 0.5, 0.5, null, null, null, null],
          left: [1, 3, 5, -1, -1, -1, -1],
          right: [2, 4, 6, -1, -1, -1, -1],
          value: [null, null, null, -3, 3, 3, -3],
        },
      ],
    },
    { columns },
  );
  const g = random(1);
  const rows = Array.from({ length: 200 }, (): Row => {
    const p = g.integer(2);
    return { p, q: g.uniform() < 0.8 ? p : 1 - p, r: g.integer(2) };
  });

  it("scores candidates by the trees' answers to masked rows, as the choice in memory does", () => {
    const options = { most: 2, numeric: "atoms" } as const;
    const here = conformMixture(trees, rows, options).certificate.choice;
    const { choice } = startMixture(trees, rows, rows.length, options);
    expect(here?.curve[0].crossEntropy).toBeGreaterThan(0);
    expect(choice?.curve.map(({ crossEntropy }) => crossEntropy)).toEqual(
      here?.curve.map(({ crossEntropy }) => crossEntropy),
    );
  });
});
