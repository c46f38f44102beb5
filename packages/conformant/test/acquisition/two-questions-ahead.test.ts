import { describe, expect, test } from "vitest";
import { askNext, conformMixture, type Model, predict, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { completed } from "../support/enumerate.ts";
import { parityTrees } from "../support/parity-trees.ts";
import { randomMixture } from "../support/random-mixture.ts";

/** Rounding of sums over all completions. */
const ROUNDING = 1e-9;
/** What draws of trees may add to an information that is none. */
const DRAWN = 0.02;

/** Two bits of which only the parity counts, a bit that says a little, and noise. */
function parityModel(): Model {
  const names = ["first", "second", "hint", "noise"];
  const g = random(1);
  const rows = Array.from({ length: 400 }, () =>
    Object.fromEntries(names.map((name) => [name, g.integer(2)])),
  );
  return conformMixture(parityTrees(names, true), rows, { components: 1 });
}

/** H(class | row) less what is left on average once a column is known, from the completions one by one. */
function gainOf(model: Model, row: Row, name: string): number {
  const after = new Map<unknown, { mass: number; sums: number[] }>();
  for (const { row: full, probability, answer } of completed(model, row)) {
    const own = after.get(full[name]) ?? { mass: 0, sums: Object.values(answer).map(() => 0) };
    own.mass += probability;
    own.sums = own.sums.map((sum, k) => sum + probability * Object.values(answer)[k]);
    after.set(full[name], own);
  }
  const entropy = (p: readonly number[]): number =>
    p.reduce((sum, x) => (x > 0 ? sum - x * Math.log(x) : sum), 0);
  const left = [...after.values()].reduce(
    (sum, { mass, sums }) => sum + mass * entropy(sums.map((x) => x / mass)),
    0,
  );
  return entropy(Object.values(predict(model, row))) - left;
}

describe("looking ahead", () => {
  test("asks for two bits of which only the parity counts, where one at a time is blind", () => {
    const model = parityModel();
    const [blind] = askNext(model, {});
    expect(blind.column).toBe("hint");
    const [first, second] = askNext(model, {}, { lookAhead: true });
    expect([first.column, second.column].sort()).toEqual(["first", "second"]);
    expect(first.ahead?.column).toBe(second.column);
    expect(first.informationGain).toBeLessThan(DRAWN);
    expect(first.ahead?.informationGain).toBeGreaterThan(0.4);
    // Once one of the two is known the other says it all.
    expect(askNext(model, { [first.column]: 1 })[0].column).toBe(second.column);
  });

  test("says that a column is worth nothing once all that the trees look at is known", () => {
    const questions = askNext(parityModel(), { first: 1, second: 0, hint: 1 }, { lookAhead: true });
    expect(questions).toMatchObject([{ column: "noise", informationGain: 0, changesDecision: 0 }]);
  });

  test("minds the costs of both", () => {
    const costs = { first: 400 };
    const [best] = askNext(parityModel(), {}, { lookAhead: true, costs });
    expect(best.column).toBe("hint");
  });

  test("gives the worth of two answers by enumeration, and never less than one is worth", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const model = randomMixture({
        seed,
        columns: 4,
        classes: 3,
        components: 3,
        kinds: ["binary"],
        scale: 2,
        spread: 2,
      });
      const names = model.schema.columns.map(({ name }) => name);
      const best = askNext(model, {})[0].informationGain;
      const alone = new Map(askNext(model, {}).map((question) => [question.column, question]));
      for (const { column, informationGain, ahead } of askNext(model, {}, { lookAhead: true })) {
        expect(informationGain).toBe(alone.get(column)?.informationGain);
        const ones = completed(model, {}).reduce(
          (sum, { row, probability }) => sum + probability * Number(row[column]),
          0,
        );
        const both = [0, 1].reduce(
          (sum, bit) => {
            const others = names.filter((name) => name !== column);
            const best = Math.max(...others.map((name) => gainOf(model, { [column]: bit }, name)));
            return sum + (bit === 1 ? ones : 1 - ones) * best;
          },
          gainOf(model, {}, column),
        );
        if (ahead) expect(Math.abs(ahead.informationGain - both)).toBeLessThan(ROUNDING);
        else expect(both / 2).toBeLessThanOrEqual(best + ROUNDING);
      }
    }
  });
});
