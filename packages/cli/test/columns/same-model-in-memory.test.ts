import { readFileSync, writeFileSync } from "node:fs";
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
const TABLES = 25;
const penguins = join(import.meta.dirname, "../../../../examples/penguins.csv");

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
] as const)("penguins give the model of the command, %s with %s components", async (model, components) => {
  const output = join(place.folder, `${model}.json`);
  const words = ["--label", "species", "--model", model, "--components", String(components), "-o", output];
  succeed(["fit", penguins, ...words]);
  const options = { ...USUAL_TRAINING, model, components };
  const text = readFileSync(penguins, "utf8");
  expect(await fitInMemory("penguins.csv", text, { label: "species", options })).toBe(
    readFileSync(output, "utf8"),
  );
});
