import { describe, expect, it } from "vitest";
import { explain, type Model, predict, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { smallestCover } from "../oracles/smallest-cover.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** log P(c | row) − log P(r | row) for every other class r of class c. */
function margins(model: Model, row: Row, c: string): number[] {
  const { [c]: own, ...others } = predict(model, row);
  return Object.values(others).map((p) => Math.log(own) - Math.log(p));
}

function only(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, row[name]]));
}

describe("sufficient explanations of wide rows", () => {
  for (const [columns, classes, scale] of [
    [40, 3, 0.5],
    [80, 5, 0.4],
    [120, 10, 0.3],
  ]) {
    it(`are as small as integer programming finds them: ${columns} columns, ${classes} classes`, async () => {
      for (let seed = 0; seed < 4; seed++) {
        const model = randomModel({ seed, columns, classes, scale });
        const row = randomRow(model, random(seed + 500));
        const found = explain(model, row, { timeLimit: 15 });
        const c = found.prediction;
        const start = margins(model, only(row, found.opposing), c);
        // What each support column adds to the margins does not depend on the others.
        const gains = found.support.map((name) =>
          margins(model, only(row, [...found.opposing, name]), c).map((m, r) => m - start[r]),
        );
        const needs = start.map((m) => 1e-9 - m);
        const size = await smallestCover({ gains: start.map((_, r) => gains.map((g) => g[r])), needs });
        expect(found.status).toBe("optimal");
        expect(found.sufficient.length).toBe(size);
        const kept = margins(model, only(row, [...found.opposing, ...found.sufficient]), c);
        expect(Math.min(...kept)).toBeGreaterThan(0);
      }
    });
  }
});
