import { describe, expect, it } from "vitest";
import { train } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import stiff from "../fixtures/geometric-program/stiff.json" with { type: "json" };
import { type GeometricProgram, solveGeometricProgram } from "../oracles/geometric-program.ts";
import { asGeometricProgram, parameterDifference } from "../support/geometric-program.ts";
import { readSplice, spliceFile } from "../support/splice.ts";

/** The bar of agreement with an independent solver; the interior-point solver itself reaches about 1e-8. */
const AGREEMENT = 1e-5;
/** The paper's footnote: the relaxed sums to one are tight. The solver's own accuracy. */
const TIGHT = 1e-7;

function randomProgram(seed: number): GeometricProgram {
  const g = random(seed);
  const [K, n] = [2 + (seed % 4), 1 + g.integer(12)];
  const classCounts = Array.from({ length: K }, () => 5 + g.integer(60));
  return {
    weights: Array.from({ length: K }, (_, k) =>
      Array.from({ length: n + 1 }, () => (K === 2 && k === 0 ? 0 : 1.5 * g.normal())),
    ),
    classCounts,
    onesPerClass: classCounts.map((count) => Array.from({ length: n }, () => g.integer(count + 1))),
    pseudocount: 1,
  };
}

describe("the paper's geometric program, posed literally", () => {
  it("has the same optimum by an interior-point conic solver (Clarabel), with tight sums", async () => {
    for (let seed = 0; seed < 12; seed++) {
      const gp = randomProgram(seed);
      const solution = await solveGeometricProgram(gp, "clarabel");
      expect(solution.status).toBe("solved");
      expect(solution.slack).toBeLessThan(TIGHT);
      expect(parameterDifference(gp, solution)).toBeLessThan(AGREEMENT);
    }
  });

  it("has the same optimum by an operator-splitting conic solver (SCS), with tight sums", async () => {
    for (let seed = 20; seed < 24; seed++) {
      const gp = randomProgram(seed);
      const solution = await solveGeometricProgram(gp, "scs");
      expect(solution.status).toBe("solved");
      expect(solution.slack).toBeLessThan(TIGHT);
      expect(parameterDifference(gp, solution)).toBeLessThan(AGREEMENT);
    }
  });

  it("has the same optimum where undamped steps would overshoot", async () => {
    for (const gp of stiff) {
      const solution = await solveGeometricProgram(gp, "clarabel");
      // Weights of standard deviation 6 are at the edge of what the conic solver resolves.
      expect(parameterDifference(gp, solution)).toBeLessThan(2 * AGREEMENT);
    }
  });

  it.skipIf(!spliceFile)(
    "has the same optimum on the authors' Splice data, 240 bits and 3 classes",
    { timeout: 120_000 },
    async () => {
      const data = readSplice();
      const classifier = train(data, { label: "y", l2: 10 });
      expect(classifier.training?.status).toBe("converged");
      const gp = asGeometricProgram(classifier, data, data.y as string[], 1);
      const solution = await solveGeometricProgram(gp, "clarabel");
      expect(solution.status).toBe("solved");
      expect(solution.slack).toBeLessThan(TIGHT);
      expect(parameterDifference(gp, solution)).toBeLessThan(AGREEMENT);
    },
  );
});
