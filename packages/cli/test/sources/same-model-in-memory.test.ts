import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { USUAL_TRAINING, usePortableMath } from "conformant-workbench";
import { expect, test } from "vitest";
import { fitInMemory } from "../support/fit-in-memory.ts";
import { bytesOf, fitQuickly } from "../support/fit-in-process.ts";
import { succeed } from "../support/run.ts";
import { awkwardTable } from "../support/tables/awkward-table.ts";
import { textFiles } from "../support/tables/write-text.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const TABLES = 12;

/** What is made, or the code of the error. */
async function outcome(work: Promise<string>): Promise<string> {
  return work.catch((thrown: Error & { code?: string }) => {
    if (thrown.code === undefined) throw thrown;
    return thrown.code;
  });
}

usePortableMath(); // as the command does, and the page

test(`${TABLES} generated tables give the same model byte for byte in memory, in every text format, as an engine reads it`, async () => {
  let models = 0;
  for (let seed = 1; seed <= TABLES; seed++) {
    const table = awkwardTable(seed);
    const asked = {
      label: "label",
      types: new Map(table.codes.map((name) => [name, "categorical"] as const)),
      ...(table.hasNoGapTexts && { gaps: [] }),
    };
    const files = Object.entries(textFiles(table)).filter(([, content]) => typeof content === "string");
    const data = join(place.folder, `${seed}.csv`);
    writeFileSync(data, textFiles(table)["plain.csv"]);
    const expected = await outcome(fitQuickly(data, asked).then(bytesOf));
    if (expected.startsWith("{")) models++;
    for (const [name, text] of files) {
      const own = await outcome(fitInMemory(name, text as string, { ...asked, piece: 1 + (seed % 97) }));
      expect(own, `table ${seed} as ${name}`).toBe(expected);
    }
  }
  expect(models).toBeGreaterThan(TABLES / 2);
});

test.each([
  ["logistic", "auto"],
  ["trees", 2],
] as const)(
  "some penguins give the model of the command, %s with %s components",
  async (model, components) => {
    const [header, ...lines] = place.read("penguins.csv").trimEnd().split("\n");
    const text = `${[header, ...lines.filter((_, r) => r % 3 === 0)].join("\n")}\n`; // all of them are the studio's to compare
    const words = ["--label", "species", "--model", model, "--components", String(components), "--quiet"];
    const { stdout } = succeed(["fit", place.write("some.csv", text), ...words]);
    const options = { ...USUAL_TRAINING, model, components };
    expect(await fitInMemory("some.csv", text, { label: "species", options })).toBe(stdout.trimEnd());
  },
);

test("classifiers that are imported give the same model in memory: weights, weights in bins, trees, a table of coefficients", async () => {
  const rows = Array.from({ length: 80 }, (_, r) => {
    const [age, city, smoker] = [20 + ((r * 7) % 50), ["Rome", "Paris", "Oslo"][r % 3], r % 4 === 0];
    return `${r % 6 === 0 ? "" : age},${r % 9 === 0 ? "NA" : city},${smoker},${age > 40 ? "yes" : "no"}`;
  });
  const text = `age,city,smoker,ill\n${rows.join("\n")}\n`;
  const linear = {
    classes: ["no", "yes"],
    features: ["age", "city=Rome", "city=Paris", "smoker"],
    intercept: [-2.5],
    coef: [[0.06, 0.4, -0.3, 0.7]],
    label: "ill",
  };
  const binned = {
    ...linear,
    features: ["smoker"],
    coef: [[0.7]],
    binned: [{ column: "age", edges: [30, 45, 60], coef: [[-1, 0, 0.5, 1]] }],
  };
  const trees = {
    kind: "trees",
    classes: ["no", "yes"],
    features: ["age", "smoker"],
    link: "logistic",
    base: [0.2],
    trees: [
      {
        output: 0,
        feature: [0, -1, -1],
        threshold: [40, null, null],
        left: [1, -1, -1],
        right: [2, -1, -1],
        value: [null, -1, 1.5],
      },
    ],
  };
  const table = "name,estimate\n(Intercept),-2.5\nage,0.06\nsmoker,0.7\ncity=Rome,0.4\n";
  const data = place.write("ill.csv", text);
  const files = { "linear.json": linear, "binned.json": binned, "trees.json": trees, "table.csv": table };
  for (const [name, content] of Object.entries(files)) {
    const classifier = place.write(name, typeof content === "string" ? content : JSON.stringify(content));
    const expected = bytesOf(await fitQuickly(data, { classifier }));
    expect(await fitInMemory("ill.csv", text, { label: "ill", classifier }), name).toBe(expected);
  }
});
