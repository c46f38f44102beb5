import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimise, type Objective } from "../../src/math/lbfgs.ts";

import { random } from "../../src/math/random.ts";

/** What the gradient is brought below in these tests: far below the values' rounding, which only slopes can reach. */
const TIGHT = 1e-10;
const settings = { tolerance: TIGHT, maxIterations: 1000 };

/** ½ Σ_j scale_j (x_j − center_j)². */
function bowl(scale: readonly number[], center: readonly number[], height = 0): Objective {
  return (x, gradient) => {
    let value = height;
    for (let j = 0; j < x.length; j++) {
      gradient[j] = scale[j] * (x[j] - center[j]);
      value += (gradient[j] * (x[j] - center[j])) / 2;
    }
    return value;
  };
}

/** Rosenbrock's curved valley, minimal at (1, 1). */
const valley: Objective = (x, gradient) => {
  const [a, b] = [1 - x[0], x[1] - x[0] ** 2];
  gradient[0] = -2 * a - 400 * x[0] * b;
  gradient[1] = 200 * b;
  return a ** 2 + 100 * b ** 2;
};

function counted(objective: Objective) {
  const count = { evaluations: 0 };
  const counting: Objective = (x, gradient) => {
    count.evaluations++;
    return objective(x, gradient);
  };
  return { count, counting };
}

describe("minimise", () => {
  it("finds the bottom of a curved valley", () => {
    const found = minimise(valley, Float64Array.of(-1.2, 1), settings);
    expect(found.status).toBe("converged");
    expect(found.gradientNorm).toBeLessThanOrEqual(TIGHT);
    expect(found.point[0]).toBeCloseTo(1, 9);
    expect(found.point[1]).toBeCloseTo(1, 9);
  });

  it("finds the bottom of any bowl whose axes differ by up to a million", () => {
    const axis = fc.record({
      scale: fc.double({ min: -3, max: 3, noNaN: true }).map((e) => 10 ** e),
      center: fc.double({ min: -100, max: 100, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(axis, { minLength: 1, maxLength: 6 }), (axes) => {
        const objective = bowl(
          axes.map((a) => a.scale),
          axes.map((a) => a.center),
        );
        const found = minimise(objective, new Float64Array(axes.length), settings);
        expect(found.status).toBe("converged");
        axes.forEach(({ scale, center }, j) => {
          expect(Math.abs(found.point[j] - center) * scale).toBeLessThanOrEqual(TIGHT);
        });
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it("goes on where values no longer differ and only slopes tell", () => {
    // Near the bottom the value is 1e6 to the last bit, where x is still 1e-5 off.
    const found = minimise(bowl([1, 30], [3, -2], 1e6), new Float64Array(2), settings);
    expect(found.status).toBe("converged");
    expect(Math.abs(found.point[0] - 3)).toBeLessThanOrEqual(TIGHT);
  });

  it("takes one step where the guess of the inverse Hessian is exact", () => {
    const scale = [1e-3, 1, 1e3];
    const precondition = (v: Float64Array) => divide(v, scale);
    const { count, counting } = counted(bowl(scale, [1, 2, 3]));
    const found = minimise(counting, new Float64Array(3), { ...settings, precondition });
    expect(found).toMatchObject({ status: "converged", iterations: 1 });
    expect(count.evaluations).toBe(2);
  });

  it("needs fewer iterations with a rough guess than with none", () => {
    const g = random(1);
    const scale = Array.from({ length: 50 }, () => 10 ** (4 * g.uniform() - 2));
    const objective = bowl(
      scale,
      scale.map(() => g.normal()),
    );
    const rough = scale.map((s) => s * (1 + g.uniform()));
    const precondition = (v: Float64Array) => divide(v, rough);
    const plain = minimise(objective, new Float64Array(50), settings);
    const guided = minimise(objective, new Float64Array(50), { ...settings, precondition });
    expect([plain.status, guided.status]).toEqual(["converged", "converged"]);
    expect(guided.iterations).toBeLessThan(plain.iterations / 4);
  });

  it("leaves the start alone, and stops at once where it is the minimum", () => {
    const start = Float64Array.of(5, 5);
    minimise(valley, start, settings);
    expect([...start]).toEqual([5, 5]);
    const done = minimise(valley, Float64Array.of(1, 1), settings);
    expect(done).toMatchObject({ status: "converged", iterations: 0, value: 0, gradientNorm: 0 });
  });

  it("says when the iterations run out, and where it is then", () => {
    const found = minimise(valley, Float64Array.of(-1.2, 1), { tolerance: TIGHT, maxIterations: 5 });
    expect(found).toMatchObject({ status: "iteration-limit", iterations: 5 });
    const gradient = new Float64Array(2);
    expect(valley(found.point, gradient)).toBe(found.value);
    expect(Math.max(...gradient.map(Math.abs))).toBe(found.gradientNorm);
    expect(found.gradientNorm).toBeGreaterThan(TIGHT);
  });

  it("never calls it converged where it is not: without bottom, without slope, not a number", () => {
    const slide: Objective = (x, gradient) => {
      gradient[0] = -1;
      return -x[0];
    };
    expect(minimise(slide, new Float64Array(1), settings).status).not.toBe("converged");
    const wrongGradient: Objective = (x, gradient) => {
      gradient[0] = -2 * x[0] - 1;
      return x[0] ** 2;
    };
    expect(minimise(wrongGradient, Float64Array.of(3), settings).status).toBe("stalled");
    const broken: Objective = (_, gradient) => {
      gradient[0] = Number.NaN;
      return Number.NaN;
    };
    expect(minimise(broken, new Float64Array(1), settings).status).toBe("stalled");
  });

  it("gives up as stalled where rounding keeps the gradient above the tolerance", () => {
    const found = minimise(bowl([1, 3], [1 / 3, 1e8 / 7]), new Float64Array(2), {
      tolerance: 0,
      maxIterations: 100_000,
    });
    expect(found.status === "stalled" || found.gradientNorm === 0).toBe(true);
    expect(found.iterations).toBeLessThan(200);
  });

  it("steps back from where the objective is infinite", () => {
    const barrier: Objective = (x, gradient) => {
      gradient[0] = 1 - 1 / x[0];
      return x[0] > 0 ? x[0] - Math.log(x[0]) : Number.POSITIVE_INFINITY;
    };
    const found = minimise(barrier, Float64Array.of(50), settings);
    expect(found.status).toBe("converged");
    expect(found.point[0]).toBeCloseTo(1, 9);
  });

  it("gives the same numbers every time", () => {
    const run = () => minimise(valley, Float64Array.of(-1.2, 1), settings);
    expect(run()).toEqual(run());
  });
});

function divide(v: Float64Array, by: readonly number[]): void {
  for (let j = 0; j < by.length; j++) v[j] /= by[j];
}
