import { describe, expect, it } from "vitest";
import { encode, impute, logEvidence, sample, surprise } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { completions, randomModel, randomRow } from "../support/random-model.ts";

describe("sampling", () => {
  it("has the exact marginals of the missing columns, within five standard errors", () => {
    const count = 4000;
    for (let seed = 0; seed < 8; seed++) {
      const model = randomMixture({ seed, columns: 6, classes: 2 + (seed % 3), components: 1 + (seed % 3) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.4);
      const rows = sample(model, row, { count, seed });
      const table = encode(model.schema, rows, { strict: true });
      for (const [name, answer] of Object.entries(impute(model, row))) {
        const i = model.schema.columns.findIndex((column) => column.name === name);
        const values = answer.kind === "numeric" ? Array.from(answer.values) : undefined;
        Object.values(answer.probabilities).forEach((p: number, v) => {
          const share = table.columns[i].filter((x: number) => x === (values?.[v] ?? v)).length / count;
          expect(Math.abs(share - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / count) + 1e-12);
        });
      }
    }
  });

  it("has the dependence between missing columns that the model has", () => {
    const model = randomMixture({
      seed: 9,
      columns: 2,
      classes: 3,
      components: 2,
      kinds: ["binary"],
      scale: 3,
    });
    const count = 20_000;
    const rows = sample(model, {}, { count, seed: 1 });
    for (const full of completions(model, {})) {
      const share = rows.filter(({ x0, x1 }) => x0 === full.x0 && x1 === full.x1).length / count;
      const p = Math.exp(logEvidence(model, full));
      expect(Math.abs(share - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / count));
    }
  });

  it("keeps what is known and repeats with the seed", () => {
    const model = randomModel({ seed: 2, columns: 6, classes: 2 });
    const row = someOf(randomRow(model, random(2)), random(2), 0.5);
    const rows = sample(model, row, { count: 5, seed: 7 });
    expect(rows.every((full) => Object.entries(row).every(([name, value]) => full[name] === value))).toBe(
      true,
    );
    expect(rows.every((full) => Object.keys(full).length === 6)).toBe(true);
    expect(sample(model, row, { count: 5, seed: 7 })).toEqual(rows);
    expect(sample(model, row, { count: 5, seed: 8 })).not.toEqual(rows);
    expectError(() => sample(model, row, { count: -1 }), "invalid-argument", /options\.count/);
  });
});

describe("surprise", () => {
  it("is the share of rows that are no more likely, by enumeration over the known columns", () => {
    for (let seed = 0; seed < 20; seed++) {
      const model = randomMixture({ seed, columns: 5, classes: 2 + (seed % 2), components: 1 + (seed % 3) });
      const row = someOf(randomRow(model, random(seed + 500)), random(seed + 900), 0.7);
      const own = logEvidence(model, row);
      let share = 0;
      const seen = new Set<string>();
      for (const full of completions(model, {})) {
        const part = Object.fromEntries(Object.keys(row).map((name) => [name, full[name]]));
        const key = JSON.stringify(part);
        if (seen.has(key)) continue;
        seen.add(key);
        const log = logEvidence(model, part);
        if (log <= own + 1e-9) share += Math.exp(log);
      }
      const answer = surprise(model, row);
      expect(answer.logEvidence).toBeCloseTo(own, 10);
      expect(answer.share.method).toBe("exact");
      expect(answer.share.value).toBeCloseTo(share, 9);
    }
  });

  it("flags a row that the model hardly ever makes, and not one that it makes", () => {
    const model = randomModel({ seed: 3, columns: 40, classes: 3, scale: 0.5 });
    const [usual] = sample(model, {}, { seed: 5 });
    const unusual = Object.fromEntries(
      Object.entries(impute(model, {})).map(([name, answer], i) => {
        const p = Object.values(answer.probabilities);
        const rarest = p.indexOf(Math.min(...p));
        const { kind } = model.schema.columns[i];
        if (answer.kind === "numeric") return [name, answer.values[rarest]];
        return [name, kind === "binned" ? undefined : Object.keys(answer.probabilities)[rarest]];
      }),
    );
    expect(surprise(model, unusual).share.upper).toBeLessThan(0.01);
    expect(surprise(model, usual).share.value).toBeGreaterThan(0.01);
    expect(surprise(model, usual).share.method).toBe("sampling");
  });

  it("compares with given numbers instead, and has nothing to say about an empty row", () => {
    const model = randomModel({ seed: 3, columns: 4, classes: 2 });
    const row = randomRow(model, random(1));
    const own = logEvidence(model, row);
    expect(surprise(model, row, { reference: [own - 1, own + 1, own + 2, own] }).share.value).toBe(0.5);
    expectError(() => surprise(model, row, { reference: [] }), "invalid-argument", /at least one number/);
    expect(surprise(model, {}).share.value).toBe(1);
  });
});
