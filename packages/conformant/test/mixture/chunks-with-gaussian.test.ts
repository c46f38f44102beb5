import { describe, expect, it } from "vitest";
import { type Chunk, conformChunks, conformRemote, startMixture } from "../../src/entries/remote.ts";
import { manyRows } from "../../src/gaussian/many-rows.ts";
import { conformMixture, type Model, predict, type Row } from "../../src/index.ts";
import { expectation } from "../../src/mixture/e-step.ts";
import { splitRows } from "../../src/mixture/packed-rows.ts";
import { readWeightedRows } from "../../src/schema/rows.ts";
import {
  blockMoments,
  clumpClassifier as classifier,
  clumpRows,
  dataMoments,
} from "../support/clump-rows.ts";

/** Chunks of the given size, with an empty one among them. */
function* inChunks(rows: readonly Row[], size: number): Generator<Chunk> {
  yield { data: [] };
  for (let at = 0; at < rows.length; at += size) yield { data: rows.slice(at, at + size) };
}

/** The largest difference of two models' parameters: numbers in the block in units of their size. */
function difference(a: Model, b: Model): number {
  expect(a.components.length).toBe(b.components.length);
  expect(a.certificate.gaussian?.columns).toEqual(b.certificate.gaussian?.columns);
  let worst = 0;
  const compare = (x: ArrayLike<number>, y: ArrayLike<number>, scale: number): void => {
    for (let j = 0; j < x.length; j++) worst = Math.max(worst, Math.abs(x[j] - y[j]) / scale);
  };
  a.components.forEach((own, m) => {
    const other = b.components[m];
    compare(own.logQ, other.logQ, 1);
    compare([own.logWeight], [other.logWeight], 1);
    const [p, q] = [own.gaussian, other.gaussian];
    if (!p || !q) throw new Error("both have a block");
    compare(p.mean, q.mean, Math.max(...p.mean.map(Math.abs)));
    compare(p.covariance, q.covariance, Math.max(...p.covariance.map(Math.abs)));
  });
  return worst;
}

describe("a Gaussian block from chunks", () => {
  for (const missing of [0, 0.3])
    it(`takes the steps that rows in memory take, however they are cut, with ${100 * missing} % gaps`, async () => {
      const rows = clumpRows(500, 1, missing);
      // The sample's fit ends early, so that the steps over the chunks have something to do.
      const options = {
        components: 2,
        numeric: "gaussian",
        maxIterations: 3,
        maxPasses: 5,
        tolerance: 0,
      } as const;
      const whole = readWeightedRows(classifier.schema, rows);
      const start = startMixture(classifier, rows, rows.length, options);
      const inMemory = await conformRemote(classifier, start, (components, atoms, frame) =>
        expectation(
          atoms,
          classifier.intercept,
          components,
          splitRows(whole, atoms, classifier.intercept, { frame }, manyRows),
          manyRows,
        ),
      );
      for (const size of [1, 37, 500]) {
        const parts = await conformChunks(classifier, () => inChunks(rows, size), options);
        expect(difference(parts, inMemory)).toBeLessThan(1e-10);
        expect(parts.certificate.iterations).toBe(5);
        expect(parts.certificate.gaussian?.momentMismatch).toBeLessThan(1e-8);
        expect(parts.certificate.conformityError).toBeLessThan(1e-10);
      }
    });

  it("ends where conformMixture ends", async () => {
    // The clumps lie far apart: EM converges fast, so that both are at the same point however they got there.
    const rows = clumpRows(400, 2, 0.1, 40);
    const options = { components: 2, numeric: "gaussian", tolerance: 0, maxIterations: 2000 } as const;
    const whole = conformMixture(classifier, rows, options);
    const parts = await conformChunks(classifier, () => inChunks(rows, 90), {
      ...options,
      maxIterations: 2,
      maxPasses: 300,
    });
    expect(difference(parts, whole)).toBeLessThan(1e-8);
  });

  it("has the moments of all rows, of which the sample saw a tenth", async () => {
    const rows = clumpRows(2000, 3);
    const model = await conformChunks(classifier, () => inChunks(rows, 300), {
      components: 1,
      numeric: ["a", "c"],
      sampleRows: 200,
      shrinkage: 0,
      pseudocount: 0,
      ridge: 0,
    });
    const names = model.certificate.gaussian?.columns ?? [];
    expect(names).toEqual(["a", "c"]);
    const [fitted, expected] = [blockMoments(model), dataMoments(rows, names)];
    for (const which of ["mean", "covariance"] as const)
      expected[which].forEach((value, at) => {
        expect(Math.abs(fitted[which][at] - value)).toBeLessThan(1e-9 * (1 + Math.abs(value)));
      });
  });

  it("chooses the kind on the sample, and raises the likelihood of all rows from there", async () => {
    const rows = clumpRows(3000, 4, 0.2);
    const read = () => inChunks(rows, 700);
    const model = await conformChunks(classifier, read, {
      sampleRows: 400,
      most: 2,
      tolerance: 0,
      maxIterations: 20,
    });
    expect(model.certificate.gaussian?.columns).toEqual(["a", "b", "c"]);
    expect(model.certificate.choice?.curve?.map(({ gaussian }) => gaussian?.join())).toContain("");
    const objective = model.certificate.mixture?.objective ?? [];
    expect(objective.length).toBe(11);
    for (let step = 1; step < objective.length; step++)
      expect(objective[step] - objective[step - 1]).toBeGreaterThan(-1e-10);
    expect(model.rows).toBe(3000);
    const atoms = await conformChunks(classifier, read, { numeric: "atoms", components: 2 });
    expect(atoms.gaussianColumns).toBeUndefined();
    expect(predict(model, { b: 4 }).high).toBeGreaterThan(predict(model, { b: 0 }).high);
  });

  it("refuses an answer without moments", async () => {
    const rows = readWeightedRows(classifier.schema, clumpRows(100, 5));
    const start = startMixture(classifier, rows.table, 100, { components: 1, numeric: "gaussian" });
    const answer = conformRemote(classifier, start, (components, atoms, frame) => {
      const step = expectation(
        atoms,
        classifier.intercept,
        components,
        splitRows(rows, atoms, classifier.intercept, { frame }, manyRows),
        manyRows,
      );
      const { moments: _, ...rest } = step;
      return rest;
    });
    await expect(answer).rejects.toMatchObject({ code: "invalid-argument" });
  });
});
