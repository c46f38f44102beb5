import { explain, type Model, predict, type Row } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { random } from "../../../conformant/src/math/random.ts";
import { randomMixture, someOf, tiedModel } from "../../../conformant/test/support/random-mixture.ts";
import { randomRow } from "../../../conformant/test/support/random-model.ts";
import { addedColumns } from "../support/added-columns.ts";
import { duckdb } from "../support/duckdb.ts";
import { writeModel } from "../support/given-model.ts";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const ALL = ["--interval", "--explain", "--surprise"];
let model: Model;
let rows: Row[];

beforeAll(() => {
  const mixture = randomMixture({ seed: 8, columns: 6, classes: 3, components: 2 });
  const g = random(21);
  rows = Array.from({ length: 100 }, () => someOf(randomRow(mixture, g), g, 0.6));
  model = writeModel(place, "m", mixture, rows);
});

test("JSON lines have what the library says of each row of a mixture, and the same predictions as without", () => {
  const plain = succeed(["predict", "m.json", "m.csv", "--json"], { cwd }).stdout.trimEnd().split("\n");
  const { stdout } = succeed(["predict", "m.json", "m.csv", "--json", ...ALL, "--keep", "id"], { cwd });
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(100);
  lines.forEach((line, r) => {
    const found = JSON.parse(line) as Record<string, unknown>;
    const own = JSON.parse(plain[r]) as object;
    expect(found).toEqual({ ...own, ...addedColumns(model, rows[r]), id: String(r + 1) });
  });
});

test("CSV and Parquet hold the same doubles and texts", async () => {
  const json = succeed(["predict", "m.json", "m.csv", "--json", ...ALL], { cwd })
    .stdout.trimEnd()
    .split("\n");
  /** The columns of CSV and Parquet, and the keys of JSON. */
  const names = {
    interval_low: "intervalLow",
    interval_high: "intervalHigh",
    same_decision: "sameDecision",
    sufficient: "sufficient",
    opposing: "opposing",
    explanation: "explanation",
    log_evidence: "logEvidence",
    typicality: "typicality",
  };
  const expected = json.map((line) => {
    const found = JSON.parse(line) as Record<string, unknown>;
    return Object.values(names).map((key) => {
      const value = found[key];
      return Array.isArray(value) ? value.join(", ") : value;
    });
  });
  for (const file of ["out.parquet", "out.csv"]) {
    succeed(["predict", "m.json", "m.csv", ...ALL, "-o", file], { cwd });
    const columns = Object.keys(names).map((name) =>
      ["sufficient", "opposing"].includes(name) ? `coalesce(${name}, '')` : name,
    );
    expect(await duckdb(`SELECT ${columns.join(", ")} FROM '${place.path(file)}'`)).toEqual(expected);
  }
});

test("--level widens the interval, --seed decides what is drawn", () => {
  const width = (words: readonly string[]): number =>
    csvRows(succeed(["predict", "m.json", "m.csv", "--interval", ...words], { cwd }).stdout).reduce(
      (sum, cells) => sum + Number(cells[5]) - Number(cells[4]),
      0,
    );
  expect(width(["--level", "0.5"])).toBeLessThan(width([]));
  const { status, stderr } = conformant(["predict", "m.json", "m.csv", "--interval", "--level", "1"], {
    cwd,
  });
  expect(stderr).toMatch(/^error\[usage\]: --level must be a probability/);
  expect(status).toBe(2);
});

test("a tie is predicted as explain and the paper decide it: the last of the tied classes", () => {
  const tied = writeModel(place, "tied", tiedModel(1, 3, 3), [{}]);
  expect(new Set(Object.values(predict(tied, {})).map((p) => p.toFixed(9))).size).toBe(1);
  const [cells] = csvRows(succeed(["predict", "tied.json", "tied.csv", "--explain"], { cwd }).stdout);
  expect(cells[0]).toBe("class 2");
  expect(explain(tied, {}).prediction).toBe("class 2");
});

test("a kept column must not have the name of an added one", () => {
  place.write("clash.csv", "x0,typicality\n1,2\n");
  const { stderr } = conformant(["predict", "m.json", "clash.csv", "--surprise", "--keep", "typicality"], {
    cwd,
  });
  expect(stderr).toMatch(/error\[usage\]: --keep "typicality" would give two columns of that name/);
  for (const name of ["logEvidence", "probabilities"]) {
    place.write("clash.jsonl", JSON.stringify({ x0: 1, [name]: 2 }));
    const words = ["predict", "m.json", "clash.jsonl", "--surprise", "--keep", name];
    expect(conformant([...words, "--format", "jsonl"], { cwd }).stderr).toMatch(/would give two columns/);
    succeed(words, { cwd });
  }
});
