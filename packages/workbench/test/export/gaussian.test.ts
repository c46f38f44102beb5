import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { classify, impute, type Model, type NumericImputation, predict, random, saveModel } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { writePenguins } from "../../../cli/test/support/fitted-penguins.ts";
import { csvCells, csvRows, succeed } from "../../../cli/test/support/run.ts";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJson } from "../../src/export/export-json.ts";
import { exportOnnx } from "../../src/export/export-onnx.ts";
import { exportSql } from "../../src/export/export-sql.ts";
import { compile } from "./support/compile.ts";
import { expectedAnswers, largestDifference, wrongLabels } from "./support/expected.ts";
import { gaussianModels, randomRows } from "./support/fixtures.ts";
import { inSinglePrecision, runOnnx } from "./support/onnx-runtime.ts";
import { predictByHand } from "./support/predict-by-hand.ts";
import { randomModel } from "./support/random-models.ts";
import { dialectOf } from "./support/sql-engines.ts";

const place = new Workplace();
const { folder: cwd } = place;
const rows = randomRows(500, 41);

/** Exports a model through the command, as a user does. */
async function exported(name: string) {
  succeed(["export", `${name}.json`, "--to", "js", "-o", `${name}.mjs`, "--quiet"], { cwd });
  return import(/* @vite-ignore */ pathToFileURL(place.path(`${name}.mjs`)).href);
}

describe.each(gaussianModels())("a model with a Gaussian block, $name", ({ name, model }) => {
  const file = name.replaceAll(/\W+/g, "-");
  beforeAll(() => {
    writeFileSync(place.path(`${file}.json`), saveModel(model));
  });

  test("predicts as the library does in JavaScript", async () => {
    expect(model.gaussianColumns?.columns.length).toBeGreaterThan(1);
    const module = await exported(file);
    const { probabilities } = expectedAnswers(model, rows);
    const own = rows.flatMap((row) => Object.values(module.predict(row)).map(Number));
    expect(largestDifference(own, probabilities)).toBeLessThan(1e-9);
    const labels = rows.map((row) => module.classify(row));
    expect(wrongLabels(labels, model, probabilities, 1e-9)).toBe(0);
  });

  test.each([
    { precision: "double", float: false, tolerance: 1e-9 },
    { precision: "single", float: true, tolerance: 1e-5 },
  ])("predicts as the library does in ONNX, in $precision precision", async ({ float, tolerance }) => {
    const of = float ? inSinglePrecision(rows) : rows;
    const { labels, probabilities } = await runOnnx(
      exportOnnx(model, { float }),
      model.schema,
      of,
      float ? "float32" : "float64",
    );
    const expected = expectedAnswers(model, of).probabilities;
    expect(largestDifference(probabilities, expected)).toBeLessThan(tolerance);
    expect(wrongLabels(labels, model, expected, tolerance)).toBe(0);
  });

  test("has all that a prediction by hand needs in JSON", () => {
    const byHand = JSON.parse(exportJson(model));
    const own = rows.flatMap((row) => predictByHand(byHand, row).slice(1).map(Number));
    expect(largestDifference(own, expectedAnswers(model, rows).probabilities)).toBeLessThan(1e-9);
    expect(byHand.fill).toBeUndefined();
  });

  test("imputes as the library does in JavaScript, numbers with their density", async () => {
    const module = await exported(file);
    let densities = 0;
    for (const row of rows.slice(0, 60)) {
      const [own, expected] = [module.impute(row), impute(model, row)];
      expect(Object.keys(own)).toEqual(Object.keys(expected));
      for (const [column, imputation] of Object.entries(expected)) {
        if (imputation.kind === "discrete") {
          const numbers = Object.values(imputation.probabilities);
          expect(largestDifference(Object.values(own[column].probabilities), numbers)).toBeLessThan(1e-9);
        } else {
          densities++;
          expect(relativeDifference(own[column], imputation)).toBeLessThan(1e-9);
        }
      }
    }
    expect(densities).toBeGreaterThan(40);
  });
});

/** How far two imputations of a number are apart, in standard deviations or, for weights, as they are. */
function relativeDifference(own: NumericImputation, expected: NumericImputation): number {
  const { density, standardDeviation } = expected;
  if (!density || !own.density) return Number.POSITIVE_INFINITY;
  const lengths = (of: NumericImputation): number[] => [
    of.mean,
    of.standardDeviation,
    ...(of.density?.means ?? []),
    ...(of.density?.standardDeviations ?? []),
  ];
  return Math.max(
    largestDifference(own.density.weights, density.weights),
    largestDifference(lengths(own), lengths(expected)) / standardDeviation,
  );
}

describe("penguins, fitted as by default", () => {
  let model: Model;
  beforeAll(() => {
    model = writePenguins(place, "penguins.json");
  });

  test("have a Gaussian, and the module answers as the classifier where all is known, however unlikely", async () => {
    expect(model.certificate.gaussian?.columns).toHaveLength(4);
    const module = await exported("penguins");
    const row = {
      island: "dream",
      bill_length: 49.1,
      bill_depth: 18,
      flipper_length: 200,
      body_mass: 4000,
      sex: "male",
    };
    for (const complete of [row, { ...row, body_mass: 4e7 }, { ...row, bill_depth: -1e6 }]) {
      const [expected] = [Object.values(classify(model.predictor, complete)).map(Number)];
      expect(largestDifference(Object.values(module.predict(complete)).map(Number), expected)).toBeLessThan(
        1e-12,
      );
    }
    expect(module.predict({ body_mass: 4000 }).gentoo).toBeCloseTo(
      predict(model, { body_mass: 4000 }).gentoo,
      10,
    );
  });

  test("have a module that answers rows with gaps as the command does", async () => {
    const module = await exported("penguins");
    const [header, ...lines] = csvCells(place.read("penguins.csv"));
    const draw = random(5).uniform;
    const gappy = lines.map((cells) => cells.map((cell) => (draw() < 0.4 ? "" : cell)));
    place.write("gaps.csv", [header, ...gappy].map((cells) => cells.join(",")).join("\n"));
    const answers = csvRows(succeed(["predict", "penguins.json", "gaps.csv"], { cwd }).stdout);
    const own = gappy.map((cells) =>
      module.predict(Object.fromEntries(header.map((name, i) => [name, cells[i]]))),
    );
    const { classes } = module;
    expect(
      largestDifference(
        own.flatMap((row) => classes.map((name: string) => row[name])),
        answers.flatMap((row) => row.slice(1, 1 + classes.length).map(Number)),
      ),
    ).toBeLessThan(1e-9);
  });

  test("have types that a compiler accepts, densities among them", async () => {
    await exported("penguins");
    const use = place.write(
      "use.mts",
      `import { impute } from "./penguins.mjs";
const mass = impute({ island: "dream" }).body_mass;
if (mass.kind === "numeric") console.log(mass.mean, mass.density?.means[0], mass.values?.length);\n`,
    );
    expect(compile(use)).toEqual([]);
  });
});

describe("a block that is too large for SQL", () => {
  test.each([
    { numbers: 13, components: 1, words: "13 columns in 1 component is" },
    { numbers: 2, components: 17, words: "2 columns in 17 components is" },
  ])("is refused with its numbers and the way out, $words", ({ numbers, components, words }) => {
    const model = randomModel({ classes: 2, components, numbers, gaussian: true, seed: 1 });
    expect(model.components).toHaveLength(components);
    const dialect = dialectOf("duckdb");
    expect(() => exportSql(model, { dialect, table: "data", keep: [] })).toThrow(
      expect.objectContaining({
        code: "not-exportable",
        message: expect.stringContaining(`${words} too large for SQL, expected at most 12 columns and 16`),
        hint: expect.stringContaining("--to onnx"),
      }),
    );
  });
});
