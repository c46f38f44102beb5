import { pathToFileURL } from "node:url";
import { loadModel, type Model, predict, type Row, random } from "conformant";
import { beforeAll, describe, expect, test } from "vitest";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { post, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** People of whom those who smoke often leave the question open. */
function people(count: number): string {
  const g = random(1);
  const chance = (p: number): number => (g.uniform() < p ? 1 : 0);
  const lines = Array.from({ length: count }, () => {
    const [old, smokes] = [chance(0.5), chance(0.4)];
    const ill = chance(1 / (1 + Math.exp(2.5 - 4 * smokes - 1.5 * old)));
    return [chance(smokes ? 0.8 : 0.1) ? "" : smokes ? "yes" : "no", old, ill ? "ill" : "well"].join(",");
  });
  return ["smokes,old,health", ...lines, ""].join("\n");
}

describe("fit --missing", () => {
  const fit = ["fit", "people.csv", "--label", "health"];
  let model: Model;
  let summary: string;
  beforeAll(() => {
    place.write("people.csv", people(300));
    summary = succeed([...fit, "-o", "auto.json"], { cwd }).stdout;
    model = loadModel(place.read("auto.json"));
  });

  test("by default, what held-out rows favor is used, and the report explains it", () => {
    expect(summary).toMatch(
      /missingness +used as evidence: rows without "smokes" are "(well" less|ill" more) often \(\d+\.\d %\) than their other values explain \(\d+\.\d %\); log loss lower by 0\.\d+ ± 0\.\d+ on 118 held-out rows/,
    );
    expect(summary).toContain("health from 2 columns, 300 rows");
    expect(model.schema.columns[2]).toEqual({
      name: "smokes is missing",
      kind: "binary",
      gapOf: "smokes",
    });
    expect(predict(model, { old: 0 }).ill).toBeGreaterThan(
      predict(model, { old: 0, smokes: "no" }).ill + 0.2,
    );
    const report = succeed([...fit, "--missing", "informative", "--json", "-o", "same.json"], { cwd }).stdout;
    expect(JSON.parse(report).training.missing).toMatchObject({ taken: true, columns: ["smokes"] });
    expect(place.read("same.json")).toBe(place.read("auto.json"));
  });

  test("gives a model that files, the service and tables without the column are answered from as by the library", async () => {
    const rows: Row[] = [
      { old: 1 },
      { smokes: "no", old: 0 },
      { smokes: "yes" },
      { smokes: "sometimes", old: 1 },
    ];
    place.write("some.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));
    const { stdout } = succeed(["predict", "auto.json", "some.jsonl", "--quiet"], { cwd });
    const served = await startServe(["auto.json"], { cwd });
    try {
      for (const [r, row] of rows.entries()) {
        const own = predict(model, row);
        expect(Number(csvRows(stdout)[r][1])).toBeCloseTo(own.ill, 12);
        const { body } = await post(`${served.url}/predict`, { row });
        expect((body as { probabilities: unknown }).probabilities).toEqual(own);
      }
    } finally {
      await served.stop();
    }
    place.write("ages.csv", "old\n1\n0\n");
    const ages = csvRows(succeed(["predict", "auto.json", "ages.csv", "--quiet"], { cwd }).stdout);
    expect(Number(ages[1][1])).toBeCloseTo(predict(model, { old: 0 }).ill, 12);
  });

  test("is exported in every format, and a module answers as the library does", async () => {
    for (const format of ["onnx", "sql", "js", "python", "r", "json"])
      succeed(["export", "auto.json", "--to", format, "-o", `out.${format === "js" ? "mjs" : format}`], {
        cwd,
      });
    const module = await import(/* @vite-ignore */ pathToFileURL(place.path("out.mjs")).href);
    for (const row of [{ old: 1 }, { smokes: "no", old: 0 }, { smokes: "sometimes", old: 1 }, {}])
      expect(module.predict(row).ill).toBeCloseTo(predict(model, row).ill, 12);
    expect(place.read("out.sql")).not.toContain("is missing");
  });

  test("is refused where there is nothing to judge by", () => {
    for (const [words, why] of [
      [["--train-on", "complete"], "--train-on complete"],
      [["--components", "1"], "--components 1"],
    ] as const) {
      const { status, stderr } = conformant([...fit, ...words, "--missing", "auto"], { cwd });
      expect(status).toBe(2);
      expect(stderr).toContain(`error[usage]: --missing auto cannot be combined with ${why}`);
    }
  });
});
