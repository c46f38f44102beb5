import { readTrees, type TreeClassifier } from "../../src/index.ts";
import type { TreeJson } from "../../src/trees/tree-builder.ts";

/** Scores of the parity and of the bit that says a little. */
const [PARITY, LITTLE] = [3, 1];

/**
 * Trees over bits that say yes where exactly one of the first two is 1: neither of them tells anything alone.
 *
 * @param names of the bits; all others say nothing
 * @param hinting whether the third says a little, too
 */
export function parityTrees(names: readonly string[], hinting: boolean): TreeClassifier {
  const parity: TreeJson = {
    feature: [0, 1, 1, -1, -1, -1, -1],
    threshold: [0.5, 0.5, 0.5, null, null, null, null],
    left: [1, 3, 5, -1, -1, -1, -1],
    right: [2, 4, 6, -1, -1, -1, -1],
    value: [null, null, null, -PARITY, PARITY, PARITY, -PARITY],
    output: 1,
  };
  const hint: TreeJson = {
    feature: [2, -1, -1],
    threshold: [0.5, null, null],
    left: [1, -1, -1],
    right: [2, -1, -1],
    value: [null, -LITTLE, LITTLE],
    output: 1,
  };
  const trees = hinting ? [parity, hint] : [parity];
  return readTrees(
    { kind: "trees", classes: ["no", "yes"], features: names, link: "softmax", trees },
    { columns: names.map((name) => ({ name, kind: "binary" })) },
  );
}
