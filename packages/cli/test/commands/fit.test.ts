import { loadModel } from "conformant";
import { expect, test } from "vitest";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

test("a CSV file becomes a model and a summary that a person wants", () => {
  const { stdout, stderr } = succeed(["fit", "penguins.csv", "--label", "species", "-o", "model.json"], {
    cwd,
  });
  for (const words of ["344 rows", "adelie 152", "accuracy", "cross-validation", "certificate", "3.2 %"])
    expect(stdout).toContain(words);
  expect(stderr).toMatch(/^trained and fitted in /);
  const { classifier, certificate } = loadModel(place.read("model.json"));
  expect(classifier.label).toBe("species");
  expect(classifier.schema.columns.map(({ kind }) => kind)).toEqual([
    "categorical",
    "numeric",
    "numeric",
    "numeric",
    "numeric",
    "categorical",
  ]);
  expect(certificate.status).toBe("converged");
});

test("without -o the model goes to standard output and the summary to standard error", () => {
  const { stdout, stderr } = succeed(["fit", "penguins.csv", "--label", "species"], { cwd });
  expect(loadModel(stdout).classifier.classes).toEqual(["adelie", "chinstrap", "gentoo"]);
  expect(stderr).toContain("344 rows");
});

test("--quiet says nothing and --json gives the summary to programs", () => {
  const words = ["fit", "penguins.csv", "--label", "species", "-o", "quiet.json", "--quiet"];
  expect(succeed(words, { cwd })).toMatchObject({ stdout: "", stderr: "" });
  const summary = JSON.parse(succeed([...words, "--json"], { cwd }).stdout) as Record<string, unknown>;
  expect(summary).toMatchObject({
    rows: 344,
    label: "species",
    training: { rows: 344, rowsCompleted: 11, rowsWithGaps: 0 },
    certificate: { status: "converged" },
  });
});

test("the same command writes the same bytes", () => {
  succeed(["fit", "penguins.csv", "--label", "species", "-o", "once.json"], { cwd });
  succeed(["fit", "penguins.csv", "--label", "species", "-o", "twice.json"], { cwd });
  expect(place.read("once.json")).toBe(place.read("twice.json"));
});

test("names, constants, empty columns and dates are left out with a word about each", () => {
  const rows = Array.from(
    { length: 40 },
    (_, i) => `person ${i},${i % 2},same,,2024-01-0${(i % 9) + 1},${i % 3},${i % 2 ? "yes" : "no"}`,
  );
  place.write("odd.csv", ["name,bit,constant,empty,day,number,label", ...rows].join("\n"));
  const { stderr } = succeed(["fit", "odd.csv", "--label", "label", "-o", "odd.json"], { cwd });
  expect(stderr).toContain('column "name" is left out: 40 different texts in 40 rows');
  expect(stderr).toContain('column "constant" is left out: it is "same"');
  expect(stderr).toContain('column "empty" is left out: it has no value');
  expect(stderr).toContain(
    'column "day" is left out: it is a date or time (DATE); take the parts that matter',
  );
  expect(loadModel(place.read("odd.json")).classifier.schema.columns).toEqual([
    { name: "bit", kind: "binary" },
    { name: "number", kind: "numeric" },
  ]);
});

test("--type, --columns and --exclude override what was found", () => {
  place.write(
    "codes.csv",
    ["zip,a,b,y", ...Array.from({ length: 30 }, (_, i) => `0${i % 3},${i % 5},${i},${i % 2}`)].join("\n"),
  );
  succeed(
    ["fit", "codes.csv", "--label", "y", "--type", "zip=categorical", "--exclude", "b", "-o", "codes.json"],
    { cwd },
  );
  expect(loadModel(place.read("codes.json")).classifier.schema.columns).toEqual([
    { name: "zip", kind: "categorical", values: ["00", "01", "02"] },
    { name: "a", kind: "numeric" },
  ]);
  succeed(["fit", "codes.csv", "--label", "y", "--columns", "b", "-o", "b.json"], { cwd });
  expect(loadModel(place.read("b.json")).classifier.schema.columns).toEqual([{ name: "b", kind: "numeric" }]);
  expect(conformant(["fit", "codes.csv", "--label", "y", "--type", "zip=number"], { cwd }).status).toBe(2);
});

test("--l2 auto takes the penalty with the least cross-validated loss", () => {
  const { stdout } = succeed(
    ["fit", "penguins.csv", "--label", "species", "--l2", "auto", "-o", "auto.json", "--json"],
    { cwd },
  );
  const { training } = JSON.parse(stdout) as {
    training: { l2: number; cross_validation: { l2: number; log_loss: number }[] };
  };
  const best = training.cross_validation.reduce((a, b) => (b.log_loss < a.log_loss ? b : a));
  expect(training.cross_validation.length).toBeGreaterThan(3);
  expect(training.l2).toBe(best.l2);
});

test("texts given by --na are gaps", () => {
  place.write(
    "marks.csv",
    place.read("penguins.csv").replace("torgersen,39.1", "torgersen,?").replace("male\n", "-9\n"),
  );
  const { stdout } = succeed(
    ["fit", "marks.csv", "--label", "species", "--na", "?,-9", "-o", "marks.json", "--json"],
    { cwd },
  );
  const { columns } = JSON.parse(stdout) as { columns: { name: string; kind: string; gaps: number }[] };
  expect(columns.find(({ name }) => name === "bill_length")).toMatchObject({ kind: "numeric", gaps: 3 });
});

test("a classifier brought along needs no labels, and a value without a feature is the reference level", () => {
  place.write(
    "brought.json",
    JSON.stringify({
      classes: ["no", "yes"],
      features: ["body_mass", "island=dream"],
      intercept: [-4],
      coef: [[0.001, 0.5]],
    }),
  );
  succeed(["fit", "penguins.csv", "--classifier", "brought.json", "-o", "m2.json"], { cwd });
  place.write("rows.csv", "body_mass,island\n4000,dream\n4000,biscoe\n");
  const [dream, biscoe] = csvRows(succeed(["predict", "m2.json", "rows.csv"], { cwd }).stdout).map((row) =>
    Number(row[2]),
  );
  expect(dream).toBeCloseTo(1 / (1 + Math.exp(-0.5)), 14);
  expect(biscoe).toBeCloseTo(0.5, 14);
});

test("the size of the mixture is chosen by held-out likelihood unless it is given, and the summary says what it buys", () => {
  const fitted = (name: string, ...words: string[]) => {
    const { stdout } = succeed(["fit", "penguins.csv", "--label", "species", "-o", name, ...words], { cwd });
    return { stdout, model: loadModel(place.read(name)) };
  };
  const auto = fitted("auto-size.json");
  const curve = auto.model.certificate.mixture?.heldOut ?? [];
  const best = curve.reduce((a, b) => (b.logLikelihood > a.logLikelihood ? b : a));
  expect(curve[0].components).toBe(1);
  // Components that run empty are left out.
  expect(auto.model.components.length).toBeGreaterThan(1);
  expect(auto.model.components.length).toBeLessThanOrEqual(best.components);
  expect(auto.model.certificate.gaussian?.columns).toEqual(best.gaussian);
  const gain = Math.exp(best.logLikelihood - curve[0].logLikelihood);
  expect(auto.stdout).toContain(`held-out rows ${gain.toPrecision(4)} times as likely as with one`);
  expect(fitted("three.json", "--components", "3").model.components.length).toBe(3);
  const paper = fitted("paper.json", "--components", "1").model;
  expect(paper.components.length).toBe(1);
  expect(paper.certificate.mixture).toBeUndefined();
});

test("--train-on complete leaves rows with gaps out and says so", () => {
  const words = ["fit", "penguins.csv", "--label", "species", "--train-on", "complete", "--components", "1"];
  const { stdout } = succeed([...words, "-o", "complete.json"], { cwd });
  expect(stdout).toContain("11 rows with gaps not trained on");
  expect(loadModel(place.read("complete.json")).classifier.training).toMatchObject({
    rows: 333,
    rowsWithGaps: 11,
  });
  expect(conformant([...words.slice(0, 5), "some"], { cwd }).status).toBe(2);
});
