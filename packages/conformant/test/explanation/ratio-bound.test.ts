import { describe, expect, it } from "vitest";
import { evidenceOf } from "../../src/additive/evidence.ts";
import { type Goal, slackOf } from "../../src/explanation/goal.ts";
import { RatioBound } from "../../src/explanation/mixture-search.ts";
import { random } from "../../src/math/random.ts";
import { addFeature, logJointOf } from "../../src/predictors/evidence.ts";
import { knownFeatures } from "../../src/predictors/features.ts";
import { DEFAULT_READING, readCells } from "../../src/questions/row-input.ts";
import { randomMixture } from "../support/random-mixture.ts";
import { randomRow } from "../support/random-model.ts";

const n = 8;

describe("the bound on ratios of sums", () => {
  it("never rules out a set that reaches the goal, and often one that does not", () => {
    let [ruledOut, asked] = [0, 0];
    for (let seed = 0; seed < 120; seed++) {
      const classes = 2 + (seed % 3);
      const model = randomMixture({ seed, columns: n, classes, components: 1 + (seed % 4), scale: 0.8 });
      const cells = readCells(model, randomRow(model, random(seed + 500)), DEFAULT_READING);
      const features = knownFeatures(model.schema, cells);
      const evidence = evidenceOf(model, cells, features);
      const kind = seed % 2 === 0 ? "decision" : "probability";
      const goal: Goal = { kind, class: seed % classes, least: random(seed).normal() };
      const free = features.map((_, f) => f);
      const bound = new RatioBound(evidence, goal, [], free);
      const whole = new RatioBound(evidence, goal, [], free);
      whole.prepareWhole(evidence, free);
      bound.prepareTails(evidence, free, n);
      const start = logJointOf(evidence, []);
      // For every tail and every size: whether some set of that size in the tail reaches the goal.
      const reached = Array.from({ length: n + 1 }, () => new Array<boolean>(n + 1).fill(false));
      for (let mask = 0; mask < 2 ** n; mask++) {
        const set = free.filter((f) => (mask >> f) & 1);
        const logJoint = start.slice();
        for (const f of set) addFeature(evidence, logJoint, f);
        if (slackOf(goal, evidence, logJoint) < 0) continue;
        for (let from = 0; from <= (set[0] ?? n); from++) reached[from][set.length] = true;
      }
      for (let from = 0; from <= n; from++) {
        for (let size = 0; size <= n - from; size++) {
          const allowed = bound.allows(start, from, size);
          if (reached[from][size] && !allowed) expect.fail(`seed ${seed}: ${size} from ${from} is ruled out`);
          if (!reached[from][size]) asked++;
          if (!allowed) ruledOut++;
          if (from === 0) expect(whole.allows(start, 0, size)).toBe(allowed);
        }
      }
    }
    expect(ruledOut / asked).toBeGreaterThan(0.6);
  });
});
