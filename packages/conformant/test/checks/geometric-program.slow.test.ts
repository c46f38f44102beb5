import { expect, it } from "vitest";
import { train } from "../../src/index.ts";
import { solveGeometricProgram } from "../oracles/geometric-program.ts";
import { asGeometricProgram, parameterDifference } from "../support/geometric-program.ts";
import { readSplice, spliceFile } from "../support/splice.ts";

it.skipIf(!spliceFile)(
  "the geometric program of Splice has our optimum by operator splitting (SCS) too",
  async () => {
    const data = readSplice();
    const gp = asGeometricProgram(train(data, { label: "y", l2: 10 }), data, data.y as string[], 1);
    const solution = await solveGeometricProgram(gp, "scs");
    expect(solution.status).toBe("solved");
    expect(parameterDifference(gp, solution)).toBeLessThan(1e-5);
  },
);
