import { pathToFileURL } from "node:url";
import { loadRegressionModel, predict, random, regress } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Houses whose price is a sum, with a few values missing. */
beforeAll(() => {
  const rows = Array.from({ length: 200 }, (_, i) => {
    const size = 50 + ((i * 37) % 100);
    const rooms = Math.round(size / 25) + (i % 3);
    const city = ["Bonn", "Ulm", "Hof"][(i * 7) % 3];
    const price = 1000.5 + 20 * size + 300 * rooms + (city === "Bonn" ? 900 : 0) + ((i * 13) % 11) * 20;
    return `${i % 17 === 3 ? "" : size},${rooms},${city},${price}`;
  });
  place.write("houses.csv", ["size,rooms,city,price", ...rows].join("\n"));
  place.write("new.csv", "size,rooms,city\n100,4,Bonn\n,4,Bonn\n,,\n");
  place.write(
    "classes.csv",
    ["x,y", ...rows.map((_, i) => `${i % 9},${i % 9 > 4 ? "yes" : "no"}`)].join("\n"),
  );
});

const JSON_FIT = ["fit", "houses.csv", "--label", "price", "-o", "houses.json", "--json"];

test("fit decides that a label with fractions is a number, says so, and has a verdict in its unit", () => {
  const { stdout, stderr } = succeed(JSON_FIT, { cwd });
  expect(stderr).toContain('"price" holds numbers with');
  expect(stderr).toContain("--task classification predicts classes");
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ task: "regression", model: "linear", output: "price" });
  const { verdict } = report;
  expect(verdict.task).toBe("regression");
  expect(verdict.rmse).toBeLessThan(0.2 * verdict.baselineRmse);
  expect(verdict.r2).toBeGreaterThan(0.9);
  expect(verdict.sentence).toContain("On new rows: off by about");
});

test("fit chooses trees where a linear regression has the higher error on held-out rows", () => {
  const rows = Array.from({ length: 300 }, (_, i) => {
    const [a, b] = [(i * 37) % 101, (i * 53) % 97];
    return `${a},${b},${(a > 50) !== (b > 48) ? 10 : 0}.${i % 10}`;
  });
  place.write("either.csv", ["a,b,y", ...rows].join("\n"));
  const fitted = succeed(["fit", "either.csv", "--label", "y", "-o", "either.json", "--json"], { cwd });
  expect(JSON.parse(fitted.stdout)).toMatchObject({ task: "regression", model: "trees" });
  expect(fitted.stderr).toMatch(
    /boosted trees: their error on 300 held-out rows is lower, [0-9.]+ instead of [0-9.]+/,
  );
});

test("a linear regression learns from rows with missing values, also where large numbers have them more often", () => {
  const { normal, uniform } = random(5);
  const rows = Array.from({ length: 2000 }, () => {
    const z = normal();
    const x = 0.6 * z + 0.8 * normal();
    const y = 3 * x + z + normal();
    return `${y > 1 && uniform() < 0.9 ? "" : x},${z},${y}`;
  });
  place.write("selected.csv", ["x,z,y", ...rows].join("\n"));
  const fitted = (trainOn: string): readonly number[] => {
    const words = [
      "--model",
      "logistic",
      "--train-on",
      trainOn,
      "--components",
      "1",
      "--no-cross-validation",
    ];
    const { stdout } = succeed(["fit", "selected.csv", "--label", "y", ...words, "-o", "selected.json"], {
      cwd,
    });
    expect(stdout).toMatch(trainOn === "all" ? /incomplete rows used/ : /incomplete rows not used/);
    const { predictor } = loadRegressionModel(place.read("selected.json"));
    return predictor.kind === "linear" ? Array.from(predictor.weights) : [];
  };
  const [x, z] = fitted("all");
  // Four standard errors of 2,000 complete rows, σ = 1, are 0.11.
  expect(Math.abs(x - 3)).toBeLessThan(0.15);
  expect(Math.abs(z - 1)).toBeLessThan(0.15);
  expect(Math.abs(fitted("complete")[0] - 3)).toBeGreaterThan(2 * Math.abs(x - 3));
});

test("predict writes the number, its interval, and the regressor's own answer where nothing is missing", () => {
  const model = loadRegressionModel(place.read("houses.json"));
  const { stdout } = succeed(["predict", "houses.json", "new.csv", "--interval", "0.9"], { cwd });
  const [header, ...lines] = stdout.trim().split("\n");
  expect(header).toBe("prediction,interval_low,interval_high");
  const [complete, part, nothing] = lines.map((line) => line.split(",").map(Number));
  const own = regress(model.predictor, { size: 100, rooms: 4, city: "Bonn" });
  expect(complete).toEqual([own, own, own]);
  expect(part[0]).toBeCloseTo(predict(model, { rooms: 4, city: "Bonn" }), 9);
  expect(part[1]).toBeLessThan(part[0]);
  expect(part[2]).toBeGreaterThan(part[0]);
  expect(nothing[2] - nothing[1]).toBeGreaterThan(part[2] - part[1]);
  const json = succeed(["predict", "houses.json", "new.csv", "--json"], { cwd }).stdout.split("\n")[0];
  expect(JSON.parse(json)).toEqual({ prediction: own });
  const kept = csvRows(succeed(["predict", "houses.json", "new.csv", "--keep", "city"], { cwd }).stdout);
  expect(kept[0].length).toBe(2);
});

test("explain, ask and inspect answer in the unit of the number", () => {
  const explained = JSON.parse(
    succeed(["explain", "houses.json", "new.csv", "--row", "1", "--json"], { cwd }).stdout,
  );
  expect(explained).toMatchObject({ output: "price" });
  expect(explained.contributions[0]).toHaveProperty("effect");
  const text = succeed(["explain", "houses.json", "new.csv", "--row", "1", "--shapley"], { cwd }).stdout;
  for (const words of ["Predicted price:", "raises", "Shapley values"]) expect(text).toContain(words);
  const asked = JSON.parse(succeed(["ask", "houses.json", "--given", "city=Bonn", "--json"], { cwd }).stdout);
  expect(asked[0].varianceReduction).toBeGreaterThanOrEqual(asked[1].varianceReduction);
  expect(succeed(["ask", "houses.json"], { cwd }).stdout).toContain("variance falls by");
  expect(succeed(["inspect", "houses.json"], { cwd }).stdout).toContain("the number price: 3 columns");
  expect(JSON.parse(succeed(["inspect", "houses.json", "--json"], { cwd }).stdout).output).toBe("price");
});

test("boosted trees predict numbers, too, with the standard error of sampled answers", () => {
  succeed(
    [
      "fit",
      "houses.csv",
      "--label",
      "price",
      "--model",
      "trees",
      "-o",
      "trees.json",
      "--no-cross-validation",
    ],
    {
      cwd,
    },
  );
  const { stdout } = succeed(["predict", "trees.json", "new.csv"], { cwd });
  const [header, complete] = stdout.trim().split("\n");
  expect(header).toBe("prediction,standard_error");
  expect(complete.split(",")[1]).toBe("0");
});

test("evaluate scores numbers as more values are masked, against imputers", () => {
  const { stdout } = succeed(
    [
      "evaluate",
      "houses.json",
      "houses.csv",
      "--label",
      "price",
      "--missing",
      "0.4",
      "--repeats",
      "2",
      "--against",
      "mean,knn",
      "--json",
    ],
    { cwd },
  );
  const { missing, rows, verdict, methods } = JSON.parse(stdout);
  expect(verdict).toMatchObject({ rows, folds: 0, rmse: methods.ours.asTheyAre.rmse });
  expect(verdict.sentence).toMatch(/^On these rows: off by about .*; always answering the mean: /);
  expect(missing).toEqual([0.4]);
  expect(rows).toBe(100);
  expect(Object.keys(methods)).toEqual(["ours", "mean", "knn"]);
  for (const name of ["ours", "mean", "knn"]) {
    const { rmse, mae, r2, rmseToFull, standardError } = methods[name];
    expect(rmse[0]).toBeGreaterThanOrEqual(mae[0]);
    expect(r2[0]).toBeLessThan(1);
    expect(rmseToFull[0]).toBeGreaterThan(0);
    expect(standardError.rmse[0]).toBeGreaterThan(0);
  }
  expect(methods.ours.rmse[0]).toBeLessThan(methods.mean.rmse[0]);
});

test("--task overrides what the label's values say", () => {
  succeed(["fit", "classes.csv", "--label", "x", "--task", "regression", "-o", "x.json"], { cwd });
  expect(succeed(["predict", "x.json", "classes.csv"], { cwd }).stdout.split("\n")[0]).toBe("prediction");
  const report = succeed(["fit", "classes.csv", "--label", "x", "-o", "c.json", "--json"], { cwd }).stdout;
  expect(JSON.parse(report).task).toBe("classification");
});

test("bad labels, and models of the other sort, are errors of one line", () => {
  expect(
    conformant(["fit", "classes.csv", "--label", "y", "--task", "regression"], { cwd }).stderr,
  ).toContain('label "y": expected numbers to predict, got "no"');
  place.write("constant.csv", "x,y\n1,5\n2,5\n3,5\n");
  expect(
    conformant(["fit", "constant.csv", "--label", "y", "--task", "regression"], { cwd }).stderr,
  ).toContain("expected two or more different numbers, got only 5");
  place.write("dates.csv", "x,y\n1,2024-01-05\n2,2024-01-06\n3,2024-01-07\n");
  expect(conformant(["fit", "dates.csv", "--label", "y", "--task", "regression"], { cwd }).stderr).toContain(
    'expected numbers to predict, got "2024-01-0',
  );
  const days = Array.from(
    { length: 60 },
    (_, i) => `${i % 7},2024-01-${String(1 + (i % 30)).padStart(2, "0")}`,
  );
  place.write("days.csv", ["x,y", ...days].join("\n"));
  expect(conformant(["fit", "days.csv", "--label", "y"], { cwd }).stderr).toMatch(
    /^error\[unsupported-type\]: "days.csv", label "y": expected classes or numbers, got dates such as "2024-01-\d\d"\n$/,
  );
  place.write("mixed.csv", "x,y\n1,1.5\n2,2.5\n3,n.s.\n");
  expect(conformant(["fit", "mixed.csv", "--label", "y", "--task", "regression"], { cwd }).stderr).toContain(
    'expected numbers to predict, got "n.s."',
  );
  place.write("labels.json", '{"classes":{"yes":"Yes"}}');
  const page = ["export", "houses.json", "--to", "page", "-o", "page", "--labels", "labels.json"];
  expect(conformant(page, { cwd }).stderr).toContain('predicts the number "price" and has no classes');
  place.write("labels.json", '{"outcome":{"unit":"EUR"}}');
  succeed(page, { cwd });
  expect(JSON.parse(place.read("page/page.json")).labels.outcome).toEqual({ unit: "EUR" });
  expect(conformant(["predict", "houses.json", "new.csv", "--explain"], { cwd }).stderr).toContain(
    '--explain is for models of classes; this one predicts the number "price"',
  );
});

test("export writes every format; the module answers as the library does, to the last bit, and its types hold", async () => {
  const model = loadRegressionModel(place.read("houses.json"));
  for (const format of ["onnx", "sql", "python", "r", "json"])
    succeed(["export", "houses.json", "--to", format, "-o", `exported.${format}`], { cwd });
  succeed(["export", "houses.json", "--to", "js", "-o", "houses.mjs"], { cwd });
  const module = await import(/* @vite-ignore */ pathToFileURL(place.path("houses.mjs")).href);
  for (const row of [{ size: 100, rooms: 4, city: "Bonn" }, { city: "Ulm" }, {}])
    expect(module.predict(row)).toBe(predict(model, row));
  expect(module.output).toBe("price");
  expect(place.read("houses.d.mts")).toContain(
    "export function predict(row: Row, options?: Options): number;",
  );
});

test("calibrate keeps labeled rows, from which predict adds an interval of the outcome to each number", () => {
  const calibrate = [
    "calibrate",
    "houses.json",
    "houses.csv",
    "-o",
    "calibration.json",
    "--allow-training-rows",
  ];
  expect(succeed(calibrate, { cwd }).stderr).toContain(
    "200 rows: enough for intervals of a coverage up to 0.995",
  );
  const set = ["--set", "0.9", "--calibration", "calibration.json"];
  const { stdout } = succeed(["predict", "houses.json", "houses.csv", "--keep", "price", ...set], { cwd });
  const [header, ...rows] = stdout.trim().split("\n");
  expect(header).toBe("prediction,outcome_low,outcome_high,price");
  const inside = rows.filter((row) => {
    const [, low, high, price] = row.split(",").map(Number);
    return price >= low && price <= high;
  });
  expect(Math.abs(inside.length / rows.length - 0.9)).toBeLessThan(0.05);
  expect(conformant(["predict", "houses.json", "new.csv", ...set, "--randomized"], { cwd }).stderr).toContain(
    '--randomized is for models of classes; this one predicts the number "price"',
  );
  expect(
    conformant(["predict", "houses.json", "new.csv", "--set", "0.9", "--calibration", "houses.json"], { cwd })
      .stderr,
  ).toContain('"format": "conformant-calibration"');
});

test("an existing regressor is imported: its own answers for complete rows, and no names of classes", () => {
  place.write(
    "own.json",
    '{"output": "price", "features": ["size", "rooms"], "intercept": 10, "coef": [2, -1]}',
  );
  const fit = ["fit", "houses.csv", "--classifier", "own.json", "-o", "imported.json"];
  expect(succeed(fit, { cwd }).stdout).toContain("predicts     the number price");
  const { stdout } = succeed(["predict", "imported.json", "new.csv"], { cwd });
  expect(stdout.split("\n")[1]).toBe(String(10 + 2 * 100 - 4));
  expect(conformant([...fit, "--classes", "a,b"], { cwd }).stderr).toContain(
    "it predicts a number, and --classes names classes",
  );
  expect(conformant([...fit, "--label", "city"], { cwd }).stderr).toMatch(
    /label "city": expected numbers to predict, got "(?:Bonn|Ulm)/,
  );
  place.write("huge.json", '{"output": "price", "features": ["size"], "intercept": 0, "coef": [1e200]}');
  expect(conformant(["fit", "houses.csv", "--classifier", "huge.json"], { cwd }).stderr).toMatch(
    /error\[invalid-value\]: the regressor must answer complete rows with numbers of at most 1e\+100 in size, got -?\d/,
  );
});
