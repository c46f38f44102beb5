import { readFileSync } from "node:fs";
import type { Column, TreesJson } from "conformant";
import { describe, expect, it } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { Workplace } from "../../../../cli/test/support/workplace.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { hasPython, python } from "../../export/support/python.ts";
import { hasR, rscript } from "../../export/support/rscript.ts";
import { largestDifference } from "../trees/trees-answers.ts";
import { writePrograms } from "./support/trained-classifiers.ts";

/** Sums of some dozens of doubles in another order. */
const DOUBLE = 1e-12;

const PYTHON = `
import json
import numpy as np
from conformant_export import export
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
rng = np.random.default_rng(2)
full = np.column_stack([rng.normal(size=(10_000, 4)).round(2), rng.integers(0, 9, 10_000)])
gaps = np.where(rng.random(full.shape) < 0.2, np.nan, full)
signal = full[:, 0] * full[:, 1] + full[:, 2] + 2 * (full[:, 4] % 3 == 1)
names, train = ["n0", "n1", "n2", "n3", "kind"], slice(0, 2000)
answers = {}
for K, label in [("two", np.where(signal > 1, "yes", "no")), ("four", np.digitize(signal, [-1, 0, 1]))]:
    for name, model, data in [
        ("tree", DecisionTreeClassifier(max_depth=9, random_state=1), full),
        ("forest", RandomForestClassifier(20, max_depth=9, random_state=1), full),
        ("extra", ExtraTreesClassifier(20, max_depth=9, random_state=1), full),
        ("gradient", GradientBoostingClassifier(n_estimators=20, random_state=1), full),
        ("histogram", HistGradientBoostingClassifier(max_iter=20, random_state=1), gaps),
        ("categories", HistGradientBoostingClassifier(max_iter=20, categorical_features=[4], random_state=1), gaps),
    ]:
        model.fit(data[train], label[train])
        export(model, data, f"{name}-{K}.json", names=names)
        answers[f"{name}-{K}"] = {"full": model.predict_proba(full).tolist()} | ({"gaps": model.predict_proba(gaps).tolist()} if data is gaps else {})
cells = lambda data: [[None if x != x else x for x in row] for row in data.tolist()]
json.dump({"columns": names, "full": cells(full), "gaps": cells(gaps), "answers": answers}, open("answers.json", "w"))
`;

const R = `
library(ranger)
library(jsonlite)
source("conformant_export.R")
set.seed(1)
n <- 10000
data <- data.frame(a = round(rnorm(n), 2), b = round(rnorm(n), 2), city = factor(sample(c("Bonn", "St. Gallen", "Ulm", "Wien"), n, TRUE)))
signal <- data$a * data$b + 2 * (data$city %in% c("Bonn", "Wien"))
data$y <- factor(ifelse(signal > 1.5, "high", ifelse(signal > 0.3, "middle", "low")))
train <- data[1:1500, ]
answers <- list()
for (factors in c("ignore", "order", "partition")) for (probability in c(TRUE, FALSE)) {
  name <- paste0(factors, if (probability) "" else "-votes")
  forest <- ranger(y ~ ., train, num.trees = 15, max.depth = 6, probability = probability, respect.unordered.factors = factors, seed = 1, num.threads = 1)
  conformant_export(forest, train, paste0(name, ".json"))
  own <- predict(forest, data, predict.all = !probability, num.threads = 1)$predictions
  if (!probability) own <- sapply(seq_along(levels(data$y)), function(k) rowMeans(own == k))
  answers[[name]] <- list(full = unname(own))
}
write(toJSON(list(columns = c("a", "b", "city"), full = data[1:3], answers = answers), dataframe = "values", digits = NA), "answers.json")
`;

type Cells = readonly (readonly (string | number | null)[])[];

interface Made {
  readonly columns: readonly string[];
  readonly full: Cells;
  readonly gaps?: Cells;
  readonly answers: Readonly<Record<string, { full: number[][]; gaps?: number[][] }>>;
}

const known = new Map<Workplace, Made>();

/** The largest difference between the trees that a program wrote and the answers it wrote with them. */
function difference(place: Workplace, name: string, part: "full" | "gaps"): number {
  const made = known.get(place) ?? (JSON.parse(place.read("answers.json")) as Made);
  known.set(place, made);
  const bytes = readFileSync(place.path(`${name}.json`));
  const json = parseClassifier(bytes, { path: name, columns: [], ...COMMAND_READING }).json as TreesJson;
  const columns = made.columns.map((column): Column => {
    const values = json.categories?.[json.features.indexOf(column)];
    return values ? { name: column, kind: "categorical", values } : { name: column, kind: "numeric" };
  });
  const rows = (made[part] ?? []).map((row) =>
    Object.fromEntries(
      row.map((value, f) => [
        made.columns[f],
        value !== null && columns[f].kind === "categorical" ? `${value}` : value,
      ]),
    ),
  );
  expect(rows.length).toBe(10_000);
  return largestDifference(json, columns, rows, made.answers[name][part] ?? []);
}

describe.skipIf(!hasPython("sklearn"))("conformant_export.py with scikit-learn's trees", () => {
  const place = new Workplace();
  it("is run", { timeout: 120_000 }, () => {
    writePrograms(place);
    python(PYTHON, [], place.folder);
  });
  const names = ["tree", "forest", "extra", "gradient", "histogram", "categories"];
  it.each(names.flatMap((name) => [`${name}-two`, `${name}-four`]))(
    "writes what answers as scikit-learn does: %s",
    { timeout: 60_000 },
    (name) => {
      expect(difference(place, name, "full")).toBeLessThan(DOUBLE);
      if (/histogram|categories/.test(name)) expect(difference(place, name, "gaps")).toBeLessThan(DOUBLE);
    },
  );
});

const hasRanger = hasR("ranger", "jsonlite");

describe.skipIf(!hasRanger)("conformant_export.R with ranger's trees", () => {
  const place = new Workplace();
  it("is run", { timeout: 120_000 }, () => {
    writePrograms(place);
    rscript(place.write("train.R", R), [], place.folder);
  });
  it.each(["ignore", "order", "partition"].flatMap((factors) => [factors, `${factors}-votes`]))(
    "writes what answers as ranger does: factors %s",
    { timeout: 60_000 },
    (name) => {
      expect(difference(place, name, "full")).toBeLessThan(DOUBLE);
    },
  );
});
