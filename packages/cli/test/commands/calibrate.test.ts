import {
  calibrate,
  loadCalibration,
  loadModel,
  type Model,
  predictionSet,
  type Row,
  random,
} from "conformant";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { conformant, succeed } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const SETS = ["--set", "0.9", "--calibration", "c.json"];
let model: Model;

/** A third of the penguins is for the calibration. */
const [learned, kept] = [">", "="].map((sign) => `hash(bill_length) % 3 ${sign} 0`);

beforeAll(() => {
  const fit = ["fit", "penguins.csv", "--label", "species", "--components", "2"];
  succeed([...fit, "--where", learned, "-o", "m.json"], { cwd });
  model = loadModel(place.read("m.json"));
  succeed(["calibrate", "m.json", "penguins.csv", "--where", kept, "-o", "c.json"], { cwd });
  place.write("new.csv", "island,bill_length,sex\ndream,,female\nbiscoe,48,\n,,\n");
});

const rows: Row[] = [{ island: "dream", sex: "female" }, { island: "biscoe", bill_length: 48 }, {}];

describe("calibrate", () => {
  test("keeps the rows as the library does", async () => {
    const objects = await duckdb(`SELECT * FROM '${place.path("penguins.csv")}' WHERE ${kept}`);
    const names = place.read("penguins.csv").split("\n")[0].split(",");
    const data = objects.map((values) =>
      Object.fromEntries(names.map((name, i) => [name, values[i]])),
    ) as Row[];
    const own = calibrate(model, data);
    const read = loadCalibration(place.read("c.json"));
    expect(read.labels.length).toBe(own.labels.length);
    for (const row of rows) expect(predictionSet(model, read, row)).toEqual(predictionSet(model, own, row));
  });

  test("takes a random part where there are more rows than wanted, the same by the same seed", () => {
    const words = ["calibrate", "m.json", "penguins.csv", "--rows", "40", "--seed", "3"];
    for (const file of ["a.json", "b.json"]) succeed([...words, "-o", file], { cwd });
    expect(place.read("a.json")).toBe(place.read("b.json"));
    expect(loadCalibration(place.read("a.json")).labels.length).toBe(40);
  });

  test("refuses the rows that the model was fitted on, and ignores them among others", () => {
    writePenguins(place, "all.json");
    const words = ["calibrate", "all.json", "penguins.csv", "-o", "d.json"];
    const { status, stderr } = conformant(words, { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^error\[training-rows\]: "penguins.csv": the model was fitted on 344 of 344 rows, expected other rows\nhint: /,
    );
    expect(succeed([...words, "--allow-training-rows"], { cwd }).stderr).toMatch(
      /scores on them are too good/,
    );
    const some = succeed(["calibrate", "m.json", "penguins.csv", "-o", "d.json"], { cwd }).stderr;
    const left = loadCalibration(place.read("d.json")).labels.length;
    expect(left).toBe(loadCalibration(place.read("c.json")).labels.length);
    expect(some).toContain(
      `the model was fitted on ${344 - left} of 344 rows: ${344 - left} rows ignored, ${left} left`,
    );
  });

  test.each([
    ["no output", ["calibrate", "m.json", "penguins.csv"], 2, /calibrate requires --output FILE/],
    ["no such label", ["calibrate", "m.json", "penguins.csv", "--label", "kind", "-o", "e.json"], 1, /kind/],
    [
      "labels of others",
      ["calibrate", "m.json", "penguins.csv", "--label", "island", "-o", "e.json"],
      1,
      /unknown-class/,
    ],
    [
      "the data in its place",
      ["calibrate", "m.json", "penguins.csv", "-o", "penguins.csv"],
      2,
      /error\[usage\]/,
    ],
  ])("refuses %s and writes nothing", (_, words, status, message) => {
    const { status: found, stderr } = conformant(words, { cwd });
    expect([found, stderr]).toEqual([status, expect.stringMatching(message)]);
    expect(() => place.read("e.json")).toThrow();
  });
});

describe("predict --set", () => {
  test("adds the sets of the library, to CSV and JSON", () => {
    const calibration = loadCalibration(place.read("c.json"));
    const json = succeed(["predict", "m.json", "new.csv", "--json", ...SETS], { cwd }).stdout;
    const lists = json
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).set);
    expect(lists).toEqual(rows.map((row) => predictionSet(model, calibration, row).classes));
    const csv = succeed(["predict", "m.json", "new.csv", ...SETS], { cwd })
      .stdout.trimEnd()
      .split("\n");
    const quoted = lists.map((names) => (names.length > 1 ? `"${names.join(", ")}"` : names[0]));
    expect(csv.slice(1).map((line, r) => line.endsWith(`,${quoted[r]}`))).toEqual([true, true, true]);
    const drawn = succeed(
      ["predict", "m.json", "new.csv", "--json", ...SETS, "--randomized", "--seed", "5"],
      { cwd },
    );
    const randomized = random(5);
    expect(
      drawn.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).set),
    ).toEqual(rows.map((row) => predictionSet(model, calibration, row, { randomized }).classes));
  });

  test("says where rows are too few", () => {
    succeed(["calibrate", "m.json", "penguins.csv", "--rows", "5", "-o", "few.json"], { cwd });
    const { stderr, stdout } = succeed(
      ["predict", "m.json", "new.csv", "--set", "0.9", "--calibration", "few.json"],
      { cwd },
    );
    expect(stderr).toMatch(/3 rows: fewer calibration rows know the same columns than 0\.9 needs/);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .slice(1)
        .every((line) => line.split(", ").length === 3),
    ).toBe(true);
  });

  test.each([
    ["a coverage that is none", ["--set", "90", "--calibration", "c.json"], 2, /--set must be a probability/],
    [
      "no calibration",
      ["--set", "0.9"],
      2,
      /--set requires --calibration FILE\nhint: .*conformant calibrate/,
    ],
    [
      "a model for a calibration",
      ["--set", "0.9", "--calibration", "m.json"],
      1,
      /error\[calibration-format\]: "m\.json"/,
    ],
    ["no file", ["--set", "0.9", "--calibration", "none.json"], 1, /none\.json/],
  ])("refuses %s", (_, words, status, message) => {
    const { status: found, stderr } = conformant(["predict", "m.json", "new.csv", ...words], { cwd });
    expect([found, stderr]).toEqual([status, expect.stringMatching(message)]);
  });

  test("refuses the calibration of another model", () => {
    writePenguins(place, "o.json", "--exclude", "sex", ...QUICKEST);
    const { stderr, status } = conformant(["predict", "o.json", "new.csv", ...SETS], { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(/error\[calibration-mismatch\]: "c\.json": the calibration is for a model with/);
  });
});

describe("the service", () => {
  let served: Served;
  beforeAll(async () => {
    served = await startServe(["m.json", "--calibration", "c.json"], { cwd });
  });
  afterAll(() => served?.stop());

  test("answers with sets where they are asked for", async () => {
    const calibration = loadCalibration(place.read("c.json"));
    const { unseen: _, ...own } = predictionSet(model, calibration, rows[0], { coverage: 0.8 });
    const { body } = await post(`${served.url}/predict`, { row: rows[0], set: 0.8 });
    expect((body as { set: object }).set).toEqual(own);
    const batch = await post(`${served.url}/predict`, { rows, set: 0.8 });
    const { predictions } = batch.body as { predictions: { set: { classes: string[] } }[] };
    expect(predictions.map(({ set }) => set.classes)).toEqual(
      rows.map((row) => predictionSet(model, calibration, row, { coverage: 0.8 }).classes),
    );
    expect((await post(`${served.url}/predict`, { row: rows[0], set: 90 })).status).toBe(422);
  });

  test("refuses sets where it has no calibration", async () => {
    const other = await startServe(["m.json"], { cwd });
    const { status, body } = await post(`${other.url}/predict`, { row: {}, set: 0.9 });
    await other.stop();
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: "no-calibration" } });
  });
});
