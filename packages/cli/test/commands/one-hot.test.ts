import { type Row, random } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { QUICKEST } from "../support/fitted-penguins.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const CONTRACTS = ["Month", "One year", "Two year"];

/** Customers: those with a short contract leave more often; a tenth of the contracts is missing. */
function customers(count: number): Row[] {
  const g = random(7);
  return Array.from({ length: count }, () => {
    const contract = CONTRACTS[Math.floor(g.uniform() * 3)];
    const age = 20 + Math.floor(g.uniform() * 50);
    const leaves = g.uniform() < (contract === "Month" ? 0.7 : 0.2) + (age > 50 ? 0.1 : 0);
    return { age, churn: leaves ? "yes" : "no", ...(g.uniform() > 0.1 && { contract }) };
  });
}

function csv(rows: readonly Row[], names: readonly string[]): string {
  return [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))]
    .map((row) => `${row.join(",")}\n`)
    .join("");
}

/** The rows as `get_dummies` of pandas writes them, zeros for a missing value. */
function dummies(rows: readonly Row[], bit: (isSet: boolean) => string | number): Row[] {
  return rows.map(({ contract, ...row }) => ({
    ...row,
    ...Object.fromEntries(CONTRACTS.map((value) => [`contract_${value}`, bit(contract === value)])),
  }));
}

const NAMES = ["age", "churn", ...CONTRACTS.map((value) => `contract_${value}`)];
const rows = customers(300);

beforeAll(() => {
  place.write("raw.csv", csv(rows, ["age", "churn", "contract"]));
  place.write("bits.csv", csv(dummies(rows, Number), NAMES));
  place.write(
    "truth.csv",
    csv(
      dummies(rows, (isSet) => (isSet ? "True" : "False")),
      NAMES,
    ),
  );
});

describe("--one-hot", () => {
  const fitting = (data: string, ...words: string[]) => [
    "fit",
    data,
    "--label",
    "churn",
    ...QUICKEST,
    ...words,
  ];

  test("reads 0/1 or True/False columns as one column: the model and the predictions are those of the raw table", () => {
    succeed([...fitting("raw.csv"), "-o", "raw.json"], { cwd });
    const predictions = succeed(["predict", "raw.json", "raw.csv"], { cwd }).stdout;
    for (const data of ["bits.csv", "truth.csv"]) {
      succeed([...fitting(data, "--one-hot", "contract"), "-o", "bits.json"], { cwd });
      expect(place.read("bits.json")).toBe(place.read("raw.json"));
      const own = ["predict", "bits.json", "--one-hot", "contract"];
      expect(succeed([...own, data], { cwd }).stdout).toBe(predictions);
      expect(succeed([...own, "-"], { cwd, input: place.read(data) }).stdout).toBe(predictions);
    }
    // A table that has the column itself needs nothing, so that one command line serves both.
    expect(succeed(["predict", "raw.json", "raw.csv", "--one-hot", "contract"], { cwd }).stdout).toBe(
      predictions,
    );
    expect(
      succeed(["predict", "bits.json", "bits.csv", "--one-hot", "contract", "--where", "age > 50"], { cwd })
        .stdout,
    ).toBe(succeed(["predict", "raw.json", "raw.csv", "--where", "age > 50"], { cwd }).stdout);
  });

  test("is what a fit on such columns advises, and no other", () => {
    const whole = dummies(
      rows.filter(({ contract }) => contract !== undefined),
      Number,
    );
    place.write("whole.csv", csv(whole, NAMES));
    const told = succeed([...fitting("whole.csv"), "-o", "whole.json"], { cwd }).stderr;
    expect(told).toContain(
      'the columns "contract_Month", "contract_One year", "contract_Two year" look like one column in one-hot encoding; --one-hot contract reads them as one',
    );
    // Of two names for the same columns it is the longer.
    place.write("phone.csv", csv(whole, NAMES).replaceAll("contract_", "phone.contract_"));
    const { stderr } = succeed([...fitting("phone.csv"), "-o", "phone.json"], { cwd });
    expect(stderr.match(/--one-hot \S+ reads/g)).toEqual(["--one-hot phone.contract reads"]);
    expect(succeed([...fitting("raw.csv"), "-o", "raw.json"], { cwd }).stderr).not.toContain("one-hot");
    place.write(
      "flags.csv",
      csv(
        whole.map((row, r) => ({ ...row, contract_new: r % 2 })),
        [...NAMES, "contract_new"],
      ),
    );
    expect(succeed([...fitting("flags.csv"), "-o", "flags.json"], { cwd }).stderr).not.toContain("one-hot");
  });

  test("makes features of an imported classifier values of the column, of raw and of encoded rows", () => {
    const classifier = (separator: string) =>
      JSON.stringify({
        classes: ["no", "yes"],
        features: ["age", `contract${separator}Month`, `contract${separator}Two year`],
        intercept: [-1],
        coef: [[0.02, 1.5, -0.5]],
      });
    place.write("equals.json", classifier("="));
    place.write("dummies.json", classifier("_"));
    const importing = (data: string, file: string, to: string, ...more: string[]) =>
      conformant(["fit", data, "--classifier", file, "--components", "1", "-o", to, ...more], { cwd });
    expect(importing("raw.csv", "equals.json", "equals.model.json").status).toBe(0);
    const refused = importing("raw.csv", "dummies.json", "none.json");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('name the feature "contract=Month" or pass --one-hot contract');
    for (const data of ["raw.csv", "bits.csv"]) {
      const told = importing(
        data,
        "dummies.json",
        "dummies.model.json",
        "--one-hot",
        "contract",
        "--exclude",
        "churn",
      );
      expect(told).toMatchObject({ status: 0 });
      expect(place.read("dummies.model.json")).toBe(place.read("equals.model.json"));
    }
  });

  test.each([
    [
      NAMES.map((name) => name.replace("age", "contract_age")),
      "contract",
      /column "contract_age" has values other than 0 and 1/,
    ],
    [NAMES, "tariff", /--one-hot requires two or more columns "tariff_VALUE", but "odd.csv" has only/],
  ])("names what is wrong with the columns %s", (names, name, message) => {
    const odd = dummies(rows, Number).map((row) => ({ ...row, contract_age: row.age }));
    place.write("odd.csv", csv(odd, names));
    const told = conformant([...fitting("odd.csv", "--one-hot", name)], { cwd });
    expect(told.status).toBe(1);
    expect(told.stderr).toMatch(message);
  });

  test("refuses rows with more than one 1", () => {
    const twice = dummies(rows, Number).map((row, r) =>
      r < 2 ? { ...row, contract_Month: 1, "contract_One year": 1 } : row,
    );
    place.write("twice.csv", csv(twice, NAMES));
    expect(conformant([...fitting("twice.csv", "--one-hot", "contract")], { cwd })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("has 2 rows with more than one 1, expected at most one"),
    });
  });
});
