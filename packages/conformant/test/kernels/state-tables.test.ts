import { expect, it } from "vitest";
import { fastContext } from "../../src/kernels/context.ts";
import { StateTables } from "../../src/kernels/state-tables.ts";
import { random } from "../../src/math/random.ts";

/** Sums of a few dozen numbers around 1 in another order. */
const ROUNDING = 1e-13;

it("adds up what the states of all columns are worth, however they are grouped", () => {
  const g = random(1);
  for (const [states, outputs, most] of [
    [[2, 2, 2, 2, 2, 2, 2], 5, 16],
    [[3, 1, 40, 2, 5, 3, 3, 3], 4, 81],
    [[7], 1, 2],
    [[], 3, 16],
  ] as const) {
    const weights = states.map((count) =>
      Array.from({ length: count }, () => Float64Array.from({ length: outputs }, () => g.normal())),
    );
    const columns = states.map((count, i) => ({
      states: count,
      weight: (state: number, output: number) => weights[i][state][output],
    }));
    const rows = 9;
    const cells = Int32Array.from({ length: states.length * rows }, (_, at) =>
      g.integer(states[Math.floor(at / rows)]),
    );
    const out = new Float64Array(rows * outputs).fill(1);
    const tables = new StateTables(columns, outputs, most);
    const codes = tables.codesFor(rows);
    states.forEach((_, i) => {
      tables.setStates(codes, i, cells.subarray(i * rows, (i + 1) * rows));
    });
    tables.add(codes, rows, out, fastContext);
    for (let r = 0; r < rows; r++)
      for (let j = 0; j < outputs; j++) {
        const direct = states.reduce<number>((sum, _, i) => sum + weights[i][cells[i * rows + r]][j], 1);
        expect(Math.abs(out[r * outputs + j] - direct)).toBeLessThan(ROUNDING);
      }
  }
});
