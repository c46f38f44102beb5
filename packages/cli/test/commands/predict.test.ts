import { readFileSync } from "node:fs";
import { join } from "node:path";
import { classify, loadModel, predict, type Row } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { csvCells, csvRows, succeed, succeedAlone } from "../support/run.ts";
import { examples, Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
/** The pipe prints doubles in full, so all that is left is the order of a sum. */
const TOLERANCE = 1e-12;
const NUMERIC = ["bill_length", "bill_depth", "flipper_length", "body_mass"];

beforeAll(() => void writePenguins(place, "model.json"));

function readPenguins(): Row[] {
  const [header, ...lines] = csvCells(place.read("penguins.csv"));
  return lines.map((cells) =>
    Object.fromEntries(
      cells.map((cell, c) => [header[c], NUMERIC.includes(header[c]) && cell !== "" ? Number(cell) : cell]),
    ),
  );
}

test("on complete rows of mixed columns predict equals the classifier, on all rows the library", () => {
  const model = loadModel(place.read("model.json"));
  const answers = csvRows(succeed(["predict", "model.json", "penguins.csv"], { cwd }).stdout);
  let complete = 0;
  readPenguins().forEach((row, r) => {
    const { species, ...known } = row;
    const expected = Object.values(known).includes("")
      ? predict(model, known)
      : classify(model.predictor, known);
    if (!Object.values(known).includes("")) complete++;
    model.response.outputs.forEach((name, k) => {
      expect(Math.abs(Number(answers[r][k + 1]) - expected[name])).toBeLessThan(TOLERANCE);
    });
  });
  expect(complete).toBe(333);
});

test("a scikit-learn classifier answers complete rows as scikit-learn does", () => {
  const classifier = join(examples, "classifier.json");
  const words = ["--classifier", classifier, "--components", "1", "--numeric", "atoms", "-o", "sklearn.json"];
  succeed(["fit", join(examples, "unlabelled.parquet"), ...words], { cwd });
  const answers = join(examples, "classifier-answers.csv");
  const expected = csvRows(readFileSync(answers, "utf8")).map((row) => row.slice(-3).map(Number));
  const actual = csvRows(succeed(["predict", "sklearn.json", answers], { cwd }).stdout).map((row) =>
    row.slice(1).map(Number),
  );
  expect(actual.length).toBe(333);
  actual.forEach((row, r) => {
    for (let k = 0; k < 3; k++) expect(Math.abs(row[k] - expected[r][k])).toBeLessThan(TOLERANCE);
  });
});

test("columns are found by name in any order, extra ones are ignored, absent ones reported once", () => {
  place.write("shuffled.csv", "extra,sex,island\n1,male,dream\n2,,biscoe\n");
  const { stdout, stderr } = succeed(["predict", "model.json", "shuffled.csv"], { cwd });
  const model = loadModel(place.read("model.json"));
  expect(Number(csvRows(stdout)[0][1])).toBeCloseTo(
    predict(model, { sex: "male", island: "dream" }).adelie,
    12,
  );
  expect(stderr.match(/lacks "bill_length"/g)).toHaveLength(1);
});

test("--check names the columns that are missing or unknown more often than in training, and only them", () => {
  const check = ["predict", "model.json", "penguins.csv", "--check", "-o", "checked.csv"];
  expect(succeed(check, { cwd }).stderr).toContain("check: no column differs from the training data");
  const [header, ...lines] = place.read("penguins.csv").trim().split("\n");
  const at = header.split(",").indexOf("sex");
  const changed = lines.map((line, r) =>
    line
      .split(",")
      .map((cell, c) => (c === at && r % 3 === 0 ? "" : r % 10 === 0 ? cell.replace("dream", "mars") : cell))
      .join(","),
  );
  place.write("changed.csv", [header, ...changed, ""].join("\n"));
  const { stderr } = succeed(["predict", "model.json", "changed.csv", "--check", "-o", "checked.csv"], {
    cwd,
  });
  expect(stderr).toMatch(/column "sex": missing in 3\d(\.\d)? % of 344 rows, in training in 3\.2 %/);
  expect(stderr).toMatch(
    /column "island": \d\.\d+ % of 344 rows have values that are not in the training data/,
  );
  expect(stderr).not.toContain("check: no");
  expect(stderr).not.toMatch(/column "body_mass"/);
  place.write("kilograms.csv", "body_mass\n3.7\n4.1\n5\n3.9\n4.4\n");
  const other = succeed(["predict", "model.json", "kilograms.csv", "--check", "-o", "checked.csv"], { cwd });
  expect(other.stderr).toMatch(/column "body_mass": 100 % of 5 rows have values .* beyond its range/);
});

test("an unknown category counts as missing and is reported, --strict makes it an error", () => {
  place.write("mars.csv", "island,sex\nmars,male\ndream,male\nmars,\n");
  const { stderr, stdout } = succeed(["predict", "model.json", "mars.csv"], { cwd });
  expect(stderr).toContain('column "island": 2 rows with an unknown category, counted as missing ("mars")');
  const model = loadModel(place.read("model.json"));
  expect(Number(csvRows(stdout)[0][1])).toBeCloseTo(predict(model, { sex: "male" }).adelie, 12);
});

test("CSV, JSON lines, TSV, gzip and Parquet hold the same doubles; --keep copies columns", async () => {
  const csv = csvRows(
    succeed(["predict", "model.json", "penguins.csv", "--keep", "species,sex"], { cwd }).stdout,
  );
  const json = succeed(["predict", "model.json", "penguins.csv", "--json", "--keep", "sex"], { cwd })
    .stdout.trimEnd()
    .split("\n");
  const first = JSON.parse(json[0]) as {
    prediction: string;
    probabilities: Record<string, number>;
    sex: string;
  };
  expect(first.sex).toBe("male");
  expect(first.probabilities.adelie).toBe(Number(csv[0][1]));
  for (const name of ["out.parquet", "out.tsv", "out.csv.gz", "out.jsonl"])
    succeed(["predict", "model.json", "penguins.csv", "-o", name], { cwd });
  const rows = await duckdb(
    `SELECT prediction, p_adelie, p_chinstrap, p_gentoo FROM '${place.path("out.parquet")}'`,
  );
  expect(rows.map(([, p]) => p)).toEqual(csv.map(([, p]) => Number(p)));
  expect((await duckdb(`SELECT p_gentoo FROM '${place.path("out.csv.gz")}'`)).map(([p]) => p)).toEqual(
    csv.map((row) => Number(row[3])),
  );
  expect((await duckdb(`SELECT p_gentoo FROM read_csv('${place.path("out.tsv")}', delim='\t')`)).length).toBe(
    344,
  );
  expect(place.read("out.jsonl").split("\n").length).toBe(345);
});

test("standard input gives the same answers as the file", () => {
  const fromFile = succeed(["predict", "model.json", "penguins.csv"], { cwd }).stdout;
  expect(succeed(["predict", "model.json", "-"], { cwd, input: place.read("penguins.csv") }).stdout).toBe(
    fromFile,
  );
});

test("the model may come from standard input", () => {
  const fromFile = succeed(["predict", "model.json", "penguins.csv"], { cwd }).stdout;
  const input = place.read("model.json");
  expect(succeedAlone(["predict", "-", "penguins.csv"], { cwd, input }).stdout).toBe(fromFile);
});

test("class names and kept columns with commas and quotes survive", async () => {
  const odd = ['"a,b"', '"say ""x"""'];
  place.write(
    "odd.csv",
    ["x,y,note", ...Array.from({ length: 20 }, (_, i) => `${i},${odd[i % 2]},"n,${i}"`)].join("\n"),
  );
  succeed(["fit", "odd.csv", "--label", "y", "--columns", "x", "-o", "odd.json"], { cwd });
  succeed(["predict", "odd.json", "odd.csv", "--keep", "note", "-o", "odd-out.csv"], { cwd });
  const rows = await duckdb(`SELECT * FROM read_csv('${place.path("odd-out.csv")}', header=true)`);
  expect(new Set(rows.map(([prediction]) => prediction))).toEqual(new Set(["a,b", 'say "x"']));
  expect(rows[3][3]).toBe("n,3");
});

test("kept texts cannot run as formulas in a spreadsheet, numbers stay numbers, --raw copies everything", () => {
  const cells = ["=1+1", "-x", "-3", "@SUM(A1)", "plain"];
  place.write(
    "formulas.csv",
    ["x,y,=note,n", ...Array.from({ length: 20 }, (_, i) => `${i},${i % 2},${cells[i % 5]},-${i + 1}`)].join(
      "\n",
    ),
  );
  succeed(["fit", "formulas.csv", "--label", "y", "--columns", "x", "-o", "formulas.json"], { cwd });
  const kept = (...words: string[]): string[] => {
    const { stdout } = succeed(["predict", "formulas.json", "formulas.csv", "--keep", "=note,n", ...words], {
      cwd,
    });
    return stdout
      .trim()
      .split("\n")
      .slice(0, 6)
      .map((line) => line.split(",").slice(3).join(","));
  };
  expect(kept()).toEqual(["'=note,n", "'=1+1,-1", "'-x,-2", "-3,-3", "'@SUM(A1),-4", "plain,-5"]);
  expect(kept("--raw")).toEqual(["=note,n", "=1+1,-1", "-x,-2", "-3,-3", "@SUM(A1),-4", "plain,-5"]);
  const json = succeed(["predict", "formulas.json", "formulas.csv", "--keep", "=note", "--json"], {
    cwd,
  }).stdout;
  expect(JSON.parse(json.split("\n")[0])["=note"]).toBe("=1+1");
});

test("any number of threads writes the same predictions of a mixture, byte for byte", () => {
  const header = place.read("penguins.csv").split("\n", 1)[0];
  const lines = place.read("penguins.csv").trimEnd().split("\n").slice(1);
  place.write("many.csv", `${[header, ...Array.from({ length: 60 }, () => lines).flat()].join("\n")}\n`);
  const [one, three] = ["1", "3"].map((threads) => {
    succeed(
      ["predict", "model.json", "many.csv", "--keep", "island", "--threads", threads, "-o", "answers.csv"],
      { cwd },
    );
    return place.read("answers.csv");
  });
  expect(one.split("\n").length).toBe(60 * lines.length + 2);
  expect(three === one).toBe(true);
});

test("unknown categories are found where the engine writes the file itself", () => {
  writePenguins(place, "one.json", ...QUICKEST);
  place.write("odd.csv", "island,sex\ndream,male\nmars,female\n,male\nmoon,\n");
  const { stderr } = succeed(["predict", "one.json", "odd.csv", "-o", "odd-answers.csv"], { cwd });
  expect(stderr).toContain(
    'column "island": 2 rows with an unknown category, counted as missing ("mars", "moon")',
  );
  expect(
    succeed(["predict", "one.json", "penguins.csv", "-o", "odd-answers.csv"], { cwd }).stderr,
  ).not.toContain("does not know");
});
