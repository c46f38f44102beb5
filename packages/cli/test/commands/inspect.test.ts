import { beforeAll, expect, test } from "vitest";
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
  succeed(["fit", "two.csv", "--label", "y", "-o", "two.json"], { cwd });
});

test("it shows classes, columns, weights, what a gap is worth, the certificate and the likelihood", () => {
  const { stdout } = succeed(["inspect", "two.json"], { cwd });
  for (const words of ["y: 2 classes, 3 columns", "a gap equals", "letter=a", "certificate", "likelihood"])
    expect(stdout).toContain(words);
});

test("for two classes a gap equals the value that --json names", () => {
  const model = JSON.parse(succeed(["inspect", "two.json", "--json"], { cwd }).stdout) as {
    columns: { name: string; gapEquals?: number }[];
  };
  const value = model.columns.find(({ name }) => name === "x")?.gapEquals ?? Number.NaN;
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(6);
  place.write("gap.csv", `x,bit,letter\n,1,a\n${value},1,a\n`);
  const [gap, filled] = csvRows(succeed(["predict", "two.json", "gap.csv"], { cwd }).stdout).map((row) =>
    Number(row[2]),
  );
  expect(gap).toBeCloseTo(filled, 12);
});
