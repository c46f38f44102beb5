import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const PYTHON = "/usr/bin/python3";
const hasSklearn = spawnSync(PYTHON, ["-c", "import sklearn, pandas"], { stdio: "ignore" }).status === 0;
const place = new Workplace();
const { folder: cwd } = place;
/** The command stops at a gradient of 1e-6; a penalty of twice or half the size changes some row by more than 0.01. */
const TOLERANCE = 2e-4;

/** What docs/cli.md says the training is, and the probabilities of the complete rows. */
const PROGRAM = `
import sys
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
frame = pd.read_csv("penguins.csv").dropna()
labels = frame.pop("species")
texts = [name for name in frame if frame[name].dtype == object]
numbers = [name for name in frame if name not in texts]
classifier = LogisticRegression(C=float(sys.argv[1]), tol=1e-10, max_iter=100000)
model = make_pipeline(make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(), texts)), classifier).fit(frame, labels)
pd.DataFrame(model.predict_proba(frame), columns=model.classes_, index=frame.index).to_csv("sklearn.csv")
`;

test.skipIf(!hasSklearn).each(["1", "0.01", "30"])(
  "--l2 %s is scikit-learn's C = 1 / l2, behind its StandardScaler and its one-hot encoding",
  (l2) => {
    place.write("train.py", PROGRAM);
    const { status, stderr } = spawnSync(PYTHON, ["train.py", String(1 / Number(l2))], {
      cwd,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
    const quick = ["--train-on", "complete", "--components", "1", "--no-cross-validation", "--quiet"];
    const words = ["penguins.csv", "--label", "species", "--l2", l2, ...quick, "-o", "model.json"];
    succeed(["fit", ...words], { cwd });
    const predicted = csvRows(succeed(["predict", "model.json", "penguins.csv", "--quiet"], { cwd }).stdout);
    const theirs = csvRows(place.read("sklearn.csv"));
    expect(theirs).toHaveLength(333);
    for (const [row, ...probabilities] of theirs)
      probabilities.forEach((p, k) => {
        expect(Math.abs(Number(p) - Number(predicted[Number(row)][k + 1]))).toBeLessThan(TOLERANCE);
      });
  },
);
