import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { datasetFile } from "../../../conformant/test/support/datasets.ts";
import { csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const PYTHON = "/usr/bin/python3";
const hasSklearn =
  spawnSync(PYTHON, ["-c", "import sklearn, pandas, onnx"], { stdio: "ignore" }).status === 0;
const adult = datasetFile("adult/adult.data.gz");
const place = new Workplace();
const { folder: cwd } = place;
/** Scores of up to 784 products added in another order. */
const TOLERANCE = 1e-9;
const timeout = 600_000;

/** Tables that scikit-learn ships, as pandas writes them. */
const SHIPPED = ["iris", "wine", "breast_cancer", "digits", "diabetes", "linnerud"];
/** The five datasets: as published or, where that is a format of images, a row of pixels for each. */
const PUBLISHED = {
  adult: { file: adult, options: ["--na", "?"] },
  covtype: { file: datasetFile("covtype/covtype.sample92962.data.gz"), options: [] },
  splice: { file: datasetFile("splice/splice.data"), options: [] },
  mnist: { file: datasetFile("mnist/t10k-images-idx3-ubyte.gz") && "mnist.csv", options: [] },
  fashion: { file: datasetFile("fashion/t10k-images-idx3-ubyte.gz") && "fashion.csv", options: [] },
};
const WAYS = ["json", "onnx", "pmml"] as const;

/** The largest difference between the command's answers on a file and scikit-learn's on the complete rows of it. */
function difference(
  name: string,
  way: (typeof WAYS)[number],
  file: string,
  options: readonly string[],
): number {
  const fit = ["fit", file, "--classifier", `${name}.${way}`, "--components", "1", "-o", "model.json"];
  succeed([...fit, "--quiet", ...options], { cwd });
  const { certificate } = loadModel(place.read("model.json"));
  expect(certificate.conformityError).toBeLessThan(TOLERANCE);
  const predicted = csvRows(succeed(["predict", "model.json", file, "--quiet", ...options], { cwd }).stdout);
  const rows = JSON.parse(place.read(`${name}.rows.json`)) as number[];
  const own = way === "onnx" ? "float-answers" : "answers";
  const answers = JSON.parse(place.read(`${name}.${own}.json`)) as string[][];
  expect(answers.length).toBeGreaterThan(0);
  let largest = 0;
  answers.forEach((answer, r) => {
    answer.forEach((p, k) => {
      largest = Math.max(largest, Math.abs(Number(p) - Number(predicted[rows[r]][k + 1])));
    });
  });
  return largest;
}

describe.skipIf(!hasSklearn)(
  "complete rows get scikit-learn's own answers, from the file to the output",
  () => {
    beforeAll(() => {
      const script = fileURLToPath(new URL("train_tables.py", import.meta.url));
      const data = adult === undefined ? cwd : dirname(dirname(adult));
      const { status, stderr } = spawnSync(PYTHON, ["-W", "ignore", script, cwd, data], {
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(stderr);
    }, timeout);

    test.each(SHIPPED.flatMap((name) => WAYS.map((way) => [name, way] as const)))(
      "%s, as pandas writes it, by %s",
      { timeout },
      (name, way) => {
        expect(difference(name, way, `${name}.csv`, [])).toBeLessThan(TOLERANCE);
      },
    );

    for (const [name, { file, options }] of Object.entries(PUBLISHED))
      test.skipIf(!file).each(WAYS)(`${name} as published, by %s`, { timeout }, (way) => {
        expect(difference(name, way, file as string, options)).toBeLessThan(TOLERANCE);
      });
  },
);
