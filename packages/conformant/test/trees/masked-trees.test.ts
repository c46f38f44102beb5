import { afterEach, describe, expect, it, vi } from "vitest";
import { readTrees } from "../../src/index.ts";
import { fastContext } from "../../src/kernels/context.ts";
import { plainFitKernels } from "../../src/kernels/plain-fitting.ts";
import { random } from "../../src/math/random.ts";
import { leafMasks } from "../../src/trees/leaf-masks.ts";
import { MaskedTrees } from "../../src/trees/masked-trees.ts";
import { PrunedTrees } from "../../src/trees/pruned-trees.ts";
import type { TreeClassifier } from "../../src/trees/tree-ensemble.ts";
import { randomTreesJson, TREE_SCHEMA } from "../support/random-trees.ts";

/** Depth 4 has at most 16 leaves, depth 7 up to 128 in four words. */
const ENSEMBLES = [
  { link: "logistic", trees: 40, depth: 4 },
  { link: "softmax", classes: 3, trees: 30, depth: 7 },
  { link: "probability", classes: 3, trees: 20, depth: 5 },
  { link: "logistic", trees: 150, depth: 6 },
] as const;

afterEach(() => vi.restoreAllMocks());

describe("trees as bit masks", () => {
  it("leave the same trees, columns, nodes and leaves open as walks down the trees, and add up the same sums to the last bit", () => {
    ENSEMBLES.forEach((options, seed) => {
      const { trees, walked, g } = ensemble(seed, options);
      const masked = new MaskedTrees(trees, masksOf(trees));
      for (let r = 0; r < 40; r++) {
        const x = partOfRow(g);
        walked.prune(x);
        masked.prune(x);
        expect(masked.open).toBe(walked.open);
        expect(masked.columns).toEqual(walked.columns);
        expect([...masked.start]).toEqual([...walked.start]);
        expect([...masked.leavesLeft()].sort()).toEqual([...walked.leavesLeft()].sort());
        for (const i of masked.columns)
          expect([...masked.splitsOn(i)].sort()).toEqual([...walked.splitsOn(i)].sort());
        const values = TREE_SCHEMA.columns.map((_, i) =>
          Float64Array.from({ length: 300 }, () => cell(i, g)),
        );
        const sums = [walked, masked].map((own) => {
          const out = new Float64Array(300 * own.start.length);
          own.addUp(values, 300, out);
          return out;
        });
        expect([...sums[1]]).toEqual([...sums[0]]);
      }
    });
  });

  it("add up the same sums without WebAssembly", () => {
    const { trees, g } = ensemble(1, ENSEMBLES[1]);
    const x = partOfRow(g).fill(Number.NaN);
    const values = TREE_SCHEMA.columns.map((_, i) => Float64Array.from({ length: 50 }, () => cell(i, g)));
    const sums = (): number[] => {
      const masked = new MaskedTrees(trees, masksOf(trees));
      masked.prune(x);
      const out = new Float64Array(50 * masked.start.length);
      masked.addUp(values, 50, out);
      return [...out];
    };
    const fast = sums();
    vi.spyOn(fastContext, "use").mockImplementation((_, use) => use(plainFitKernels));
    expect(sums()).toEqual(fast);
  });

  it("are not made of trees with more than 128 leaves", () => {
    const { trees } = ensemble(5, { link: "logistic", trees: 3, depth: 11 });
    expect(leafMasks(trees)).toBeUndefined();
  });
});

function ensemble(
  seed: number,
  options: Parameters<typeof randomTreesJson>[1],
): { trees: TreeClassifier; walked: PrunedTrees; g: ReturnType<typeof random> } {
  const g = random(seed);
  const trees = readTrees(randomTreesJson(g, options), TREE_SCHEMA);
  return { trees, walked: new PrunedTrees(trees), g };
}

function masksOf(trees: TreeClassifier): NonNullable<ReturnType<typeof leafMasks>> {
  const masks = leafMasks(trees);
  if (!masks) throw new Error("these trees have no masks");
  return masks;
}

/** Age, smoker, city, dose. */
function cell(i: number, g: ReturnType<typeof random>): number {
  return i === 1 ? g.integer(2) : i === 2 ? g.integer(3) : g.normal();
}

function partOfRow(g: ReturnType<typeof random>): Float64Array {
  return Float64Array.from(TREE_SCHEMA.columns, (_, i) => (g.uniform() < 0.5 ? Number.NaN : cell(i, g)));
}
