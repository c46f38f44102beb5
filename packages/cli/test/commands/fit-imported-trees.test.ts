import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { conformant, type Outcome } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

/** Two trees: age decides first, then the city. */
const TREES = {
  kind: "trees",
  classes: ["no", "yes"],
  features: ["age", "city=Ulm", "unused"],
  link: "logistic",
  base: [0.1],
  trees: [
    {
      feature: [0, -1, 1, -1, -1],
      threshold: [40, null, 0.5, null, null],
      left: [1, -1, 3, -1, -1],
      right: [2, -1, 4, -1, -1],
      value: [null, -1, null, 0.5, 2],
      gapsLeft: [1, 0, 1, 0, 0],
    },
    {
      feature: [1, -1, -1],
      threshold: [0.5, null, null],
      left: [1, -1, -1],
      right: [2, -1, -1],
      value: [null, -0.3, 0.3],
    },
  ],
};
const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
const sumOf = (age: number, city: string): number =>
  0.1 + (age <= 40 ? -1 : city === "Ulm" ? 2 : 0.5) + (city === "Ulm" ? 0.3 : -0.3);

describe("a classifier of trees", () => {
  const place = new Workplace();
  const run = (...words: string[]): Outcome => conformant(words, { cwd: place.folder });
  /** A model of trees on the rows, every age an atom of its own. */
  const bring = (trees: string, model: string): void => {
    const one = ["--components", "1", "--numeric", "atoms", "--bins", "60"];
    expect(run("fit", "rows.csv", "--classifier", trees, ...one, "-o", model).status).toBe(0);
  };
  const rows = Array.from({ length: 60 }, (_, r) => ({
    age: 20 + r,
    city: r % 3 === 0 ? "Ulm" : "Bonn",
    y: r % 2 ? "yes" : "no",
  }));

  beforeAll(() => {
    place.write("trees.json", JSON.stringify(TREES));
    place.write(
      "rows.csv",
      `age,city,y\n${rows.map(({ age, city, y }) => `${age},${city},${y}`).join("\n")}\n`,
    );
    place.write("gaps.csv", "age,city\n50,\n,Ulm\n,\n");
    bring("trees.json", "model.json");
  });

  it("answers complete rows as the trees do", () => {
    const { stdout } = run("predict", "model.json", "rows.csv");
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toBe("prediction,p_no,p_yes,standard_error");
    rows.forEach(({ age, city }, r) => {
      const [, , p, error] = lines[r + 1].split(",").map(Number);
      expect(Math.abs(p - logistic(sumOf(age, city)))).toBeLessThan(1e-12);
      expect(error).toBe(0);
    });
  });

  it("averages over what is missing", () => {
    const { stdout } = run("predict", "model.json", "gaps.csv");
    const [first] = stdout.trim().split("\n").slice(1);
    // A third of the rows is from Ulm; the pseudo-count of 1 per value and class pulls that towards a half.
    const answers = ["Ulm", "Bonn"].map((city) => logistic(sumOf(50, city)));
    const p = Number(first.split(",")[2]);
    const share = (p - answers[1]) / (answers[0] - answers[1]);
    expect(share).toBeGreaterThan(1 / 3 - 1e-9);
    expect(share).toBeLessThan(0.36);
  });

  it("is compared with what the trees' own software does with gaps", () => {
    const { stdout } = run(
      "evaluate",
      "model.json",
      "rows.csv",
      "--label",
      "y",
      "--missing",
      "0.5",
      "--repeats",
      "1",
      "--against",
      "native,mean",
      "--json",
    );
    expect(Object.keys(JSON.parse(stdout).methods)).toEqual(["ours", "native", "mean", "class_shares"]);
  });

  it("is explained, described and asked about", () => {
    for (const words of [
      ["explain", "model.json", "gaps.csv", "--row", "1"],
      ["inspect", "model.json"],
      ["ask", "model.json", "--given", "city=Ulm"],
    ]) {
      const { status, stdout } = run(...words);
      expect(status).toBe(0);
      expect(stdout.length).toBeGreaterThan(50);
    }
    expect(run("inspect", "model.json").stdout).toContain("2 trees with 5 leaves");
  });

  it("says what it is not there for", () => {
    const { status, stderr } = run("export", "model.json", "--to", "onnx", "-o", "x.onnx");
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/trees/);
    expect(stderr).not.toContain("internal");
  });

  it("is refused where it is damaged, in one line", () => {
    const text = place.read("trees.json");
    const wrong = [
      text.slice(0, 200),
      text.replace('"age"', '"height"'),
      text.replace("[1,-1,3,-1,-1]", "[0,-1,3,-1,-1]"),
      text.replace('"logistic"', '"probit"'),
    ];
    for (const content of wrong) {
      place.write("wrong.json", content);
      const { status, stderr } = run("fit", "rows.csv", "--classifier", "wrong.json", "-o", "wrong.out");
      expect(status).toBe(1);
      expect(
        stderr
          .trim()
          .split("\n")
          .filter((line) => line.startsWith("error[")),
      ).toHaveLength(1);
      expect(stderr).not.toContain("internal");
    }
  });

  it("trains trees of its own, which see what no sum over columns can tell", () => {
    // The class is whether exactly one of two numbers is above 50, and a tenth of them are unknown.
    const cells = Array.from({ length: 600 }, (_, r) => [(r * 37) % 101, (r * 61) % 103]);
    const lines = cells.map(
      ([a, b], r) => `${r % 10 === 0 ? "" : a},${b},${a > 50 !== b > 50 ? "one" : "none"}`,
    );
    place.write("odd.csv", `a,b,which\n${lines.join("\n")}\n`);
    const fit = ["fit", "odd.csv", "--label", "which", "--components", "1", "--seed", "3"];
    const fitted = run(...fit, "--model", "trees", "-o", "odd.json");
    expect(fitted.status).toBe(0);
    expect(fitted.stdout).toMatch(/training +\d+ boosted trees from 600 rows/);
    expect(fitted.stdout).toMatch(/scored +600 rows, each by a model fitted to other rows \(5 folds\)/);
    const right = (model: string): number => {
      const answers = run("predict", model, "odd.csv").stdout.trim().split("\n").slice(1);
      return (
        answers.filter((line, r) => r % 10 !== 0 && lines[r].endsWith(`,${line.split(",")[0]}`)).length / 540
      );
    };
    expect(right("odd.json")).toBeGreaterThan(0.97);
    expect(run(...fit, "--model", "logistic", "-o", "sums.json").status).toBe(0);
    expect(right("sums.json")).toBeLessThan(0.75);
  });

  it("says which options do not go with trees", () => {
    const l2 = run("fit", "rows.csv", "--label", "y", "--model", "trees", "--l2", "auto");
    expect(l2.stderr).toContain("error[usage]: --l2 auto cannot be combined with --model trees");
  });

  it("leaves as a module that answers alike, and as JSON that can be imported again", async () => {
    expect(run("export", "model.json", "--to", "js", "-o", "module.mjs").status).toBe(0);
    const module = (await import(/* @vite-ignore */ pathToFileURL(place.path("module.mjs")).href)) as {
      classes: string[];
      predict: (row: object) => Record<string, number>;
      classify: (row: object) => string;
    };
    const { stdout } = run("predict", "model.json", "gaps.csv");
    const asked = [{ age: 50 }, { city: "Ulm" }, {}];
    stdout
      .trim()
      .split("\n")
      .slice(1)
      .forEach((line, r) => {
        const [prediction, no, yes] = line.split(",");
        expect(module.predict(asked[r])).toEqual({ no: Number(no), yes: Number(yes) });
        expect(module.classify(asked[r])).toBe(prediction);
      });
    expect(run("export", "model.json", "--to", "json", "-o", "again.json").status).toBe(0);
    bring("again.json", "again-model.json");
    for (const rows of ["rows.csv", "gaps.csv"])
      expect(run("predict", "again-model.json", rows).stdout).toBe(run("predict", "model.json", rows).stdout);
    const refused = run("export", "model.json", "--to", "onnx", "-o", "model.onnx");
    expect(refused.stderr).toContain("error[not-exportable]: a model of trees cannot be written as onnx");
  });
});
