import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { bin, conformant, interrupt } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

beforeAll(() => {
  writePenguins(place, "model.json");
  place.write("empty.csv", "");
  place.write("nothing.jsonl", "{}\n{}\n");
  place.write("header.csv", "a,b,y\n");
  const wide = Array.from({ length: 20_000 }, (_, c) => `c${c}`);
  place.write(
    "wide.csv",
    [[...wide, "y"], [...wide.map(() => 1), "a"], [...wide.map(() => 2), "b"], ""].join("\n"),
  );
  place.write("one.csv", "a,y\n1,x\n2,x\n3,x\n");
  place.write("gaps.csv", "a,y\n1,\n2,\n");
  place.write("wrong.csv", "colour,size\nred,1\nblue,2\n");
  place.write("text.csv", place.read("penguins.csv").replace("40.3", "abc"));
  place.write("latin.csv", Buffer.from("x,y\n1,caf\xe9\n2,b\n", "latin1"));
  place.write("dates.csv", "day,x,y\n2024-01-01,1,a\n2024-01-02,2,b\n");
  place.write(
    "classifier.json",
    JSON.stringify({
      classes: ["a", "b"],
      features: ["island=dream", "wing"],
      intercept: [0],
      coef: [[1, 2]],
    }),
  );
  place.write(
    "text-classifier.json",
    JSON.stringify({ classes: ["a", "b"], features: ["island"], intercept: [0], coef: [[1]] }),
  );
  place.write("broken.json", place.read("model.json").slice(0, 500));
  place.write("newer.json", place.read("model.json").replace(/"version": ?\d+/, '"version":99'));
});

/** Command, exit status, code, and what the line must say. */
const cases: readonly [what: string, words: readonly string[], status: number, code: string, says: RegExp][] =
  [
    ["a missing file", ["fit", "nothing.csv", "--label", "y"], 1, "missing-file", /no file "nothing.csv"/],
    ["an empty file", ["fit", "empty.csv", "--label", "y"], 1, "empty-data", /"empty.csv" is empty/],
    ["rows without a column", ["fit", "nothing.jsonl", "--label", "y"], 1, "empty-data", /has no columns/],
    [
      "more columns than can be counted in minutes",
      ["fit", "wide.csv", "--label", "y"],
      1,
      "source",
      /"wide.csv": expected at most 10,000 columns in use, got 20,001/,
    ],
    ["a header and no rows", ["fit", "header.csv", "--label", "y"], 1, "empty-data", /no rows/],
    [
      "a label the data lacks",
      ["fit", "penguins.csv", "--label", "specie"],
      1,
      "unknown-column",
      /"specie".*"species", "island"/,
    ],
    [
      "one class only",
      ["fit", "one.csv", "--label", "y"],
      1,
      "single-class",
      /two or more classes, got only "x"/,
    ],
    [
      "a label without values",
      ["fit", "gaps.csv", "--label", "y"],
      1,
      "missing-label",
      /label "y": 2 rows and none has a label, expected classes/,
    ],
    [
      "a classifier that names columns the data lacks",
      ["fit", "penguins.csv", "--classifier", "classifier.json"],
      1,
      "unknown-column",
      /"wing".*"island"/,
    ],
    [
      "a classifier with one weight for a column of texts",
      ["fit", "penguins.csv", "--classifier", "text-classifier.json"],
      1,
      "invalid-classifier",
      /"island".*texts/,
    ],
    [
      "data in place of a classifier",
      ["fit", "penguins.csv", "--classifier", "penguins.csv"],
      1,
      "invalid-classifier",
      /expected a column "name"/,
    ],
    [
      "a text in a numeric column under --strict",
      ["predict", "model.json", "text.csv", "-o", "out.csv", "--strict"],
      1,
      "invalid-value",
      /row 3, column "bill_length".*got "abc"/,
    ],
    [
      "an unknown category under --strict",
      [
        "predict",
        "model.json",
        "text.csv",
        "--strict",
        "--na",
        "abc,biscoe",
        "--sql",
        "SELECT 'mars' AS island",
      ],
      1,
      "unknown-category",
      /row 1, column "island".*"mars"/,
    ],
    [
      "an unwritable output",
      ["predict", "model.json", "penguins.csv", "-o", "no/such/folder/out.csv"],
      1,
      "unwritable-output",
      /there is no folder/,
    ],
    [
      "an output that is a folder",
      ["fit", "penguins.csv", "--label", "species", "-o", "."],
      1,
      "unwritable-output",
      /it is a folder/,
    ],
    [
      "a model used on the wrong table",
      ["predict", "model.json", "wrong.csv"],
      1,
      "wrong-table",
      /none of the columns of "model.json"/,
    ],
    [
      "data in the place of the model",
      ["predict", "penguins.csv", "model.json"],
      1,
      "model-format",
      /not complete JSON/,
    ],
    ["a model that was cut off", ["inspect", "broken.json"], 1, "model-format", /"broken.json"/],
    ["a model of a newer version", ["inspect", "newer.json"], 1, "model-version", /version 99/],
    ["a file in another encoding", ["fit", "latin.csv", "--label", "y"], 1, "csv", /not in UTF-8/],
    [
      "a date that is to be a category",
      [
        "fit",
        "dates.csv",
        "--label",
        "y",
        "--sql",
        "SELECT CAST(day AS DATE) AS day, y FROM data",
        "--type",
        "day=categorical",
      ],
      1,
      "unsupported-type",
      /date or time/,
    ],
    [
      "SQL that is wrong",
      ["fit", "penguins.csv", "--label", "species", "--sql", "SELEC"],
      1,
      "source",
      /syntax error/i,
    ],
    [
      "a column to keep that is not there",
      ["predict", "model.json", "penguins.csv", "--keep", "nme"],
      1,
      "unknown-column",
      /--keep names "nme"/,
    ],
    ["a source that does not exist", ["fit", "oracle://x#t", "--label", "y"], 2, "not-available", /oracle/],
    ["no command of that name", ["fitt"], 2, "usage", /no command "fitt"/],
    ["an unknown option", ["fit", "penguins.csv", "--lable", "species"], 2, "usage", /no option --lable/],
    [
      "neither label nor classifier",
      ["fit", "penguins.csv"],
      2,
      "usage",
      /--label COLUMN or --classifier FILE/,
    ],
    ["an argument too few", ["predict", "model.json"], 2, "usage", /requires MODEL and DATA/],
    ["an argument too many", ["inspect", "model.json", "x"], 2, "usage", /got also "x"/],
    [
      "a number that is none",
      ["fit", "penguins.csv", "--label", "species", "--l2", "much"],
      2,
      "usage",
      /--l2 must be a number/,
    ],
    [
      "more digits than can be written",
      ["predict", "model.json", "penguins.csv", "--digits", "101"],
      2,
      "usage",
      /--digits must be a whole number from 0 to 100, got "101"/,
    ],
    [
      "a baseline that does not exist",
      ["evaluate", "model.json", "penguins.csv", "--label", "species", "--against", "men"],
      2,
      "usage",
      /got "men"/,
    ],
  ];

test.each(cases)("%s is one line with a code", (_, words, status, code, says) => {
  const outcome = conformant(words, { cwd });
  const lines = outcome.stderr
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("note:"));
  expect(lines[0]).toMatch(new RegExp(`^error\\[${code}\\]: `));
  expect(lines[0]).toMatch(says);
  expect(lines.slice(1).every((line) => line.startsWith("hint: "))).toBe(true);
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(outcome.status).toBe(status);
  expect(readdirSync(cwd).filter((name) => name.includes("partial") || name === "out.csv")).toEqual([]);
});

test("a text far down in a numeric column is named with its row under --strict, and nothing is left behind; without it it counts as missing", () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => `dream,${i === 50_000 ? "oops" : 40 + (i % 9)}`);
  place.write("long.csv", ["island,bill_length", ...rows].join("\n"));
  const words = ["predict", "model.json", "long.csv", "-o", "long-out.csv"];
  const { status, stderr } = conformant([...words, "--strict"], { cwd });
  expect(status).toBe(1);
  expect(stderr).toMatch(/error\[invalid-value\]: "long.csv", row 50001, column "bill_length".*got "oops"/);
  expect(existsSync(place.path("long-out.csv"))).toBe(false);
  const lenient = conformant(words, { cwd });
  expect(lenient.stderr).toMatch(/note: .*"bill_length".*"oops"/);
  expect(lenient.status).toBe(0);
});

test.skipIf(!existsSync("/dev/full"))("a full disk is one line", () => {
  for (const words of [
    ["predict", "model.json", "penguins.csv", "-o", "/dev/full"],
    ["fit", "penguins.csv", "--label", "species", ...QUICKEST, "-o", "/dev/full"],
  ]) {
    const { status, stderr } = conformant(words, { cwd });
    expect(stderr).toMatch(
      /^error\[disk-full\]: "\/dev\/full" could not be written: no space left on the device\n$/,
    );
    expect(status).toBe(1);
  }
});

test.skipIf(!existsSync("/dev/zero"))("a device without an end is no file", () => {
  for (const words of [
    ["inspect", "/dev/zero"],
    ["predict", "/dev/zero", "penguins.csv"],
    ["fit", "penguins.csv", "--classifier", "/dev/zero"],
    ["ask", "model.json", "--costs", "/dev/zero"],
  ]) {
    const { status, stderr } = conformant(words, { cwd });
    expect(stderr).toBe('error[unreadable-file]: "/dev/zero" is a device, expected a file\n');
    expect(status).toBe(1);
  }
});

test("a run in a folder that is gone is one line", () => {
  const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" inspect ../model.json`;
  const { status, stderr } = spawnSync("sh", ["-c", script, process.execPath, bin], {
    cwd,
    encoding: "utf8",
  });
  expect(stderr).toBe("error[missing-file]: the current folder is gone or cannot be read\n");
  expect(status).toBe(1);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s leaves no partial file", { timeout: 60_000 }, async (signal, ended) => {
  const rows = Array.from(
    { length: 400_000 },
    (_, i) => `dream,${30 + (i % 30)},${15 + (i % 7)},${180 + (i % 40)},${3000 + (i % 900)},male`,
  );
  place.write("many.csv", ["island,bill_length,bill_depth,flipper_length,body_mass,sex", ...rows].join("\n"));
  const partial = (): string[] => readdirSync(cwd).filter((name) => name.startsWith(`${signal}.csv`));
  const { status, stderr } = await interrupt(
    ["predict", "model.json", "many.csv", "-o", `${signal}.csv`],
    { cwd },
    () => partial().length > 0,
    signal,
  );
  expect(stderr).toContain("error[interrupted]: stopped before the end; nothing was written");
  expect(status).toBe(ended);
  expect(partial()).toEqual([]);
});

test("with --json an error is one line of JSON", () => {
  for (const [words, status, code] of [
    [["predict", "model.json", "nothing.csv", "--json"], 1, "missing-file"],
    [["predict", "model.json", "penguins.csv", "--json", "--level", "0.5"], 2, "usage"],
    [["inspect", "--json"], 2, "usage"],
  ] as const) {
    const outcome = conformant(words, { cwd });
    expect(outcome.status).toBe(status);
    expect(outcome.stderr.trimEnd().split("\n")).toHaveLength(1);
    const { error } = JSON.parse(outcome.stderr);
    expect(error).toMatchObject({ code, message: expect.any(String) });
    if (status === 2) expect(error.hint).toEqual(expect.any(String));
  }
});

test("a stack is shown with --debug only", () => {
  expect(conformant(["fit", "nothing.csv", "--label", "y"], { cwd }).stderr).not.toContain("    at ");
  expect(conformant(["fit", "nothing.csv", "--label", "y", "--debug"], { cwd }).stderr).toContain("    at ");
});
