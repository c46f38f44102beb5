import { classify, loadModel, type Model, predict, type Row } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { post, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

const USED = ["--columns", "bill_length,bill_depth", "--components", "3"];
const birds = ["fit", "penguins.csv", "--label", "species", ...USED];
const also = ["--also", "island,body_mass"];

describe("columns of --also", () => {
  let alone: Model;
  let model: Model;
  let summary: string;
  beforeAll(() => {
    succeed([...birds, "-o", "alone.json"], { cwd });
    summary = succeed([...birds, ...also, "-o", "also.json"], { cwd }).stdout;
    [alone, model] = ["alone.json", "also.json"].map((file) => loadModel(place.read(file)));
  });

  test("have no weight, are in the model and tell what is missing", () => {
    expect(summary).toContain(
      '"island", "body_mass": not used by the classifier, only to infer missing values',
    );
    expect(model.schema.columns.map(({ name }) => name)).toEqual([
      "bill_length",
      "bill_depth",
      "island",
      "body_mass",
    ]);
    // Two numbers, three islands, one number: the weights of the last four slots.
    expect([...model.tilt.weights.slice(2 * 3)]).toEqual(new Array(4 * 3).fill(0));
    const given = { island: "biscoe", body_mass: 5500 };
    expect(predict(model, given).gentoo).toBeGreaterThan(predict(alone, {}).gentoo + 0.3);
  });

  test("leave the classifier's answers to its own columns as they are, to the last bit", () => {
    const row = { bill_length: 45.2, bill_depth: 14.8 };
    const own = classify(model.predictor, row);
    expect(predict(model, row)).toEqual(own);
    expect(predict(model, { ...row, island: "dream" })).toEqual(own);
  });

  test("are answered from by the command and the service as by the library", async () => {
    const rows: Row[] = [
      { island: "dream" },
      { bill_length: 39.1, body_mass: 3750 },
      { bill_depth: 14, island: "biscoe", body_mass: 5000 },
    ];
    place.write("some.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
    const answers = csvRows(succeed(["predict", "also.json", "some.jsonl"], { cwd }).stdout);
    const {
      response: { outputs: classes },
    } = model;
    const served = await startServe(["also.json"], { cwd });
    try {
      for (const [r, row] of rows.entries()) {
        const own = predict(model, row);
        // After the prediction, a column per class.
        for (const [k, name] of classes.entries())
          expect(Number(answers[r][1 + k])).toBeCloseTo(own[name], 12);
        const { body } = await post(`${served.url}/predict`, { row });
        expect((body as { probabilities: unknown }).probabilities).toEqual(own);
      }
    } finally {
      await served.stop();
    }
  });

  test("may be all that are left, beside a classifier that is imported and beside trees", () => {
    succeed(["export", "alone.json", "--to", "json", "-o", "classifier.json"], { cwd });
    const imported = ["fit", "penguins.csv", "--classifier", "classifier.json", "--components", "2"];
    const rest = ["--also", "all", "--exclude", "sex"];
    const trees = [...birds, "--model", "trees", ...rest];
    for (const [words, file] of [
      [[...imported, ...rest], "imported.json"],
      [trees, "trees.json"],
    ] as const) {
      const report = JSON.parse(succeed([...words, "--json", "-o", file], { cwd }).stdout);
      const { columns } = report as { columns: { name: string; also?: boolean }[] };
      expect(columns.filter((column) => column.also).map(({ name }) => name)).toEqual([
        "island",
        "flipper_length",
        "body_mass",
      ]);
      const fitted = loadModel(place.read(file));
      const [heavy, light] = [6000, 3000].map((body_mass) => predict(fitted, { body_mass }).gentoo);
      expect(heavy).toBeGreaterThan(light + 0.3);
    }
  });

  test.each([
    [["--also", "wings"], "unknown-column", /--also names "wings"/],
    [["--also", "bill_length"], "usage", /"bill_length", which the classifier uses/],
    [["--also", "species"], "usage", /"species", which is the label/],
    [["--also", "sex", "--exclude", "sex"], "usage", /"sex", which --exclude leaves out/],
  ])("are refused where they cannot be: %s", (words, code, message) => {
    const { status, stderr } = conformant([...birds, ...words], { cwd });
    expect(status).not.toBe(0);
    expect(stderr).toContain(`error[${code}]`);
    expect(stderr).toMatch(message);
  });

  test("need to know what the classifier uses where all others are meant", () => {
    const { stderr } = conformant(["fit", "penguins.csv", "--label", "species", "--also", "all"], { cwd });
    expect(stderr).toMatch(/error\[usage\]: --also all requires --columns/);
  });
});
