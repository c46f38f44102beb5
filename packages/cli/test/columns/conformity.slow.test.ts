import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadModel } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { datasetFile } from "../../../conformant/test/support/datasets.ts";
import { csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const PYTHON = "/usr/bin/python3";
const hasSklearn = spawnSync(PYTHON, ["-c", "import sklearn, pandas"], { stdio: "ignore" }).status === 0;
const adult = datasetFile("adult/adult.data.gz");
const place = new Workplace();
const { folder: cwd } = place;
/** Scores of a few hundred products added in another order. */
const TOLERANCE = 1e-9;
const timeout = 600_000;

/** The largest difference between the command's answers on a file and scikit-learn's on the given rows of it. */
function difference(
  name: string,
  file: string,
  rows: readonly number[] | undefined,
  ...options: readonly string[]
): number {
  const classifier = ["--classifier", `${name}.classifier.json`, "--components", "1"];
  succeed(["fit", file, ...classifier, ...options, "-o", `${name}.json`, "--quiet"], { cwd });
  const predicted = csvRows(
    succeed(["predict", `${name}.json`, file, ...options, "--quiet"], { cwd }).stdout,
  );
  const answers = JSON.parse(place.read(`${name}.answers.json`)) as string[][];
  const { certificate } = loadModel(place.read(`${name}.json`));
  expect(certificate.conformityError).toBeLessThan(TOLERANCE);
  return Math.max(
    ...answers.map((answer, r) =>
      Math.max(...answer.map((p, k) => Math.abs(Number(p) - Number(predicted[rows?.[r] ?? r][k + 1])))),
    ),
  );
}

describe.skipIf(!hasSklearn)(
  "complete rows get scikit-learn's own answers, from the file to the output",
  () => {
    beforeAll(() => {
      const script = fileURLToPath(new URL("train_tables.py", import.meta.url));
      const { status, stderr } = spawnSync(PYTHON, ["-W", "ignore", script, cwd, adult ?? ""], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
    }, timeout);

    test.each(["iris", "wine", "breast_cancer", "digits"])("%s, as pandas writes it", { timeout }, (name) => {
      expect(difference(name, `${name}.csv`, undefined)).toBeLessThan(TOLERANCE);
    });

    test.skipIf(!adult)("Adult as published, with one-hot categories", { timeout }, () => {
      const rows = JSON.parse(place.read("adult.rows.json")) as number[];
      expect(difference("adult", adult as string, rows, "--na", "?")).toBeLessThan(TOLERANCE);
    });
  },
);
