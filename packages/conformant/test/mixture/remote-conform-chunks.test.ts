import { describe, expect, it } from "vitest";
import { type Chunk, conformChunks } from "../../src/entries/remote.ts";
import { conformMixture, predict, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { expectError } from "../support/error.ts";
import { randomClassifier } from "../support/random-model.ts";

/** Sums over chunks are added in another order than over one table. */
const ROUNDING = 1e-9;

const classifier = randomClassifier({
  seed: 7,
  columns: 8,
  classes: 3,
  kinds: ["binary", "categorical", "numeric"],
});

/** Rows of two groups, so that there is something for components to find. */
function rowsOf(seed: number, count: number, gaps: number): Row[] {
  const g = random(seed);
  return Array.from({ length: count }, () => {
    const group = g.integer(2);
    return Object.fromEntries(
      classifier.schema.columns.map((column) => {
        const high = g.uniform() < (group === 0 ? 0.1 : 0.9);
        if (g.uniform() < gaps) return [column.name, null];
        if (column.kind === "numeric") return [column.name, (high ? 2 : -2) + g.uniform()];
        if (column.kind === "categorical") return [column.name, column.values[high ? 0 : 1]];
        return [column.name, high ? 1 : 0];
      }),
    );
  });
}

function* inChunks(rows: readonly Row[], size: number): Generator<Chunk> {
  for (let at = 0; at < rows.length; at += size) yield { data: rows.slice(at, at + size) };
}

describe("rows in chunks", () => {
  it("goes on where the sample's fit ended: with all rows in the sample the chunks change nothing but rounding", async () => {
    const rows = rowsOf(1, 600, 0.1);
    const tight = { components: 2, numeric: "atoms", tolerance: 1e-12, maxIterations: 400 } as const;
    const whole = conformMixture(classifier, rows, tight);
    const parts = await conformChunks(classifier, () => inChunks(rows, 70), { ...tight, maxPasses: 50 });
    expect(parts.certificate.status).toBe("converged");
    for (const row of rowsOf(2, 30, 0.5)) {
      const [a, b] = [predict(whole, row), predict(parts, row)];
      for (const name of classifier.classes) expect(Math.abs(a[name] - b[name])).toBeLessThan(1e-5);
    }
  });

  it("does not depend on how the rows are cut, and raises the likelihood of all of them from a small sample", async () => {
    const rows = rowsOf(3, 3000, 0.1);
    const options = { components: 3, numeric: "atoms", sampleRows: 300, maxPasses: 6, tolerance: 0 } as const;
    const [small, large] = [
      await conformChunks(classifier, () => inChunks(rows, 100), options),
      await conformChunks(classifier, () => inChunks(rows, 1700), options),
    ];
    const objective = small.certificate.mixture?.objective ?? [];
    for (let step = 1; step < objective.length; step++)
      expect(objective[step] - objective[step - 1]).toBeGreaterThan(-ROUNDING);
    expect(objective.length).toBe(7);
    large.certificate.mixture?.objective.forEach((value, step) => {
      expect(Math.abs(value - objective[step])).toBeLessThan(ROUNDING);
    });
    expect(small.rows).toBe(3000);
  });

  it("counts a row of weight 2 as two rows, reads asynchronous chunks and chooses the size", async () => {
    const rows = rowsOf(4, 400, 0);
    const twice = await conformChunks(classifier, () => inChunks([...rows, ...rows], 64), { components: 1 });
    async function* weighted(): AsyncGenerator<Chunk> {
      for (const { data } of inChunks(rows, 50)) yield { data, weights: new Array(50).fill(2) };
    }
    const model = await conformChunks(classifier, weighted, { components: 1 });
    expect(model.rows).toBe(twice.rows);
    twice.components[0].logQ.forEach((value, j) => {
      expect(Math.abs(value - model.components[0].logQ[j])).toBeLessThan(1e-7);
    });
    const chosen = await conformChunks(classifier, weighted, { most: 4 });
    expect(chosen.components.length).toBeGreaterThan(1);
    expect(chosen.certificate.choice?.curve?.length).toBeGreaterThan(1);
  });

  it("refuses an empty stream", async () => {
    await expect(conformChunks(classifier, () => [], {})).rejects.toMatchObject({ code: "empty-data" });
    expectError(() => conformMixture(classifier, []), "empty-data", /rows/);
  });
});
