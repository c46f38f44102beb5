import { askNext, explain, type Model, predict, type Row, random } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { addedColumns } from "../support/added-columns.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { conformant, csvCells, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

/** A model with a Gaussian block, as `fit` gives it by default: every command must answer as the library does. */
const place = new Workplace();
const { folder: cwd } = place;
let model: Model;
let labels: string[];
/** Penguins with gaps, as the library and as the command read them. */
let rows: Row[];

beforeAll(() => {
  model = writePenguins(place, "p.json");
  expect(model.gaussianColumns?.columns).toHaveLength(4);
  const [header, ...lines] = csvCells(place.read("penguins.csv"));
  const draw = random(3).uniform;
  const gappy = lines
    .slice(0, 60)
    .map((cells, r) => cells.map((cell, c) => (c > 0 && draw() < (r % 5) / 5 ? "" : cell)));
  place.write("gaps.csv", [header, ...gappy].map((cells) => cells.join(",")).join("\n"));
  labels = gappy.map(([label]) => label);
  const value = (text: string): string | number => (Number.isNaN(Number(text)) ? text : Number(text));
  rows = gappy.map((cells) =>
    Object.fromEntries(
      header.flatMap((name, c) => (c === 0 || cells[c] === "" ? [] : [[name, value(cells[c])]])),
    ),
  );
});

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("predict --interval --explain --surprise", () => {
  const words = ["predict", "p.json", "gaps.csv", "--json", "--interval", "--explain", "--surprise"];
  const found = linesOf(succeed(words, { cwd }).stdout);
  expect(found).toHaveLength(60);
  found.forEach((line, r) => {
    expect(line).toMatchObject(addedColumns(model, rows[r]));
    const { probabilities } = line as { probabilities: Record<string, number> };
    for (const [name, p] of Object.entries(predict(model, rows[r])))
      expect(probabilities[name]).toBeCloseTo(p, 12);
  });
});

test("explain", () => {
  const { stdout } = succeed(["explain", "p.json", "gaps.csv", "--json"], { cwd });
  const found = JSON.parse(stdout) as object[];
  expect(found).toEqual(
    rows.map((row, r) => ({ row: r + 1, ...JSON.parse(JSON.stringify(explain(model, row))) })),
  );
});

test("ask, and what it takes for usual numbers", () => {
  const { stdout } = succeed(["ask", "p.json", "--given", "island=dream", "--json"], { cwd });
  expect(JSON.parse(stdout)).toEqual(askNext(model, { island: "dream" }));
  const { stderr, stdout: told } = conformant(["ask", "p.json", "--given", "island=dream", "--interactive"], {
    cwd,
    input: "49\n",
  });
  const [, low, high] = /bill_length \(a number, usually ([\d.]+) to ([\d.]+)\)/.exec(told + stderr) ?? [];
  const lengths = place
    .read("penguins.csv")
    .split("\n")
    .flatMap((line) => Number(line.split(",")[2]) || []);
  // Nearly all of the training data lies inside, and the range is not much wider than the data.
  const inside = lengths.filter((x) => x >= Number(low) && x <= Number(high)).length;
  expect(inside / lengths.length).toBeGreaterThan(0.99);
  expect(Number(high) - Number(low)).toBeLessThan(1.3 * (Math.max(...lengths) - Math.min(...lengths)));
});

test("evaluate", () => {
  const words = [
    "--missing",
    "0.5,1",
    "--repeats",
    "1",
    "--against",
    "mean",
    "--train",
    "penguins.csv",
    "--allow-training-rows",
    "--json",
  ];
  const { stdout } = succeed(["evaluate", "p.json", "gaps.csv", "--label", "species", ...words], { cwd });
  const { ours } = JSON.parse(stdout).methods;
  const lossOf = (answers: readonly Record<string, number>[]): number =>
    answers.reduce((sum, p, r) => sum - Math.log(p[labels[r]]), 0) / answers.length;
  expect(ours.unmasked.logLoss).toBeCloseTo(lossOf(rows.map((row) => predict(model, row))), 9);
  expect(ours.logLoss[1]).toBeCloseTo(lossOf(rows.map(() => predict(model, {}))), 9);
});
