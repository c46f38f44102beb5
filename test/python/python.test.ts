import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AnyModel, type Model, predictColumns, type Row, saveModel } from "conformant";
import { describe, expect, test } from "vitest";
import { Workplace } from "../../packages/cli/test/support/workplace.ts";
import { makeModel, nameOf, recipes } from "../../packages/workbench/test/export/support/model-recipes.ts";
import { hasPython } from "../../packages/workbench/test/export/support/python.ts";
import { indicatorModel } from "./indicator-model.ts";
import { randomRegression } from "./random-regression.ts";

const PYTHON = "/usr/bin/python3"; // Debian's, which finds Debian's modules
const root = fileURLToPath(new URL("../../", import.meta.url));
const command = join(root, "packages/cli/dist/main.js");
const place = new Workplace();

interface Run {
  readonly status: number | null;
  readonly text: string;
}

/** Runs Python with the package of the source tree. */
function python(words: readonly string[], packages = join(root, "python/src")): Run {
  const { status, stdout, stderr } = spawnSync(PYTHON, words, {
    encoding: "utf8",
    cwd: place.folder,
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      PYTHONPATH: `${packages}:${join(root, "python/tests")}`,
      PYTHONDONTWRITEBYTECODE: "1",
      OMP_NUM_THREADS: "1", // threads of BLAS wait for each other where other programs run
    },
  });
  return { status, text: stdout + stderr };
}

const tests = readdirSync(join(root, "python/tests")).filter((name) => /^test_(?!slow).*[.]py$/.test(name));

test.skipIf(!hasPython("numpy, pandas, sklearn, xgboost")).each(tests)("python/tests/%s passes", (name) => {
  const { status, text } = python(["-W", "ignore", join(root, "python/tests", name)]);
  expect(text).toMatch(/\nOK( \(skipped=\d+\))?\n$/);
  expect(status).toBe(0);
});

test.skipIf(!hasPython("numpy, pandas, sklearn, xgboost"))("the notebook prints what it has", () => {
  const notebook = join(root, "docs/tutorials/python.ipynb");
  const { status, text } = python(["-W", "ignore", join(root, "python/tests/notebook.py"), notebook]);
  expect(text).toBe("");
  expect(status).toBe(0);
});

/** Sums in another order than the library's. */
const ROUNDING = 1e-12;
/** Standard errors within which two independent samples of the same answer lie. */
const SIGMAS = 6;

const COMPARE = `
import json, sys
import numpy as np
from conformant import ExpectedClassifier, ExpectedRegressor
answers = []
for name in json.load(open("names.json")):
    model = (ExpectedRegressor if name.startswith("number") else ExpectedClassifier).load(name + ".json")
    p, e = model._predict(json.load(open(name + "-rows.json")))
    answers.append({"answers": p.ravel().tolist(), "errors": e.tolist()})
json.dump(answers, open("answers.json", "w"))
`;

/** What a model answers: K numbers per row, and standard errors where answers are sampled. */
interface Answered {
  readonly name: string;
  readonly model: AnyModel;
  readonly rows: readonly Row[];
  readonly expected: Float64Array;
  readonly standardErrors?: Float64Array | undefined;
}

function classes(name: string, model: Model, rows: readonly Row[]): Answered {
  const { probabilities, standardErrors } = predictColumns(model, rows, { extra: "ignore" });
  return { name, model, rows, expected: probabilities, standardErrors };
}

function numbers(seed: number): Answered {
  const { model, rows } = randomRegression(seed);
  const { values, standardErrors } = predictColumns(model, rows);
  return { name: `number-${seed}`, model, rows, expected: values, standardErrors };
}

test.skipIf(!hasPython("numpy, sklearn"))(
  "40 random models, 4 with indicators and 20 of numbers answer 200 to 500 rows in NumPy as the library does",
  () => {
    const asked = [
      ...recipes().map((recipe) => {
        const { model, rows } = makeModel(recipe);
        return classes(nameOf(recipe), model, rows);
      }),
      ...[1, 2, 3, 4].map((seed) => {
        const { model, rows } = indicatorModel(seed);
        return classes(`indicators-${seed}`, model, rows);
      }),
      ...Array.from({ length: 20 }, (_, seed) => numbers(seed)),
    ];
    expect(asked).toHaveLength(64);
    for (const { name, model, rows } of asked) {
      place.write(`${name}.json`, saveModel(model));
      place.write(`${name}-rows.json`, JSON.stringify(rows));
    }
    place.write("names.json", JSON.stringify(asked.map(({ name }) => name)));
    const { status, text } = python(["-c", COMPARE]);
    expect(text).toBe("");
    expect(status).toBe(0);
    const answered: { answers: number[]; errors: number[] }[] = JSON.parse(place.read("answers.json"));
    asked.forEach(({ name, model, rows, expected, standardErrors }, j) => {
      const { answers, errors } = answered[j];
      const K = model.response.outputs.length;
      expect(answers, name).toHaveLength(rows.length * K);
      const largest = Math.max(1, ...expected.map(Math.abs));
      expected.forEach((value, at) => {
        const row = Math.floor(at / K);
        const sampled = Math.hypot(errors[row], standardErrors?.[row] ?? 0);
        expect(Math.abs(value - answers[at]), `${name}, row ${row}`).toBeLessThan(
          ROUNDING * largest + SIGMAS * sampled,
        );
      });
    });
  },
);

const FIT = `
import sys
import pandas as pd
from conformant import ExpectedClassifier
X = pd.read_csv("table.csv")
y = X.pop("label")
options = dict(missing="random", l2=1, **eval(sys.argv[1]))
open("python.json", "w", encoding="utf-8").write(ExpectedClassifier(**options).fit(X, y).model_)
`;

describe.skipIf(!hasPython("numpy, pandas, sklearn"))("a fit in Python", () => {
  test.each([
    { words: ["--components", "2"], options: "{'components': 2}", ending: "csv" },
    { words: ["--model", "trees"], options: "{'model': 'trees'}", ending: "csv" },
    {
      words: ["--numeric", "gaussian", "--components", "1", "--seed", "3"],
      options: "{'numeric': 'gaussian', 'components': 1, 'random_state': 3}",
      ending: "csv",
    },
    { words: [], options: "{}", ending: "parquet" },
  ])("is the command's model byte for byte: $options from $ending", ({ words, options, ending }) => {
    const lines = readFileSync(join(root, "examples/penguins.csv"), "utf8").replace("species", "label");
    place.write("table.csv", lines);
    const data = place.path(`table.${ending}`);
    if (ending === "parquet") toParquet(place.path("table.csv"), data);
    const set = ["--missing", "random", "--l2", "1"];
    const asked = words.includes("trees") ? [] : set;
    const run = spawnSync(
      process.execPath,
      [command, "fit", data, "--label", "label", "-o", place.path("command.json"), "-q", ...asked, ...words],
      { encoding: "utf8" },
    );
    expect(run.stderr).not.toMatch(/^error/m);
    expect(python(["-W", "ignore", "-c", FIT, options]).text).toBe("");
    expect(place.read("python.json")).toBe(place.read("command.json").trimEnd());
  });
});

function toParquet(from: string, to: string): void {
  const sql = `SELECT * FROM data`;
  const made = spawnSync(
    process.execPath,
    [
      "-e",
      `const { DuckDBInstance } = require("@duckdb/node-api");
DuckDBInstance.create().then(async (db) => (await db.connect()).run(${JSON.stringify(
        `COPY (${sql.replace("data", `'${from}'`)}) TO '${to}' (FORMAT parquet)`,
      )}));`,
    ],
    { cwd: join(root, "packages/cli"), encoding: "utf8" },
  );
  expect(made.stderr).toBe("");
}

const FIVE_LINES = `
import pandas as pd
from conformant import ExpectedClassifier, __file__
table = pd.read_csv("table.csv")
X, y = table.drop(columns="label"), table["label"]
model = ExpectedClassifier(components=1).fit(X, y)
print(model.predict_proba(X.mask(X == X)).shape, model.explain(X.iloc[0])["prediction"], "site-packages" in __file__)
`;

test.skipIf(!hasPython("numpy, pandas, sklearn, pip, venv, ensurepip"))(
  "the wheel installs into a fresh environment without network, and works there",
  () => {
    mkdirSync(place.path("dist"), { recursive: true });
    expect(python([join(root, "python/build_backend.py"), place.path("dist")]).status).toBe(0);
    const [wheel] = readdirSync(place.path("dist"));
    expect(wheel).toMatch(/^conformant-\d+\.\d+\.\d+-py3-none-any\.whl$/);
    expect(readFileSync(place.path(join("dist", wheel))).length).toBeLessThan(1e6);
    place.write(
      "table.csv",
      readFileSync(join(root, "examples/penguins.csv"), "utf8").replace("species", "label"),
    );
    for (const words of [
      [PYTHON, "-m", "venv", "--system-site-packages", place.path("venv")],
      [place.path("venv/bin/pip"), "install", "--no-index", "--quiet", place.path(join("dist", wheel))],
    ])
      expect(spawnSync(words[0], words.slice(1), { encoding: "utf8" }).status, words.join(" ")).toBe(0);
    const { stdout, stderr } = spawnSync(place.path("venv/bin/python"), ["-W", "ignore", "-c", FIVE_LINES], {
      encoding: "utf8",
      cwd: place.folder,
    });
    expect(`${stdout}${stderr}`).toBe("(344, 3) adelie True\n");
  },
);
