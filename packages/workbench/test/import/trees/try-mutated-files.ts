import { ConformantError, type Random, random } from "conformant";
import { answerRows } from "conformant/trees";
import { expect } from "vitest";
import { COMMAND_READING } from "../../../../cli/src/commands/open-classifier-file.ts";
import { matchClassifier } from "../../../src/fit/import-classifier.ts";
import { isTrees } from "../../../src/import/imported-classifier.ts";
import { parseClassifier } from "../../../src/import/parse-classifier.ts";
import { TableError } from "../../../src/source/table-error.ts";
import { mutate, mutateNumbers } from "../../export/support/mutate.ts";
import { COLUMNS, TREE_FILES } from "./tree-files.ts";

const SOURCE = COLUMNS.map(({ name, kind }) => ({
  name,
  storage: kind === "numeric" ? ("number" as const) : ("text" as const),
  type: "",
}));

/** Rows with every city and sides of every threshold. */
export const ROWS = [20, 35, 50, 70].flatMap((age) =>
  [20, 500, 2000].flatMap((income) => ["0", "1", "2"].map((city) => ({ age, income, city }))),
);

/** What the trees of a file answer to the rows, rows × K. */
export function answersOf(name: string, bytes: Uint8Array): Float64Array {
  const brought = parseClassifier(bytes, { path: name, columns: SOURCE, ...COMMAND_READING });
  expect(isTrees(brought.json) || "coef" in brought.json).toBe(true);
  const predictor = matchClassifier(brought, name, COLUMNS);
  return predictor.kind === "trees"
    ? answerRows(
        predictor,
        ROWS.map((row) => pick(row, predictor.schema.columns)),
      )
    : new Float64Array(0);
}

function pick(row: Readonly<Record<string, string | number>>, columns: readonly { name: string }[]) {
  return Object.fromEntries(columns.map(({ name }) => [name, row[name]]));
}

/** Reads a changed file: an error that was meant, in one line, or trees whose answers are probabilities. */
function readChanged(name: string, bytes: Uint8Array): "refused" | "read" {
  try {
    const answers = answersOf(name, bytes);
    if (answers.some(Number.isNaN)) throw new Error(`${name}: trees that do not answer`);
    const K = answers.length / ROWS.length;
    for (let r = 0; r < ROWS.length && K > 0; r++)
      expect(answers.subarray(r * K, (r + 1) * K).reduce((a, b) => a + b)).toBeCloseTo(1, 4);
    return "read";
  } catch (thrown) {
    // Anything but an error that was meant would be a crash.
    if (!(thrown instanceof TableError || thrown instanceof ConformantError)) throw thrown;
    expect(thrown.code).not.toBe("internal");
    expect(thrown.message).not.toContain("\n");
    expect(thrown.message.length).toBeGreaterThan(10);
    expect(thrown.message.length).toBeLessThan(800);
    return "refused";
  }
}

/** Reads so many changed files of a format, and says how many were refused and how many read. */
export function tryMutatedFiles(
  format: string,
  count: number,
  seed: number,
): Record<"refused" | "read", number> {
  const { name, boosted, forest } = TREE_FILES[format];
  const originals = forest ? [boosted, forest] : [boosted];
  const draw: Random = random(seed);
  const outcomes = { refused: 0, read: 0 };
  for (let m = 0; m < count; m++) {
    const original = originals[m % originals.length];
    const changed = m % 4 < 2 ? mutate(original, draw) : mutateNumbers(original, draw);
    outcomes[readChanged(name, changed)]++;
  }
  return outcomes;
}
