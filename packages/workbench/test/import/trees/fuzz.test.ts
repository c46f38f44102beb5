import { expect, test } from "vitest";
import { TREE_FILES } from "./tree-files.ts";
import { answersOf, ROWS, tryMutatedFiles } from "./try-mutated-files.ts";

/** XGBoost and ONNX have their numbers in single precision. */
const SINGLE = 1e-6;
/** Changed files per format; 10,000 in the slow test. */
const MUTATIONS = 300;

const formats = Object.keys(TREE_FILES);

test.each(formats)("the same trees answer alike, whichever format they stand in: %s", (format) => {
  const { name, boosted, forest } = TREE_FILES[format];
  const expected = TREE_FILES["trees JSON"];
  const pairs = [
    [boosted, expected.boosted],
    [forest, expected.forest],
  ];
  for (const [file, like] of pairs) {
    if (!file || !like) continue;
    const [own, known] = [answersOf(name, file), answersOf(expected.name, like)];
    expect(own.length).toBeGreaterThanOrEqual(2 * ROWS.length);
    expect(Math.max(...own.map((p, j) => Math.abs(p - known[j])))).toBeLessThan(SINGLE);
  }
});

test.each(formats)(
  "changed files give a clear error or trees that answer: %s",
  { timeout: 60_000 },
  (format) => {
    const { refused, read } = tryMutatedFiles(format, MUTATIONS, 22);
    expect(read).toBeGreaterThan(MUTATIONS / 100); // otherwise only the first checks were tried
    expect(refused).toBeGreaterThan(MUTATIONS / 5);
  },
);
