import { beforeAll, expect, test } from "vitest";
import { bestScores, sampledSentence } from "../../src/commands/evaluation-text.ts";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const evaluate = [
  "evaluate",
  "model.json",
  "penguins.csv",
  "--label",
  "species",
  "--missing",
  "0.3,0.7",
  "--repeats",
  "3",
  "--allow-training-rows",
];

interface Results {
  readonly missing: number[];
  readonly methods: Readonly<
    Record<
      string,
      {
        accuracy: number[];
        crossEntropy: number[];
        standardError: { accuracy: number[] };
        asTheyAre: { accuracy: number };
      }
    >
  >;
}

beforeAll(() => void writePenguins(place, "model.json"));

test("--json has the rates and, per method, each metric with its standard errors", () => {
  const { missing, methods } = JSON.parse(succeed([...evaluate, "--json"], { cwd }).stdout) as Results;
  expect(missing).toEqual([0.3, 0.7]);
  expect(Object.keys(methods)).toEqual(["ours", "mean", "median", "most_frequent", "class_shares"]);
  for (const result of Object.values(methods)) {
    for (const metric of ["accuracy", "weightedF1", "logLoss", "crossEntropy", "brier", "calibrationError"])
      expect(result).toHaveProperty(metric);
    expect(result.standardError.accuracy).toHaveLength(2);
  }
  for (const name of ["ours", "mean", "median", "most_frequent"])
    expect(methods[name].accuracy[1]).toBeLessThan(methods[name].asTheyAre.accuracy);
  expect(methods.ours.crossEntropy[1]).toBeLessThan(methods.most_frequent.crossEntropy[1]);
});

test("the same seed gives the same numbers, another seed others", () => {
  const once = succeed(evaluate, { cwd }).stdout;
  expect(succeed(evaluate, { cwd }).stdout).toBe(once);
  expect(succeed([...evaluate, "--seed", "1"], { cwd }).stdout).not.toBe(once);
});

test("training rows of --train are chosen by --where, --since and --sql like those of DATA", () => {
  const train = [...evaluate, "--repeats", "1", "--train", "penguins.csv"];
  for (const choice of [
    ["--where", "island = 'dream'"],
    ["--sql", "SELECT * FROM data WHERE island = 'dream'"],
    ["--since", "island=dream", "--where", "island < 'e'"],
  ])
    expect(succeed([...train, ...choice], { cwd }).stderr).toContain(
      "124 rows scored, 1 repeat; baselines trained on 124 rows",
    );
  const { status, stderr } = conformant(
    [...evaluate, "--train", "duckdb:a.db#t", "--sql", "SELECT * FROM data"],
    { cwd },
  );
  expect(stderr).toContain(
    '--sql cannot read both "penguins.csv" and "a.db": expected two files, or two tables',
  );
  expect(status).toBe(2);
});

test("a sentence names the methods that are scored on a sample of the rows", () => {
  const methods = [
    { name: "ours", rows: 10_000 },
    { name: "knn", rows: 4901 },
  ];
  expect(sampledSentence({ rows: 10_000, methods })).toBe(
    "knn is slow and scored on 4,901 rows, chosen at random from the 10,000 test rows",
  );
  expect(sampledSentence({ rows: 4901, methods: methods.slice(1) })).toBeUndefined();
});

test("class shares, which are calibrated by construction, are not marked best in calibration", () => {
  const method = (name: string, score: number) => ({
    name,
    rows: 9,
    unmasked: { calibrationError: score, logLoss: score },
    mean: { calibrationError: [score], logLoss: [score] },
    standardError: { calibrationError: [0], logLoss: [0] },
  });
  const evaluation = { rows: 9, rates: [0.5], methods: [method("ours", 2), method("class_shares", 1)] };
  const best = (metric: "calibrationError" | "logLoss"): number[] =>
    bestScores(evaluation as unknown as Parameters<typeof bestScores>[0], metric);
  expect(best("calibrationError")).toEqual([2, 2]);
  expect(best("logLoss")).toEqual([1, 1]);
});

test.each(["mar", "mnar"])("cells can go missing by %s, and columns together", (mechanism) => {
  const words = [...evaluate, "--json", "--mask", mechanism, "--block", "bill_length,bill_depth"];
  const { methods } = JSON.parse(succeed(words, { cwd }).stdout) as Results;
  expect(methods.ours.accuracy[1]).toBeGreaterThan(0.3);
});

test("missing values of other rows are overlaid, in one column of every table", () => {
  const words = ["evaluate", "model.json", "penguins.csv", "--label", "species", "--allow-training-rows"];
  const patterns = [...words, "--mask", "patterns", "--repeats", "2"];
  const { stdout } = succeed([...patterns, "--report", "patterns.html"], { cwd });
  expect(stdout).toMatch(/^masked +as they are +patterns$/m);
  expect(place.read("patterns.html")).toContain(
    '<th scope="col">as they are</th><th scope="col">patterns</th>',
  );
  const { mask, methods } = JSON.parse(succeed([...patterns, "--json"], { cwd }).stdout) as Results & {
    mask: string;
  };
  expect(mask).toBe("patterns");
  expect(methods.ours.accuracy).toHaveLength(1);
  const refused = (more: readonly string[], data = "penguins.csv"): string =>
    conformant([...patterns.map((word, i) => (i === 2 ? data : word)), ...more], { cwd }).stderr;
  expect(refused(["--missing", "0.3"])).toContain("--missing cannot be combined with --mask patterns");
  const complete = place
    .read("penguins.csv")
    .split("\n")
    .filter((line) => !/,,|,$|NA/.test(line));
  place.write("complete.csv", complete.join("\n"));
  expect(refused([], "complete.csv")).toContain(
    '--mask patterns requires rows with missing values, and "complete.csv" has none',
  );
});

test("every baseline of the library can be named", () => {
  const baselines = "min,max,mean,median,most_frequent,em,mice,knn,naive_bayes,reduced";
  const { methods } = JSON.parse(
    succeed([...evaluate, "--json", "--repeats", "1", "--against", baselines], { cwd }).stdout,
  ) as Results;
  expect(Object.keys(methods)).toEqual(["ours", ...baselines.split(","), "class_shares"]);
});

test("one repeat has no standard error, in no output", () => {
  const once = [...evaluate, "--repeats", "1"];
  const { methods } = JSON.parse(succeed([...once, "--json"], { cwd }).stdout) as Results;
  expect(methods.ours.standardError.accuracy.every((error) => error === null)).toBe(true);
  const { stdout } = succeed([...once, "--report", "once.html"], { cwd });
  expect(stdout.slice(stdout.indexOf("Accuracy ("))).not.toMatch(/±|NaN/);
  expect(place.read("once.html")).not.toMatch(/<small> ±|NaN/);
});

test("the report is one page with six plots, two of calibration and the choice that asks nothing of the network", () => {
  const { stderr } = succeed([...evaluate, "--report", "report.html"], { cwd });
  expect(stderr).toContain("report written to report.html");
  const page = place.read("report.html");
  expect(page.match(/<svg/g)).toHaveLength(9);
  expect(page).toContain("prefers-color-scheme:dark");
  expect(page).not.toMatch(/<script|<link|src=|url\(|NaN/);
  expect(page.replaceAll("http://www.w3.org/", "")).not.toMatch(/https?:/);
});

test("baselines can be trained on rows of their own", () => {
  expect(succeed([...evaluate, "--train", "penguins.csv"], { cwd }).stderr).toContain(
    "344 rows scored, 3 repeats; baselines trained on 344 rows",
  );
});

test("--calibration scores sets by the library's own, at every share of hidden cells", () => {
  const keep = ["--label", "species", "--allow-training-rows", "-o", "kept.json"];
  succeed(["calibrate", "model.json", "penguins.csv", ...keep], { cwd });
  const words = [
    "evaluate",
    "model.json",
    "penguins.csv",
    "--label",
    "species",
    "--calibration",
    "kept.json",
    "--allow-training-rows",
  ];
  const plan = ["--missing", "0.5", "--repeats", "3", "--against", "mean"];
  const { sets } = JSON.parse(succeed([...words, ...plan, "--set", "0.8", "--json"], { cwd }).stdout);
  expect(sets).toMatchObject({
    coverage: 0.8,
    missing: [0, 0.5],
    rows: 172,
    calibrationRows: 344,
    enough: [1, 1],
  });
  // These rows are among the calibration rows, so that coverage is at least what was asked for, and with gaps sets are larger.
  for (const share of sets.covered) expect(share).toBeGreaterThan(0.8 - 0.03);
  expect(sets.classes[1]).toBeGreaterThan(sets.classes[0] - 0.01);
  const { stdout } = succeed([...words, ...plan, "--report", "sets.html"], { cwd });
  expect(stdout).toContain(
    "Sets that are to hold the class in 90 % of rows, by 344 calibration rows, on 172 rows",
  );
  expect(place.read("sets.html")).toContain("Do sets of classes keep their promise?");
});

test("rows that the model was fitted on are ignored or, if there are no others, refused", () => {
  const half = ["--where", "hash(bill_length) % 2 = 0"];
  succeed(["fit", "penguins.csv", "--label", "species", ...QUICKEST, ...half, "-o", "half.json", "-q"], {
    cwd,
  });
  const words = ["--label", "species", "--missing", "0.5", "--repeats", "1", "--against", "mean", "--json"];
  const { stdout, stderr } = succeed(["evaluate", "half.json", "penguins.csv", ...words], { cwd });
  const [, own, left] =
    /the model was fitted on (\d+) of 344 rows: \d+ rows ignored, (\d+) left/.exec(stderr) ?? [];
  expect(Number(own) + Number(left)).toBe(344);
  const others = ["--where", "NOT (hash(bill_length) % 2 = 0)"];
  expect(JSON.parse(stdout)).toEqual(
    JSON.parse(succeed(["evaluate", "half.json", "penguins.csv", ...words, ...others], { cwd }).stdout),
  );
  const refused = conformant(["evaluate", "half.json", "penguins.csv", ...words.slice(0, -1), ...half], {
    cwd,
  });
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^error\[training-rows\]: .* was fitted on \d+ of \d+ rows, expected other rows\n/,
  );
});
