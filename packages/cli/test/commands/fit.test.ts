import { type Classifier, loadModel } from "conformant";
import { metadataOf } from "conformant-workbench/describe";
import { beforeAll, expect, test } from "vitest";
import { conformant, csvRows, type Outcome, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

const birds = ["fit", "penguins.csv", "--label", "species"];
/** For what has nothing to do with the mixture: choosing its size and kind takes most of the time of a fit. */
const ONE = ["--components", "1", "--numeric", "atoms"];
const quick = [...birds, ...ONE];
/** A fit with nothing but defaults. */
let usual: Outcome;
beforeAll(() => {
  usual = succeed([...birds, "-o", "model.json"], { cwd });
});

test("a CSV file becomes a model and a summary that a person wants", () => {
  const { stdout, stderr } = usual;
  for (const words of ["344 rows", "adelie 152", "class shares", "5 folds", "certificate", "3.2 %"])
    expect(stdout).toContain(words);
  expect(stderr).toMatch(/^trained and fitted in /);
  const { predictor, schema, certificate } = loadModel(place.read("model.json"));
  expect(predictor.label).toBe("species");
  expect(schema.columns.map(({ kind }) => kind)).toEqual([
    "categorical",
    "numeric",
    "numeric",
    "numeric",
    "numeric",
    "categorical",
  ]);
  expect(certificate.status).toBe("converged");
});

test("the verdict comes first, and the model file, --json and inspect have the same one", () => {
  const { verdict } = metadataOf(loadModel(place.read("model.json")));
  const sentence = verdict?.sentence ?? "";
  expect(sentence).toMatch(
    /^On new rows: right in about 9\d(\.\d)?% ± \d(\.\d)? \(guessing the most common class: 44(\.2)?%\)/,
  );
  expect(usual.stdout.startsWith(`${sentence}\n`)).toBe(true);
  expect(succeed(["inspect", "model.json"], { cwd }).stdout.startsWith(`${sentence}\n`)).toBe(true);
  expect(JSON.parse(succeed(["inspect", "model.json", "--json"], { cwd }).stdout)).toMatchObject({ verdict });
  const { stdout } = succeed([...quick, "-o", "quick.json", "--json"], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    task: "classification",
    model: "logistic",
    missing: "random",
    verdict: metadataOf(loadModel(place.read("quick.json"))).verdict,
  });
});

test("without -o the model goes to standard output, the same bytes, and the summary to standard error", () => {
  succeed([...quick, "-o", "quick.json"], { cwd });
  const { stdout, stderr } = succeed(quick, { cwd });
  expect(stdout.trimEnd()).toBe(place.read("quick.json"));
  expect(stderr).toContain("344 rows");
});

test("--quiet says nothing and --json gives the summary to programs", () => {
  const words = [...quick, "-o", "quiet.json", "--quiet"];
  expect(succeed(words, { cwd })).toMatchObject({ stdout: "", stderr: "" });
  const summary = JSON.parse(succeed([...words, "--json"], { cwd }).stdout) as Record<string, unknown>;
  expect(summary).toMatchObject({
    rows: 344,
    label: "species",
    training: { rows: 344, rowsCompleted: 11, rowsWithGaps: 0 },
    certificate: { status: "converged" },
  });
});

test("names, constants and empty columns are left out with a note about each, and dates are numbers", () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `person ${i},${i % 2},same,,2024-01-0${(i % 9) + 1},${i % 3},${i % 2 ? "yes" : "no"}`,
  );
  place.write("odd.csv", ["name,bit,constant,empty,day,number,label", ...rows].join("\n"));
  const { stderr } = succeed(["fit", "odd.csv", "--label", "label", ...ONE, "-o", "odd.json"], { cwd });
  expect(stderr).toContain('column "name" is left out: 40 different texts in 40 rows');
  expect(stderr).toContain('column "constant" is left out: it is "same"');
  expect(stderr).toContain('column "empty" is left out: it has no value');
  expect(stderr).toContain('column "bit": it is a copy of the label "label"');
  expect(loadModel(place.read("odd.json")).schema.columns).toEqual([
    { name: "bit", kind: "binary" },
    { name: "day", kind: "numeric" },
    { name: "number", kind: "numeric" },
  ]);
});

test("--type, --columns and --exclude override what was found", () => {
  place.write(
    "codes.csv",
    ["zip,a,b,y", ...Array.from({ length: 30 }, (_, i) => `0${i % 3},${i % 5},${i},${i % 2}`)].join("\n"),
  );
  const codes = ["fit", "codes.csv", "--label", "y", ...ONE];
  succeed([...codes, "--type", "zip=categorical", "--exclude", "b", "-o", "codes.json"], { cwd });
  expect(loadModel(place.read("codes.json")).schema.columns).toEqual([
    { name: "zip", kind: "categorical", values: ["00", "01", "02"] },
    { name: "a", kind: "numeric" },
  ]);
  succeed([...codes, "--columns", "b", "-o", "b.json"], { cwd });
  expect(loadModel(place.read("b.json")).schema.columns).toEqual([{ name: "b", kind: "numeric" }]);
  expect(conformant([...codes, "--type", "zip=number"], { cwd }).status).toBe(2);
});

test("by default the penalty is chosen by cross-validation", () => {
  const { stdout } = succeed([...quick, "-o", "auto.json", "--json"], { cwd });
  const { training } = JSON.parse(stdout) as {
    training: { l2: number; crossValidation: { l2: number; logLoss: number }[] };
  };
  const best = training.crossValidation.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  expect(training.crossValidation.length).toBeGreaterThan(3);
  expect(training.l2).toBeGreaterThanOrEqual(best.l2);
  expect(training.crossValidation.map(({ l2 }) => l2)).toContain(training.l2);
});

test("texts given by --na are gaps", () => {
  place.write(
    "marks.csv",
    place.read("penguins.csv").replace("torgersen,39.1", "torgersen,?").replace("male\n", "-9\n"),
  );
  const { stdout } = succeed(
    ["fit", "marks.csv", ...quick.slice(2), "--na", "?,-9", "-o", "marks.json", "--json"],
    { cwd },
  );
  const { columns } = JSON.parse(stdout) as { columns: { name: string; kind: string; missing: number }[] };
  expect(columns.find(({ name }) => name === "bill_length")).toMatchObject({ kind: "numeric", missing: 3 });
});

test("a classifier imported needs no labels, and a value without a feature is the reference level", () => {
  place.write(
    "imported.json",
    JSON.stringify({
      classes: ["no", "yes"],
      features: ["body_mass", "island=dream"],
      intercept: [-4],
      coef: [[0.001, 0.5]],
    }),
  );
  succeed(["fit", "penguins.csv", "--classifier", "imported.json", ...ONE, "-o", "m2.json"], { cwd });
  place.write("rows.csv", "body_mass,island\n4000,dream\n4000,biscoe\n");
  const [dream, biscoe] = csvRows(succeed(["predict", "m2.json", "rows.csv"], { cwd }).stdout).map((row) =>
    Number(row[2]),
  );
  expect(dream).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 14);
  expect(biscoe).toBeCloseTo(0.5, 14);
});

test("the size of the mixture is chosen by held-out rows unless it is given, and the summary reports its error", () => {
  const fitted = (components: string) => {
    const words = ["--train-on", "complete", "--components", components];
    succeed([...birds, ...words, "-o", "sized.json"], { cwd });
    return loadModel(place.read("sized.json"));
  };
  const auto = loadModel(place.read("model.json"));
  const { curve, chosen } = auto.certificate.choice ?? { curve: [], chosen: -1 };
  const own = curve[chosen];
  const best = curve.reduce((a, b) => ((b.crossEntropy ?? 9) < (a.crossEntropy ?? 9) ? b : a));
  expect(curve[0].components).toBe(1);
  const tie = Math.max(own.behind?.standardError ?? 0, 0.002 * (best.crossEntropy ?? 0));
  expect(own.behind?.mean).toBeLessThanOrEqual(tie);
  // Components that run empty are left out.
  expect(auto.components.length).toBeLessThanOrEqual(own.components);
  expect(auto.certificate.gaussian?.columns ?? []).toEqual(own.gaussian);
  expect(usual.stdout).toContain(
    `error against complete-row predictions: ${Number(own.crossEntropy?.toPrecision(4))}`,
  );
  expect(fitted("3").components.length).toBe(3);
  const paper = fitted("1");
  expect(paper.components.length).toBe(1);
  expect(paper.certificate.mixture).toBeUndefined();
});

test("--train-on complete leaves rows with gaps out and says so", () => {
  const { stdout } = succeed([...quick, "--train-on", "complete", "-o", "complete.json"], { cwd });
  expect(stdout).toContain("11 incomplete rows not used");
  expect((loadModel(place.read("complete.json")).predictor as Classifier).training).toMatchObject({
    rows: 333,
    rowsWithGaps: 11,
  });
  expect(conformant([...birds, "--train-on", "some"], { cwd }).status).toBe(2);
});

test("a class that has gaps in every row is trained on with them, with the pseudo-count that was asked for", () => {
  const rows = Array.from({ length: 12 }, (_, r) => (r === 7 ? ",A" : `${(r * 7) % 5},B`));
  place.write("rare.csv", `x,y\n${rows.join("\n")}\n`);
  const rare = ["fit", "rare.csv", "--label", "y", "--l2", "1", "--components", "2", "--numeric", "atoms"];
  succeed([...rare, "--pseudocount", "5", "-o", "rare.json"], { cwd });
  expect(loadModel(place.read("rare.json")).pseudocount).toBe(5);
  const { status, stderr } = conformant([...rare, "--train-on", "complete"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^error\[single-class\]: label "y": expected two or more classes among the complete rows, got only "B"\nhint: /,
  );
});

test("--no-cross-validation leaves the verdict out and says so, and the model is the same", () => {
  const words = [...quick, "--train-on", "complete"];
  succeed([...words, "-o", "with.json"], { cwd });
  const { stdout } = succeed([...words, "--no-cross-validation", "-o", "without.json"], { cwd });
  expect(stdout).toContain("verdict      none: --no-cross-validation\n");
  const { metadata, ...model } = loadModel(place.read("with.json"));
  const { verdict, ...others } = metadata ?? {};
  expect(verdict).toBeDefined();
  expect(loadModel(place.read("without.json"))).toEqual({ ...model, metadata: others });
});

test("rows without a label are skipped and counted, by fit, evaluate and calibrate", () => {
  const lines = place.read("penguins.csv").trimEnd().split("\n");
  const species = lines[0].split(",").indexOf("species");
  const gapped = lines.map((line, r) =>
    r > 0 && r % 10 === 0
      ? line
          .split(",")
          .map((cell, c) => (c === species ? "" : cell))
          .join(",")
      : line,
  );
  const labeled = lines.filter((_, r) => r === 0 || r % 10 !== 0);
  place.write("gapped.csv", `${gapped.join("\n")}\n`);
  place.write("labeled.csv", `${labeled.join("\n")}\n`);
  const [some, all] = ["gapped", "labeled"].map((name) => {
    const { stdout, stderr } = succeed(
      ["fit", `${name}.csv`, ...quick.slice(2), "--train-on", "complete", "-o", `${name}.json`, "--json"],
      { cwd },
    );
    return {
      summary: JSON.parse(stdout) as { unlabeledRows: number; verdict: unknown; training: unknown },
      stderr,
    };
  });
  expect(some.summary.unlabeledRows).toBe(34);
  expect(some.stderr).toContain("34 rows without a label skipped");
  expect(some.summary.training).toEqual(all.summary.training);
  const { stderr } = succeed(
    [
      "evaluate",
      "labeled.json",
      "gapped.csv",
      "--label",
      "species",
      "--against",
      "mean",
      "--missing",
      "0.5",
      "--repeats",
      "1",
      "--allow-training-rows",
    ],
    { cwd },
  );
  expect(stderr).toContain("34 rows without a label skipped");
});
