import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { HostedCommands } from "../../../../../cli/test/support/hosted-commands.ts";
import { csvRows } from "../../../../../cli/test/support/run.ts";
import type { Workplace } from "../../../../../cli/test/support/workplace.ts";
import { programText } from "../../../../src/import/programs/program-text.ts";
import { python } from "../../../export/support/python.ts";

/** Writes the programs that write classifiers into a folder, as the commands print them. */
export function writePrograms(place: Workplace): void {
  place.write("conformant_export.py", programText("python"));
  place.write("conformant_export.R", programText("r"));
}

const train = readFileSync(new URL("./train_classifiers.py", import.meta.url), "utf8");
/** Sums of some dozens of products in another order, and numbers written and read as texts. */
const SAME = 1e-9;

/** What a classifier answers to the rows of a table. */
export interface TrainedAnswers {
  /** The name of a CSV file. */
  readonly table: string;
  readonly classes: readonly string[];
  readonly probabilities: readonly (readonly number[])[];
}

export type TrainedCases = Readonly<Record<string, TrainedAnswers>>;

/** Trains and exports classifiers in Python, all or those that are named; what they answer, and what was refused. */
export function trainClassifiers(
  place: Workplace,
  names: readonly string[] = [],
): { readonly answers: TrainedCases; readonly refused: Readonly<Record<string, string>> } {
  writePrograms(place);
  python(train, names, place.folder);
  return { answers: JSON.parse(place.read("answers.json")), refused: JSON.parse(place.read("refused.json")) };
}

/** Checks that `fit --classifier` and `predict` answer complete rows as the classifiers themselves do. */
export async function compareTrained(place: Workplace, cases: TrainedCases): Promise<void> {
  const commands = new HostedCommands(60_000);
  const run = async (...words: string[]): Promise<void> => {
    const { status, stderr } = await commands.run({ cwd: place.folder, words });
    expect(status, `${words.join(" ")}: ${stderr}`).toBe(0);
  };
  try {
    for (const [name, { table, classes, probabilities }] of Object.entries(cases)) {
      const model = `${name}.model.json`;
      await run(
        ...["fit", `${table}.csv`, "--classifier", `${name}.json`, "-o", model],
        ...["--components", "1", "--numeric", "atoms"],
      );
      await run("predict", model, `${table}.csv`, "-o", `${name}.csv`);
      const rows = csvRows(place.read(`${name}.csv`));
      expect(rows.length, name).toBe(probabilities.length);
      const own = rows.map((row) => row.slice(1, 1 + classes.length).map(Number));
      const differences = own.map((row, r) =>
        Math.max(...row.map((p, k) => Math.abs(p - probabilities[r][k]))),
      );
      expect(Math.max(...differences), name).toBeLessThan(SAME);
    }
  } finally {
    commands.end();
  }
}
