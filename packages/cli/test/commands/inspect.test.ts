import { loadModel, type ModelJson, predict } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import type { ModelDescription } from "../../../workbench/src/describe/describe-model.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

beforeAll(() => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${i % 7},${i % 2},${"abc"[i % 3]},${i % 7 > 3 ? "yes" : "no"}`,
  );
  place.write("two.csv", ["x,bit,letter,y", ...rows].join("\n"));
  succeed(
    [
      "fit",
      "two.csv",
      "--label",
      "y",
      "-o",
      "two.json",
      "--model",
      "logistic",
      "--components",
      "1",
      "--numeric",
      "atoms",
    ],
    {
      cwd,
    },
  );
});

test("it shows classes, columns, weights, what a gap is worth, the certificate and the likelihood", () => {
  const { stdout } = succeed(["inspect", "two.json"], { cwd });
  for (const words of ["y: 2 classes, 3 columns", "missing equals", "letter=a", "certificate", "likelihood"])
    expect(stdout).toContain(words);
});

test("for two classes missing equals the value that --json names", () => {
  const model = JSON.parse(succeed(["inspect", "two.json", "--json"], { cwd }).stdout) as {
    columns: { name: string; missingEquals?: number }[];
  };
  const value = model.columns.find(({ name }) => name === "x")?.missingEquals ?? Number.NaN;
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(6);
  place.write("gap.csv", `x,bit,letter\n,1,a\n${value},1,a\n`);
  const [gap, filled] = csvRows(succeed(["predict", "two.json", "gap.csv"], { cwd }).stdout).map((row) =>
    Number(row[2]),
  );
  expect(gap).toBeCloseTo(filled, 12);
});

describe("of a model with a Gaussian", () => {
  const numbers = ["bill_length", "bill_depth", "flipper_length", "body_mass"];
  const described = (name: string): ModelDescription =>
    JSON.parse(succeed(["inspect", name, "--json"], { cwd }).stdout);

  beforeAll(() => {
    const [header, ...lines] = place.read("penguins.csv").trimEnd().split("\n");
    const two = lines.filter((line) => !line.includes("gentoo"));
    place.write("pair.csv", [header, ...two].join("\n"));
    const one = ["--components", "1", "--numeric", "gaussian"];
    succeed(["fit", "pair.csv", "--label", "species", "-o", "pair.json", "--model", "logistic", ...one], {
      cwd,
    });
    writePenguins(place, "mixture.json");
  });

  test("it says what all numbers missing are worth in one line, which they are, and the certificate", () => {
    const { stdout } = succeed(["inspect", "mixture.json"], { cwd });
    expect(stdout).toMatch(/^all 4 numbers {2}gaussian( +[+-][\d.]+){3}$/m);
    expect(stdout).toContain(`gaussian     over ${numbers.join(", ")}`);
    expect(stdout).toMatch(
      /^ +means and covariances match up to .* \(in standard deviations\); ridge 1\.00e-6$/m,
    );
    expect(stdout).toMatch(/likelihood .* numbers by their density, with the prior's part/);
    expect(stdout).not.toMatch(/^body_mass +numeric/m);
  });

  test("it names columns that only the ridge keeps regular", () => {
    const [header, ...lines] = place.read("pair.csv").split("\n");
    const complete = lines.filter((line) => !line.split(",").includes(""));
    const twice = complete.map(
      (line) => `${line},${line.split(",")[header.split(",").indexOf("body_mass")]}`,
    );
    place.write("twice.csv", [`${header},again`, ...twice].join("\n"));
    const one = ["--components", "1", "--numeric", "gaussian"];
    succeed(["fit", "twice.csv", "--label", "species", "-o", "twice.json", "--model", "logistic", ...one], {
      cwd,
    });
    expect(succeed(["inspect", "twice.json"], { cwd }).stdout).toContain(
      "constant or determined by other columns, regularized by the ridge: again\n",
    );
  });

  test("with one component gaps and intercept add up to the prediction with nothing known", () => {
    const { classes, columns, gaussian } = described("pair.json");
    const gaps = [
      ...columns.flatMap(({ missingEffect }) => (missingEffect ? [missingEffect] : [])),
      gaussian?.missingEffect ?? [],
    ];
    expect(gaps).toHaveLength(3);
    const logOdds = gaps.reduce(
      (sum, gap) => sum + gap[1] - gap[0],
      classes[1].intercept - classes[0].intercept,
    );
    const { adelie, chinstrap } = predict(loadModel(place.read("pair.json")), {});
    expect(logOdds).toBeCloseTo(Math.log(chinstrap / adelie), 9);
  });

  test("in a mixture it is log P(class) less what it were without the missing part, from the file's own numbers", () => {
    const { columns, gaussian } = described("mixture.json");
    expect(gaussian?.columns).toEqual(numbers);
    const worth = gapsByHand(JSON.parse(place.read("mixture.json")) as ModelJson);
    const shown = [columns[0].missingEffect, gaussian?.missingEffect, columns[5].missingEffect];
    for (const [f, gap] of worth.entries())
      for (const [k, score] of gap.entries()) expect(shown[f]?.[k]).toBeCloseTo(score, 8);
  });
});

/** For island, the numbers and sex: what a gap is worth to each class, relative to the mean over the classes. */
function gapsByHand({ classifier, distribution }: ModelJson): number[][] {
  if (!classifier) throw new Error("a model of classes has a classifier");
  const { intercept, weights } = classifier;
  const factors = distribution.components.map(({ logQ, gaussian }) =>
    intercept.map((_, k) => {
      const sum = (logs: readonly number[], from: number): number =>
        logs.reduce((total, log, v) => total + Math.exp(log + weights[from + v][k]), 0);
      const w = [3, 4, 5, 6].map((slot) => weights[slot][k]);
      const { mean = [], covariance = [] } = gaussian ?? {};
      let exponent = 0;
      for (let a = 0; a < 4; a++) {
        exponent += w[a] * mean[a];
        for (let b = 0; b < 4; b++)
          exponent += (w[a] * w[b] * covariance[Math.max(a, b)][Math.min(a, b)]) / 2;
      }
      return [sum(logQ[0] as number[], 0), Math.exp(exponent), sum(logQ[5] as number[], 7)];
    }),
  );
  const joint = distribution.components.map(({ logWeight }, m) => {
    const scores = factors[m].map((z, k) => Math.exp(intercept[k]) * z[0] * z[1] * z[2]);
    const total = scores.reduce((sum, score) => sum + score, 0);
    return scores.map((score) => (Math.exp(logWeight) * score) / total);
  });
  return [0, 1, 2].map((f) => {
    const logs = intercept.map((_, k) => {
      const [with_, without] = [0, 1].map((out) =>
        joint.reduce((sum, p, m) => sum + p[k] / (out ? factors[m][k][f] : 1), 0),
      );
      return Math.log(with_ / without);
    });
    const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
    return logs.map((x) => x - mean);
  });
}
