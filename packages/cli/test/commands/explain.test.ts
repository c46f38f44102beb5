import { existsSync } from "node:fs";
import {
  type ExplainOptions,
  type Explanation,
  explain,
  explainInWords,
  type Model,
  type Row,
  type Shapley,
  shapley,
} from "conformant";
import { drawContributions } from "conformant-workbench";
import { beforeAll, expect, test } from "vitest";
import { random } from "../../../conformant/src/math/random.ts";
import {
  hardMixture,
  randomMixture,
  someOf,
  tiedModel,
} from "../../../conformant/test/support/random-mixture.ts";
import { randomRow } from "../../../conformant/test/support/random-model.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { writeModel } from "../support/given-model.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const BIRD: Row = {
  island: "biscoe",
  bill_length: 43,
  bill_depth: 16,
  flipper_length: 200,
  body_mass: 4700,
  sex: "female",
};
let penguins: Model;

beforeAll(() => {
  penguins = writePenguins(place, "model.json");
  place.write("bird.csv", `${Object.keys(BIRD).join(",")}\n${Object.values(BIRD).join(",")}\n`);
});

/** `conformant explain … --json`, read. */
function explained(words: readonly string[]): Explanation & { row: number } {
  return JSON.parse(succeed(["explain", ...words, "--json"], { cwd }).stdout) as Explanation & {
    row: number;
  };
}

test("two or three sentences come first, then the table of contributions", () => {
  const { stdout } = succeed(["explain", "model.json", "bird.csv"], { cwd });
  const [words, , header, ...lines] = stdout.split("\n");
  const expected = explain(penguins, BIRD);
  expect(words).toBe(`Row 1. ${explainInWords(expected)}`);
  expect(header).toMatch(/^column +value +log-odds +probability$/);
  expected.contributions.forEach(({ column, value, logOdds }, i) => {
    const cells = lines[i].split(/ {2,}/);
    expect(cells.slice(0, 2)).toEqual([column, String(value)]);
    expect(Number(cells[2])).toBeCloseTo(logOdds, 2);
    expect(cells[4]).toMatch(expected.opposing.includes(column) ? /^against$/ : /^for/);
    expect(cells[4].includes("suffices")).toBe(expected.sufficient.includes(column));
  });
});

test("--json has the library's explanation of every row of mixed columns, gaps and a mixture", () => {
  const mixture = randomMixture({ seed: 4, columns: 7, classes: 3, components: 2 });
  const g = random(11);
  const rows = Array.from({ length: 30 }, () => someOf(randomRow(mixture, g), g, 0.7));
  const model = writeModel(place, "mixture", mixture, rows);
  expect(model.schema.columns.map(({ kind }) => kind)).toContain("binned");
  const list = explained(["mixture.json", "mixture.csv"]) as unknown as (Explanation & { row: number })[];
  expect(list).toHaveLength(30);
  list.forEach(({ row, ...found }, r) => {
    expect(row).toBe(r + 1);
    expect(found).toEqual(JSON.parse(JSON.stringify(explain(model, rows[r]))));
  });
});

test("one row is one object, whether chosen or the only one; --row takes several", () => {
  expect(explained(["model.json", "bird.csv"])).toMatchObject({ row: 1, prediction: "gentoo" });
  expect(explained(["model.json", "penguins.csv", "--row", "344"]).row).toBe(344);
  const several = explained(["model.json", "penguins.csv", "--row", "5,2"]) as unknown as { row: number }[];
  expect(several.map(({ row }) => row)).toEqual([2, 5]);
});

test("without --row the first rows are told and the rest is mentioned; the label may be there or not", () => {
  const { stdout, stderr } = succeed(["explain", "model.json", "penguins.csv"], { cwd });
  expect(stdout.match(/^Row \d+\. Predicted/gm)).toHaveLength(10);
  expect(stderr).toContain("the first 10 rows");
});

test("options ask for what the library's options ask for", () => {
  const cases: [string[], ExplainOptions][] = [
    [["--threshold", "0.6"], { threshold: 0.6 }],
    [["--use", "sex"], { use: ["sex"] }],
    [["--avoid", "bill_depth,island"], { avoid: ["bill_depth", "island"] }],
    [["--groups", "bill=bill_length+bill_depth"], { groups: { bill: ["bill_length", "bill_depth"] } }],
    [
      ["--groups", "__proto__=bill_length+bill_depth"],
      { groups: { ["__proto__"]: ["bill_length", "bill_depth"] } },
    ],
  ];
  for (const [words, options] of cases) {
    const { sufficient, status } = explained(["model.json", "bird.csv", ...words]);
    const expected = explain(penguins, BIRD, options);
    expect({ sufficient, status }).toEqual({ sufficient: expected.sufficient, status: expected.status });
  }
});

test("--svg draws the bars of a row", () => {
  succeed(["explain", "model.json", "bird.csv", "--svg", "bird.svg"], { cwd });
  expect(place.read("bird.svg")).toBe(drawContributions(explain(penguins, BIRD)));
});

test("a row with nothing observed, a tie and a time limit each get a clear word", () => {
  writeModel(place, "tied", tiedModel(1, 4, 3), [{}]);
  expect(succeed(["explain", "tied.json", "tied.csv"], { cwd }).stdout).toBe(
    "Row 1. class 0, class 1 and class 2 are tied at 0.33; the tie counts as class 2. Nothing is known about this row.\n\nnot known: x0, x1, x2, x3\n",
  );
  const hard = hardMixture();
  writeModel(place, "hard", hard, [randomRow(hard, random(1))]);
  const words = ["hard.json", "hard.csv", "--time-limit", "0"];
  expect(succeed(["explain", ...words], { cwd }).stdout).toMatch(
    /\d+ of 60 observations suffice: .* Fewer may suffice, but not fewer than \d+\./,
  );
  expect(explained(words).status).toBe("bounded");
});

test("a category the model does not know is reported as missing, or an error with --strict", () => {
  place.write("mars.csv", "island,sex\nmars,male\n");
  const { stdout, stderr } = succeed(["explain", "model.json", "mars.csv"], { cwd });
  expect(stderr).toContain('row 1, column "island": "mars" is an unknown category and counts as missing');
  expect(stdout).toContain("not known: island, bill_length");
  expect(conformant(["explain", "model.json", "mars.csv", "--strict"], { cwd }).stderr).toMatch(
    /^error\[unknown-category\]/m,
  );
});

test.each<[string, string[], number, string, RegExp]>([
  [
    "a column that must be used and is none",
    ["--use", "sexe"],
    1,
    "unknown-column",
    /--use names "sexe".*"sex"/,
  ],
  ["a row that is not there", ["--row", "2"], 1, "unknown-row", /--row 2: "bird.csv" has only 1 row$/],
  ["a row that is no number", ["--row", "0"], 2, "usage", /--row must be row numbers.*"0"/],
  ["a probability that is none", ["--threshold", "2"], 2, "usage", /--threshold .*"2"/],
  ["a column used and avoided", ["--use", "sex", "--avoid", "sex"], 2, "usage", /both name "sex"/],
  [
    "a group that shares a column",
    ["--groups", "a=sex+island,b=sex"],
    2,
    "usage",
    /"sex" stands in "a" and in "b"/,
  ],
  [
    "a group with the name of a column",
    ["--groups", "sex=island"],
    2,
    "usage",
    /"sex" is the name of a column/,
  ],
  ["a group that is given twice", ["--groups", "a=sex,a=island"], 2, "usage", /"a" is given twice/],
  ["a group that is none", ["--groups", "sex"], 2, "usage", /NAME=COLUMN\+COLUMN/],
  ["a picture nowhere", ["--svg", "no/where.svg"], 1, "unwritable-output", /no folder/],
  ["a time limit that is none", ["--time-limit", "-1"], 2, "usage", /--time-limit/],
])("%s is one line with a code", (_, words, status, code, says) => {
  const outcome = conformant(["explain", "model.json", "bird.csv", ...words], { cwd });
  const [line] = outcome.stderr.split("\n");
  expect(line).toMatch(new RegExp(`^error\\[${code}\\]: `));
  expect(line).toMatch(says);
  expect(outcome.status).toBe(status);
  expect(existsSync(place.path("x.svg"))).toBe(false);
});

test("a column that must be used but is missing names the row; a picture of several rows is refused", () => {
  place.write("two.csv", "island,sex\ndream,male\nbiscoe,\n");
  expect(conformant(["explain", "model.json", "two.csv", "--use", "sex"], { cwd }).stderr).toMatch(
    /error\[invalid-argument\]: row 2: --use: "sex" is missing in the row/,
  );
  const { stderr, stdout } = conformant(["explain", "model.json", "two.csv", "--svg", "two.svg"], { cwd });
  expect(stderr).toMatch(/error\[usage\]: --svg draws one row of a table, DATA has several\nhint: .*--row N/);
  expect(stdout).toBe("");
  expect(existsSync(place.path("two.svg"))).toBe(false);
});

test("--shapley shares the answer out, in words and as JSON, and --interventional asks the other question", () => {
  const { shapley: shares } = explained(["model.json", "bird.csv", "--shapley"]) as unknown as {
    shapley: Shapley;
  };
  expect(shares).toEqual(JSON.parse(JSON.stringify(shapley(penguins, BIRD))));
  const { stdout } = succeed(["explain", "model.json", "bird.csv", "--shapley"], { cwd });
  for (const { column, contribution } of shares.contributions)
    expect(stdout).toMatch(new RegExp(`${column} .*${contribution.toFixed(4).replace(".", "[.]")}`));
  const other = explained(["model.json", "bird.csv", "--shapley", "--interventional"]) as unknown as {
    shapley: Shapley;
  };
  expect([other.shapley.game, other.shapley.method]).toEqual(["interventional", "sampling"]);
});
