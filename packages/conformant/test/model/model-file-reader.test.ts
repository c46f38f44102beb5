import { describe, expect, it } from "vitest";
import {
  createModel,
  impute,
  logEvidence,
  type Model,
  predict,
  type Row,
  saveModel,
} from "../../src/index.ts";
import { type Random, random } from "../../src/math/random.ts";
import { ModelFileReader, type Normals } from "../oracles/model-file-reader.ts";
import { randomGaussianModel, randomGaussianRow } from "../support/random-gaussian-model.ts";
import { randomMixture, someOf } from "../support/random-mixture.ts";
import { randomModel, randomRow } from "../support/random-model.ts";

/** Rounding of the same sums in another order; of logarithms relative to their size. */
const TOLERANCE = 1e-12;

function expectClose(own: number, theirs: number, what: string): void {
  if (own === theirs) return; // −∞ too
  const size = Math.max(1, Math.abs(theirs));
  expect(Math.abs(own - theirs) / size, `${what}: ${own}, not ${theirs}`).toBeLessThan(TOLERANCE);
}

/** Holds the reader against the library on one row. */
function compare(model: Model, reader: ModelFileReader, row: Row, what: string): void {
  const ours = predict(model, row);
  const theirs = reader.predict(row);
  for (const name of model.response.outputs) expectClose(theirs[name], ours[name], `${what}, P(${name})`);
  expectClose(reader.logEvidence(row), logEvidence(model, row), `${what}, evidence`);
  const [likely, read] = [impute(model, row), reader.impute(row)];
  expect(Object.keys(read).sort()).toEqual(Object.keys(likely).sort());
  for (const [name, own] of Object.entries(likely)) {
    if (own.kind === "numeric" && own.density) {
      const { weights, means, standardDeviations } = read[name] as Normals;
      own.density.weights.forEach((w, a) => {
        expectClose(weights[a], w, `${what}, weight of ${name}`);
        expectClose(means[a], own.density?.means[a] ?? Number.NaN, `${what}, mean of ${name}`);
        expectClose(standardDeviations[a], own.density?.standardDeviations[a] ?? Number.NaN, `${what}, sd`);
      });
    } else {
      const probabilities = own.kind === "numeric" ? own.probabilities : Object.values(own.probabilities);
      (read[name] as number[]).forEach((p, v) => {
        expectClose(p, probabilities[v], `${what}, P(${name} = ${v})`);
      });
    }
  }
}

/** A row of the model, some of whose numbers stand exactly on an edge. */
function onEdges(model: Model, row: Row, g: Random): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const i = model.schema.columns.findIndex((column) => column.name === name);
      const column = model.schema.columns[i];
      const edges = column.kind === "binned" ? column.edges : (model.atoms.columns[i].edges ?? []);
      return [name, edges.length > 0 && g.uniform() < 0.5 ? edges[g.integer(edges.length)] : value];
    }),
  );
}

describe("a reader that knows only the page about the model file", () => {
  it("answers as the library does for one component, also where values have probability 0", () => {
    for (let seed = 0; seed < 60; seed++) {
      const pseudocount = seed % 3 === 0 ? 0 : 1;
      const model = randomModel({
        seed,
        columns: 1 + (seed % 7),
        classes: 2 + (seed % 4),
        scale: 1 + (seed % 5),
        pseudocount,
      });
      const reader = new ModelFileReader(saveModel(model));
      const g = random(seed);
      for (const share of [0, 0.3, 0.7, 1])
        compare(model, reader, onEdges(model, someOf(randomRow(model, g), g, share), g), `seed ${seed}`);
    }
  });

  it("answers as the library does for mixtures", () => {
    for (let seed = 0; seed < 60; seed++) {
      const model = randomMixture({
        seed,
        columns: 1 + (seed % 7),
        classes: 2 + (seed % 4),
        components: 2 + (seed % 5),
        spread: 3,
      });
      const reader = new ModelFileReader(saveModel(model));
      const g = random(seed);
      for (const share of [0, 0.3, 0.7, 1])
        compare(model, reader, onEdges(model, someOf(randomRow(model, g), g, share), g), `seed ${seed}`);
    }
  });

  it("answers as the library does for Gaussian blocks", () => {
    for (let seed = 0; seed < 60; seed++) {
      const numbers = 1 + (seed % 5);
      const model = randomGaussianModel({
        seed,
        numbers,
        classes: 2 + (seed % 4),
        components: 1 + (seed % 5),
      });
      const reader = new ModelFileReader(saveModel(model));
      const g = random(seed);
      for (const share of [0, 0.3, 0.7, 1])
        compare(model, reader, someOf(randomGaussianRow(numbers, g), g, share), `seed ${seed}`);
    }
  });

  it("finds an altered file, whatever letters its names have", () => {
    const { predictor, ...model } = randomModel({ seed: 1, columns: 2, classes: 2 });
    const text = saveModel(createModel({ ...predictor, classes: ["naïve", "日本 🐧"] }, model));
    expect(() => new ModelFileReader(text)).not.toThrow();
    expect(() => new ModelFileReader(text.replace("naïve", "naive"))).toThrow("altered");
  });
});
