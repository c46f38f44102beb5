import { random } from "conformant";
import { expect, test } from "vitest";
import { cos, exp, expm1, log, log1p, log2 } from "../src/portable-math.ts";

/** Units of the last place that two good implementations may differ by. */
const UNITS = 3;

function farthest(own: (x: number) => number, other: (x: number) => number, xs: readonly number[]): number {
  const apart = xs.map((x) => {
    const [a, b] = [own(x), other(x)];
    return Object.is(a, b) || a === b ? 0 : Math.abs(a - b) / (Math.abs(b) * Number.EPSILON);
  });
  return Math.max(...apart);
}

const g = random(1);
const between = (low: number, high: number): number[] =>
  Array.from({ length: 20_000 }, () => low + (high - low) * g.uniform());

test.each([
  ["exp", exp, Math.exp, [...between(-40, 20), ...between(-745, 709), ...between(-1e-9, 1e-9), 0, -0, 1]],
  ["log", log, Math.log, [...between(0, 3), ...between(0, 1e-310), ...between(1, 1e300), 0, 1, 5e-324]],
  ["log1p", log1p, Math.log1p, [...between(-0.9, 2), ...between(-1e-9, 1e-9), ...between(1, 1e9), 0]],
  ["expm1", expm1, Math.expm1, [...between(-2, 2), ...between(-1e-9, 1e-9), ...between(-50, 50), 0]],
  ["log2", log2, Math.log2, between(2, 1e6)],
])("%s is within a few units of the last place of the engine's own", (_, own, other, xs) => {
  expect(farthest(own, other, xs)).toBeLessThanOrEqual(UNITS);
});

test("cos is within a rounding of the engine's own over a turn", () => {
  for (const x of between(0, 2 * Math.PI)) expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(3e-16);
});

test("what is no finite number stays what it is", () => {
  expect([exp(Number.NaN), exp(710), exp(-746), exp(Number.NEGATIVE_INFINITY)]).toEqual([
    Number.NaN,
    Infinity,
    0,
    0,
  ]);
  expect([log(-1), log(0), log(Infinity), log1p(-1), log1p(Infinity)]).toEqual([
    Number.NaN,
    -Infinity,
    Infinity,
    -Infinity,
    Infinity,
  ]);
  expect([expm1(-1000), expm1(1000)]).toEqual([-1, Infinity]);
});
