import { conformMixture, loadModel, type Model, type Row, random } from "conformant";
import { conformChunks } from "conformant/remote";
import { beforeAll, describe, expect, test } from "vitest";
import { succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

/** Tables of which but a sample is held in memory: the numbers' moments are added up in passes over the file. */
const place = new Workplace();
const { folder: cwd } = place;
const SAMPLE = 400;
let rows: Row[];

beforeAll(() => {
  const g = random(8);
  const lines = Array.from({ length: 3000 }, () => {
    const clump = g.integer(2);
    const x = 4 * clump + g.normal();
    const y = 10 - x + 0.3 * g.normal();
    const colour = g.uniform() < 0.2 + 0.6 * clump ? "red" : "blue";
    const label = g.uniform() < 1 / (1 + Math.exp(4 - x - 0.2 * y)) ? "yes" : "no";
    const cells = [x.toFixed(4), y.toFixed(4), colour].map((cell) => (g.uniform() < 0.1 ? "" : cell));
    return [...cells, label];
  });
  place.write("numbers.csv", ["x,y,colour,label", ...lines.map((cells) => cells.join(","))].join("\n"));
  const number = (text: string): number | null => (text === "" ? null : Number(text));
  rows = lines.map(([x, y, colour]) => ({ x: number(x), y: number(y), colour: colour || null }));
});

function fitted(...words: string[]): Model {
  const all = ["fit", "numbers.csv", "--label", "label", "--sample", `${SAMPLE}`, ...words, "-o", "m.json"];
  succeed([...all, "--quiet"], { cwd });
  return loadModel(place.read("m.json"));
}

/** The largest difference of the Gaussians of two models. */
function largestDifference(a: Model, b: Model): number {
  expect(a.components.length).toBe(b.components.length);
  const numbers = ({ components }: Model): number[] =>
    components.flatMap(({ gaussian, logWeight }) => [
      logWeight,
      ...(gaussian?.mean ?? []),
      ...(gaussian?.covariance ?? []),
    ]);
  const other = numbers(b);
  return Math.max(...numbers(a).map((x, j) => Math.abs(x - other[j])));
}

describe("fit on a file that is streamed in passes", () => {
  test("--numeric gaussian is what the library makes of the same rows", async () => {
    const model = fitted("--numeric", "gaussian", "--components", "2", "--train-on", "complete");
    expect(model.rows).toBe(3000);
    expect(model.certificate.gaussian?.columns).toEqual(["x", "y"]);
    const options = { numeric: "gaussian", components: 2 } as const;
    const classifier = model.predictor;
    const parts = [{ data: rows.slice(0, 1234) }, { data: rows.slice(1234) }];
    const again = await conformChunks(classifier, () => parts, { ...options, sampleRows: SAMPLE });
    expect(largestDifference(model, again)).toBeLessThan(1e-8);
    // In memory the fit starts from other seeds and stops elsewhere, at much the same place.
    const inMemory = conformMixture(classifier, rows, options);
    const last = ({ certificate }: Model): number => certificate.mixture?.objective.at(-1) ?? Number.NaN;
    expect(Math.abs(last(model) - last(inMemory))).toBeLessThan(0.01);
  });

  test("--numeric auto takes the kind that the sample favours, with and without rows with gaps to train on", () => {
    for (const trainOn of ["all", "complete"]) {
      const { certificate, rows } = fitted("--train-on", trainOn);
      expect(certificate.gaussian?.columns).toEqual(["x", "y"]);
      expect(rows).toBe(3000);
    }
    expect(fitted("--numeric", "atoms", "--components", "2").gaussianColumns).toBeUndefined();
  });
});
