import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { loadModel, predict } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { fixture } from "../../../workbench/test/export/support/fixtures.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

beforeAll(() => {
  for (const name of ["table.csv", "two.onnx", "two.pmml", "two.general.pmml", "two.csv", "two.json"])
    place.write(name, fixture(name));
  writePenguins(place, "model.json");
});

test("fit takes a classifier in every format, and all of them answer alike", { timeout: 60_000 }, () => {
  place.write("rows.csv", "age,city\n40,O'Hare\n,\n55,York; New\n");
  const answers = ["two.json", "two.onnx", "two.pmml", "two.general.pmml", "two.csv"].map((file) => {
    const words = ["--classifier", file, "--components", "1", "-o", "imported.json"];
    const { stderr } = succeed(["fit", "table.csv", ...words], { cwd });
    if (file === "two.pmml") expect(stderr).toContain("replaces missing values (age by 38.5)");
    return csvRows(succeed(["predict", "imported.json", "rows.csv"], { cwd }).stdout).map((row) =>
      Number(row[2]),
    );
  });
  for (const answer of answers)
    for (const [r, p] of answer.entries()) expect(p).toBeCloseTo(answers[0][r], 5);
});

test("export writes every format, and only what was asked for", async () => {
  expect(loadModel(place.read("model.json")).gaussianColumns).toBeDefined();
  for (const [format, file, beside] of [
    ["onnx", "out.onnx"],
    ["sql", "out.sql"],
    ["js", "out.mjs", "out.d.mts"],
    ["json", "out.json"],
  ]) {
    const { stdout, stderr } = succeed(["export", "model.json", "--to", format, "-o", file], { cwd });
    expect(stdout).toBe("");
    expect(stderr).toContain(`written to ${file}${beside ? ` and ${beside}` : ""}`);
    expect(existsSync(place.path(beside ?? file))).toBe(true);
  }
  const module = await import(/* @vite-ignore */ pathToFileURL(place.path("out.mjs")).href);
  const row = { island: "dream", bill_length: 49.1 };
  expect(module.predict(row).chinstrap).toBeCloseTo(
    predict(loadModel(place.read("model.json")), row).chinstrap,
    14,
  );
});

/** The probabilities for the penguins by a model, and by one that is fitted to its exported classifier. */
function exportedAndImported(...training: string[]): number[][][] {
  const words = ["--numeric", "atoms", "--components", "3", "--quiet"];
  succeed(["fit", "penguins.csv", "--label", "species", ...training, ...words, "-o", "three.json"], { cwd });
  succeed(["export", "three.json", "--to", "json", "-o", "classifier.json", "--quiet"], { cwd });
  succeed(["fit", "penguins.csv", "--classifier", "classifier.json", ...words, "-o", "again.json"], { cwd });
  return ["three.json", "again.json"].map((name) =>
    csvRows(succeed(["predict", name, "penguins.csv"], { cwd }).stdout).map((row) =>
      row.slice(1).map(Number),
    ),
  );
}

test("the exported JSON is a classifier that can be imported: the same answers, also for rows with gaps", () => {
  // Trained on complete rows, the classifier is known before the mixture is fitted, as it is after an import.
  const [once, again] = exportedAndImported("--train-on", "complete");
  expect(once).toHaveLength(344);
  expect(again).toEqual(once);
});

test("the exported JSON of a classifier trained on all rows gives the same answers for complete rows", () => {
  // Each round of training continues the mixture of the round before. An import fits one from the start, so that answers for rows with
  // missing values may differ a little: the two fits can end in different optima.
  const [once, again] = exportedAndImported();
  const cells = csvRows(place.read("penguins.csv"));
  const isComplete = cells.map((row) => row.every((cell) => cell !== "" && cell !== "NA"));
  expect(isComplete.filter((complete) => complete)).toHaveLength(333);
  for (const [r, row] of once.entries())
    for (const [k, p] of row.entries()) {
      if (isComplete[r]) expect(again[r][k]).toBeCloseTo(p, 12);
      else expect(Math.abs(again[r][k] - p)).toBeLessThan(0.05);
    }
});

test("--dialect, --table and --keep shape the SQL", () => {
  const words = [
    "export",
    "model.json",
    "--to",
    "sql",
    "--dialect",
    "sqlite",
    "--table",
    "main.birds",
    "--keep",
    "id,name",
  ];
  succeed([...words, "-o", "birds.sql"], { cwd });
  const sql = readFileSync(place.path("birds.sql"), "utf8");
  expect(sql).toContain("FROM `main`.`birds`");
  expect(sql).toContain("k0_ AS `id`,\n  k1_ AS `name`");
});

test("what cannot be exported is an error of one line, and nothing is written", () => {
  const words = ["--model", "trees", "--components", "1", "--no-cross-validation", "--quiet"];
  succeed(["fit", "penguins.csv", "--label", "species", ...words, "-o", "trees.json"], { cwd });
  const { status, stderr } = conformant(["export", "trees.json", "--to", "onnx", "-o", "trees.onnx"], {
    cwd,
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error\[not-exportable\]: a model of trees cannot be written as onnx\nhint: .*\n$/);
  expect(existsSync(place.path("trees.onnx"))).toBe(false);
  expect(conformant(["export", "model.json", "-o", "x"], { cwd })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--to onnx|sql|js"),
  });
  expect(conformant(["export", "model.json", "--to", "onnx"], { cwd })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--output FILE"),
  });
  expect(conformant(["export", "model.json", "--to", "tree", "-o", "x"], { cwd }).status).toBe(2);
});
