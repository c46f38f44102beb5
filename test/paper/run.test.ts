import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataFolders, findFile } from "../../paper/datasets/data-folder.ts";
import { parseOptions } from "../../paper/options.ts";
import type { Results } from "../../paper/protocol/scores/results.ts";
import { tables } from "../../paper/report/published.ts";
import { runPaper } from "../../paper/run.ts";

const splice = findFile(dataFolders(), ["splice/nacl-train-splice-samples.txt"]);
const folder = mkdtempSync(join(tmpdir(), "conformant-paper-"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs as the command line would and gives back what it printed. */
async function run(out: string, ...args: string[]): Promise<Results> {
  const printed: string[] = [];
  await runPaper(parseOptions([...args, "--json", "--out", join(folder, out)]), (line) => printed.push(line));
  return JSON.parse(printed[0]) as Results;
}

const AUTHORS = ["splice", "--split", "authors", "--methods", "min,mean,median,nacl,naive_bayes"];

/** Points of weighted F1 between the paper's table and ours: a point, and three standard errors of 20 repeats at 80 %. */
const ALLOWED = 1 + 3 * 0.25;

/** The numbers of a run, without when and how long it was. */
function numbersOf({ provenance: _, seconds: __, processor_seconds: ___, ...results }: Results): unknown {
  return results;
}

describe("the command line", () => {
  it("runs all five datasets unless one is named", () => {
    expect(parseOptions([]).datasets).toEqual(["mnist", "fashion", "covtype", "adult", "splice"]);
    expect(parseOptions(["adult", "--repeats", "7"])).toMatchObject({
      datasets: ["adult"],
      repeats: 7,
      seed: 0,
    });
  });

  it("looks quickly unless it is told to publish, which takes the paper's repeats and everything else", () => {
    expect(parseOptions([])).toMatchObject({
      publish: false,
      repeats: undefined,
      studies: ["explain", "claims"],
    });
    expect(parseOptions(["--publish"])).toMatchObject({
      publish: true,
      repeats: "paper",
      splits: ["authors", "ours"],
      studies: ["explain", "claims", "gaps", "numeric", "trees", "regression"],
    });
    expect(() => parseOptions(["--publish", "--l2", "200"])).toThrow(/--l2/);
  });

  it("runs studies where they are named, and then no dataset but those named", () => {
    expect(parseOptions(["numeric", "gaps"])).toMatchObject({ datasets: [], studies: ["numeric", "gaps"] });
    expect(parseOptions(["adult", "numeric"])).toMatchObject({ datasets: ["adult"], studies: ["numeric"] });
    expect(parseOptions(["adult"]).studies).toEqual([]);
  });

  it("says what is wrong with it", () => {
    expect(() => parseOptions(["iris"])).toThrow(/a dataset or study must be one of mnist, .*"iris"/);
    expect(() => parseOptions(["--methods", "mode"])).toThrow(/a method must be one of min, .*"mode"/);
    expect(() => parseOptions(["--repeats", "0"])).toThrow(/--repeats must be a whole number of at least 1/);
  });

  it("says where it looked for data that is not there", async () => {
    await expect(run("none", "splice", "--split", "ours", "--data", join(folder, "empty"))).rejects.toThrow(
      /npm run datasets/,
    );
  });
});

const PATIENCE = { timeout: 120_000 }; // two cores may be busy with other tests

describe.skipIf(splice === undefined)("the evaluation of Splice in the authors' split", PATIENCE, () => {
  it("gives the weighted F1 of the paper's table", async () => {
    const results = await run("splice", ...AUTHORS, "--repeats", "20");
    expect(results.rates).toEqual([12, 24, 36, 48]);
    for (const method of ["min", "mean", "median", "nacl"]) {
      const published = tables.weighted_f1_x100[method].splice;
      published.forEach((value, step) => {
        const ours = 100 * (results.weighted_f1[method][results.missing.indexOf(results.rates[step])] ?? 0);
        expect(Math.abs(ours - value), `${method}, step ${step}`).toBeLessThan(ALLOWED);
      });
    }
  });

  it("writes results, tables and the report", () => {
    const results = JSON.parse(
      readFileSync(join(folder, "splice/results/splice-authors.json"), "utf8"),
    ) as Results;
    expect(
      results.standard_error.weighted_f1.nacl.slice(1).every((error) => error !== null && error > 0),
    ).toBe(true);
    expect(results.provenance).toMatchObject({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    expect(results.provenance.data["splice/splice.data"]).toMatch(/^[0-9a-f]{64}$/);
    expect(results.removal_seeds).toHaveLength(20);
    const [header, ...lines] = readFileSync(join(folder, "splice/results/splice-authors.csv"), "utf8")
      .trim()
      .split("\n");
    expect(header).toBe("repeat,missing,method,cross_entropy,accuracy,weighted_f1");
    const own = lines.map((line) => line.split(",")).filter(([, m, name]) => m === "12" && name === "nacl");
    const mean = own.reduce((sum, [, , , entropy]) => sum + Number(entropy), 0) / own.length;
    expect(mean).toBeCloseTo(results.cross_entropy.nacl[results.missing.indexOf(12)] ?? 0, 12);
    const report = readFileSync(join(folder, "splice/RESULTS.md"), "utf8");
    expect(report).toMatch(/\| NaCL \| ours \|/);
    expect(report).toMatch(/\| NaCL \| paper \| \*\*93\.3\*\*/);
    expect(report).toMatch(/\| NaCL \| authors' files \| \*\*28\.4\*\*/);
    expect(report).not.toMatch(/Adult|Fashion|NaN|undefined/); // nothing is said of what was not run
  });

  it("is the same to the last bit with the same seed, and another with another", async () => {
    const args = [...AUTHORS, "--repeats", "2"];
    const first = await run("first", ...args);
    expect(numbersOf(await run("second", ...args))).toEqual(numbersOf(first));
    const scores = (out: string): string =>
      readFileSync(join(folder, out, "results/splice-authors.csv"), "utf8");
    expect(scores("second")).toBe(scores("first"));
    expect(numbersOf(await run("third", ...args, "--seed", "1"))).not.toEqual(numbersOf(first));
  });

  it("goes on where it was interrupted, and a method gets the same numbers alone", async () => {
    const whole = await run("first", ...AUTHORS, "--repeats", "2");
    await run("part", "splice", "--split", "authors", "--methods", "mean", "--repeats", "1");
    const [cache] = readdirSync(join(folder, "part/.cache"));
    const classifier = join(folder, "part/.cache", cache, "classifier.json");
    const before = statSync(classifier).mtimeMs;
    const results = await run("part", ...AUTHORS, "--repeats", "2");
    expect(numbersOf(results)).toEqual(numbersOf(whole));
    expect(statSync(classifier).mtimeMs).toBe(before); // it was not trained again
  });

  it("takes finished repeats from the cache without reading the data", async () => {
    const whole = await run("first", ...AUTHORS, "--repeats", "2");
    const [cache] = readdirSync(join(folder, "first/.cache"));
    const file = join(folder, "first/.cache", cache, "0.json");
    const scores = JSON.parse(readFileSync(file, "utf8"));
    scores.nacl[0].accuracy = 0;
    writeFileSync(file, JSON.stringify(scores));
    const again = await run("first", ...AUTHORS, "--repeats", "2");
    expect(again.accuracy.nacl[0]).toBe((whole.accuracy.nacl[0] ?? 0) / 2);
    expect(existsSync(`${file}.tmp`)).toBe(false);
  });
});
