import { describe, expect, it } from "vitest";
import { explain, type Model, type Row } from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { type BruteForceOptions, bruteForce, differenceFrom } from "../support/brute-force.ts";
import { randomMixture, someOf, tiedModel } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** A source of rows that has nothing in common with the source of the model's weights. */
const rowsOf = (seed: number): Random => random(seed + 7_000_003);

function check(model: Model, row: Row, what: string, options: BruteForceOptions = {}): void {
  const difference = differenceFrom(
    bruteForce(model, row, options),
    explain(model, row, { ...options, timeLimit: 60 }),
  );
  if (difference !== undefined) expect.fail(`${what}: ${difference}`);
}

describe("explanations agree with trying every subset", () => {
  for (const classes of [2, 3, 4, 5]) {
    it(`in 500 random models with mixed columns and gaps, ${classes} classes`, () => {
      for (let seed = 0; seed < 500; seed++) {
        const model = randomModel({ seed, columns: 1 + (seed % 8), classes, scale: 0.3 + (seed % 3) });
        const g = rowsOf(seed);
        check(model, someOf(randomRow(model, g), g, 0.9), `seed ${seed}`);
      }
    });

    it(`in 300 models full of ties and zero contributions, ${classes} classes`, () => {
      for (let seed = 0; seed < 300; seed++) {
        const model = tiedModel(seed, 1 + (seed % 9), classes);
        check(model, randomRow(model, rowsOf(seed)), `seed ${seed}`);
      }
    });

    it(`in 200 mixtures of 2 or 3 components, ${classes} classes`, () => {
      for (let seed = 0; seed < 200; seed++) {
        const scale = seed % 3 === 0 ? 0.4 : 1;
        const spread = 0.5 + (seed % 3);
        const components = 2 + (seed % 2);
        const model = randomMixture({ seed, columns: 1 + (seed % 10), classes, components, scale, spread });
        check(model, randomRow(model, rowsOf(seed)), `seed ${seed}`);
      }
    });

    it(`with a probability that must be kept, ${classes} classes`, () => {
      for (let seed = 0; seed < 300; seed++) {
        const components = seed % 2 === 0 ? 1 : 2 + (seed % 3);
        const scale = seed % 3 === 0 ? 0.4 : 1;
        const model = randomMixture({ seed, columns: 2 + (seed % 9), classes, components, scale });
        const g = rowsOf(seed);
        check(model, randomRow(model, g), `seed ${seed}`, { threshold: 0.1 + 0.85 * g.uniform() });
      }
    });

    it(`with columns that must or must not be used, ${classes} classes`, () => {
      for (let seed = 0; seed < 150; seed++) {
        const model = randomMixture({ seed, columns: 7, classes, components: 1 + (seed % 2) });
        const g = rowsOf(seed);
        const [use, avoid] = [`x${g.integer(3)}`, `x${3 + g.integer(4)}`];
        check(model, randomRow(model, g), `seed ${seed}`, { use: [use], avoid: [avoid] });
      }
    });

    it(`with groups of columns, ${classes} classes`, () => {
      for (let seed = 0; seed < 100; seed++) {
        const model = randomMixture({ seed, columns: 8, classes, components: 1 + (seed % 2) });
        const groups = { first: ["x0", "x5"], second: ["x2", "x3", "x7"] };
        check(model, randomRow(model, rowsOf(seed)), `seed ${seed}`, { groups });
      }
    });

    it(`in 64 models of 9 to 15 columns, ties among them, ${classes} classes`, () => {
      for (let seed = 0; seed < 32; seed++) {
        const columns = 9 + (seed % 7);
        const tied = tiedModel(seed + 1000, columns, classes);
        check(tied, randomRow(tied, rowsOf(seed)), `ties, seed ${seed}`);
        const components = 1 + (seed % 2);
        const model = randomMixture({ seed: seed + 1000, columns, classes, components, scale: 0.6 });
        check(model, randomRow(model, rowsOf(seed)), `seed ${seed}`);
      }
    });

    it(`with 16 columns, ${classes} classes`, () => {
      const tied = tiedModel(classes, 16, classes);
      check(tied, randomRow(tied, rowsOf(classes)), "ties");
      const model = randomModel({ seed: classes, columns: 16, classes, scale: 0.7 });
      check(model, randomRow(model, rowsOf(classes)), "one component");
      const mixture = randomMixture({ seed: classes, columns: 16, classes, components: 3, scale: 0.7 });
      check(mixture, randomRow(mixture, rowsOf(classes)), "mixture");
    });
  }
});
