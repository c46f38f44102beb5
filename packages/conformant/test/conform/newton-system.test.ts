import { describe, expect, it } from "vitest";
import {
  type ConformProblem,
  holdProblem,
  poseProblem,
  roomToHold,
  tiltAtoms,
} from "../../src/conform/conform-problem.ts";
import { NewtonSystem } from "../../src/conform/newton-system.ts";
import { Objective } from "../../src/conform/objective.ts";
import { fastContext } from "../../src/kernels/context.ts";
import type { FitKernels } from "../../src/kernels/kernels.ts";
import { plainFitKernels } from "../../src/kernels/plain-fitting.ts";
import { random } from "../../src/math/random.ts";

/** Beside another way to the same sums: some hundred roundings. */
const ROUNDING = 1e-12;

/** Columns of 1 to 12 atoms, every fifth of them with scores that no exponential holds, for 1 to 7 classes; some atoms have no probability. */
function drawProblem(seed: number): { problem: ConformProblem; u: Float64Array } {
  const g = random(seed);
  const [n, K] = [1 + g.integer(40), 1 + g.integer(7)];
  const counts = Array.from({ length: n }, () => 1 + g.integer(12));
  const columns = counts.map((count) => ({ count }));
  const offsets = Int32Array.from([0, ...counts.keys()], (_, i) =>
    counts.slice(0, i).reduce((sum, count) => sum + count, 0),
  );
  const scores = counts.flatMap((count, i) =>
    Array.from({ length: count * K }, () => (i % 5 === 4 ? 400 : 2) * g.normal()),
  );
  const out = (j: number): boolean => j % 7 === 3 && !offsets.includes(j);
  const atoms = offsets[n];
  const seen = Float64Array.from({ length: atoms }, (_, j) => (out(j) ? 0 : 1 + g.integer(50)));
  const tilted = tiltAtoms({ columns, offsets, scores: Float64Array.from(scores) }, K);
  const intercept = Float64Array.from({ length: K }, () => g.normal());
  const pseudocount = seed % 3 === 0 ? 0 : 1;
  const problem = poseProblem(tilted, intercept, seen, 200, pseudocount);
  const u = problem.target.map((mass) => Math.log(mass) + g.normal());
  return { problem, u };
}

function solved(kernels: FitKernels, { problem, u }: ReturnType<typeof drawProblem>) {
  const held = holdProblem(problem, kernels);
  const [objective, system] = [new Objective(held), new NewtonSystem(held)];
  const here = objective.evaluate(u);
  const residual = objective.residuals(here);
  const direction = system.direction(here, residual).slice();
  const away = objective.evaluate(
    u.map((x, j) => x - 0.1 * direction[j]),
    here,
  );
  return {
    value: here.value,
    prior: [...here.prior],
    residual: [...residual],
    direction: [...direction],
    away: [away.value, ...away.prior],
  };
}

describe("Newton's method on columns of atoms", () => {
  it("is the same to the last bit by WebAssembly as by plain loops", () => {
    for (let seed = 0; seed < 60; seed++) {
      const drawn = drawProblem(seed);
      const room =
        roomToHold(drawn.problem) + Objective.room(drawn.problem) + NewtonSystem.room(drawn.problem);
      const fast = fastContext.use(room, (kernels) => solved(kernels, drawn));
      expect(fast).toEqual(solved(plainFitKernels, drawn));
    }
  });

  it("evaluates the objective as its definition says, with logarithms of sums of exponentials", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { problem, u } = drawProblem(seed);
      const { atoms, intercept, target, smoothing, total } = problem;
      const K = intercept.length;
      const logZ = (i: number, k: number): number => {
        const own = Array.from(
          u.subarray(atoms.offsets[i], atoms.offsets[i + 1]),
          (x, v) => x + atoms.scores[(atoms.offsets[i] + v) * K + k],
        );
        const most = Math.max(...own);
        return most + Math.log(own.reduce((sum, x) => sum + Math.exp(x - most), 0));
      };
      const logits = Array.from(intercept, (b, k) => smoothing.reduce((sum, _, i) => sum + logZ(i, k), b));
      const most = Math.max(...logits);
      let value = total * (most + Math.log(logits.reduce((sum, x) => sum + Math.exp(x - most), 0)));
      smoothing.forEach((d, i) => {
        for (let k = 0; k < K; k++) value += d * logZ(i, k);
      });
      target.forEach((mass, j) => {
        if (mass > 0) value -= mass * u[j];
      });
      const found = new Objective(holdProblem(problem, plainFitKernels)).evaluate(u).value;
      expect(Math.abs(found - value)).toBeLessThan(ROUNDING * (1 + Math.abs(most)));
    }
  });
});
