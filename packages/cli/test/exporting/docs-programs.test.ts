import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { classify } from "conformant";
import { expect, test } from "vitest";
import { Workplace } from "../support/workplace.ts";
import { broughtClassifier, fixture, rows } from "./support/fixtures.ts";
import { hasPython, python } from "./support/python.ts";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/use-it-from.md", import.meta.url)), "utf8");
const place = new Workplace();

/** The blocks of a language on the page. */
function blocks(language: string): string[] {
  return [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map(([, program]) => program);
}

test.skipIf(!hasPython("sklearn, pandas"))("the ten lines of Python write a pipeline as JSON", () => {
  const [program] = blocks("python");
  expect(
    program
      .trim()
      .split("\n")
      .filter((line) => line !== ""),
  ).toHaveLength(10);
  for (const name of ["table.csv", "labels.csv"]) place.write(name, fixture(name));
  const answers = python(
    `
import json
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

table, labels = pd.read_csv("table.csv"), pd.read_csv("labels.csv")["seven"]
columns = ColumnTransformer([("numbers", StandardScaler(), ["age", "income"]), ("texts", OneHotEncoder(), ["city", "colour"])])
pipeline = Pipeline([("columns", columns), ("classifier", LogisticRegression(max_iter=2000))]).fit(table, labels)
print(json.dumps([list(pipeline.classes_), pipeline.predict_proba(table[:100]).tolist()]))
${program}`,
    [],
    place.folder,
  );
  const [classes, probabilities] = JSON.parse(answers) as [string[], number[][]];
  const classifier = broughtClassifier("classifier.json", readFileSync(place.path("classifier.json")));
  probabilities.forEach((expected, r) => {
    const { smoker: _, ...row } = rows[r];
    const own = classify(classifier, row);
    classes.forEach((name, k) => {
      expect(Math.abs(own[name] - expected[k])).toBeLessThan(1e-9);
    });
  });
});

test.skipIf(spawnSync("Rscript", ["--version"]).status !== 0)(
  "the lines of R write tables that are read",
  () => {
    const [glm, multinom] = blocks("r");
    const script = `
data <- read.csv("table.csv", stringsAsFactors = TRUE)
labels <- read.csv("labels.csv", stringsAsFactors = TRUE)
data$y <- labels$two
data$species <- labels$seven
${glm}
${multinom}`;
    for (const name of ["table.csv", "labels.csv"]) place.write(name, fixture(name));
    const { status, stderr } = spawnSync("Rscript", ["-e", script], { cwd: place.folder, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const read = (name: string) => broughtClassifier(name, readFileSync(place.path(name)));
    expect(read("glm.csv").classes).toEqual(["0", "1"]);
    expect(read("multinom.csv").classes).toEqual(["ant", "bee", "cat's", 'd"og', "eel", "fox", "gnu"]);
  },
);
