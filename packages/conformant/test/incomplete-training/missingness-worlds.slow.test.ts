import { expect, test } from "vitest";
import { type Model, predictColumns, type Row, trainOnIncomplete } from "../../src/index.ts";
import { rowsOf, type World } from "./missingness-worlds.ts";

const DRAWS = 100;
const ROWS = 800;
/** The mixture and the number of rounds are not what is tested. */
const HOW = { label: "y", components: 1, numeric: "gaussian", maxRounds: 2 } as const;

function countTaken(world: World): number {
  let taken = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    const rows = rowsOf(world, ROWS, 1000 + draw);
    if (trainOnIncomplete(rows, { ...HOW, missing: "auto" }).indicators?.taken) taken++;
  }
  return taken;
}

test.each(["by chance", "another value"] as const)(
  "where values are missing by %s, 95 of 100 tables get no weights for missing values",
  (world) => {
    expect(countTaken(world)).toBeLessThanOrEqual(5);
  },
);

test.each(["the value itself", "the outcome"] as const)(
  "where values are missing by %s, 95 of 100 tables get weights, which gain what the right indicator alone gains",
  (world) => {
    expect(countTaken(world)).toBeGreaterThanOrEqual(95);
    const test = rowsOf(world, 20_000, 1);
    const rows = rowsOf(world, 4000, 2);
    const [none, right, chosen] = (["random", ["a"], "auto"] as const).map((missing) =>
      lossOf(trainOnIncomplete(rows, { ...HOW, missing }).model, test),
    );
    expect(none - chosen).toBeGreaterThan(0.9 * (none - right));
    expect(none - right).toBeGreaterThan(0.005);
  },
);

/** Mean −log P(y) of rows as they are. */
function lossOf(model: Model, rows: readonly Row[]): number {
  const { probabilities, classes } = predictColumns(model, rows, { extra: "ignore" });
  const K = classes.length;
  return (
    -rows.reduce((sum, { y }, r) => sum + Math.log(probabilities[r * K + classes.indexOf(String(y))]), 0) /
    rows.length
  );
}
