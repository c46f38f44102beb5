import { type Classifier, random } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import {
  fitModel,
  memorySource,
  readCsvTable,
  type TrainingOptions,
  USUAL_TRAINING,
} from "conformant-workbench";
import { RowFile } from "../../src/output/row-file.ts";
import { noRemedies } from "./fit-in-memory.ts";

/** More rows than are trained on at once. */
export const MANY = 201_000;

export type ManyRow = { readonly x: number; readonly c: string; readonly y: string };

/** Rows whose class follows a logistic rule of a number and a category. */
export function manyRows(): ManyRow[] {
  const g = random(5);
  return Array.from({ length: MANY }, () => {
    const [x, c] = [g.normal(), g.integer(4)];
    const y = g.uniform() < 1 / (1 + Math.exp(-(0.8 * x + [0, 0.5, -0.5, 1][c]))) ? "yes" : "no";
    return { x, c: `c${c}`, y };
  });
}

/** The classifier that is trained on them in passes; NaN is a gap. */
export async function fitMany(
  rows: readonly ManyRow[],
  training: Partial<TrainingOptions> = {},
): Promise<Classifier> {
  async function* pieces(): AsyncGenerator<string> {
    yield "x,c,y\n";
    yield rows.map(({ x, c, y }) => `${Number.isNaN(x) ? "" : x},${c},${y}\n`).join("");
  }
  const table = await readCsvTable("many.csv", pieces(), { expected: [], twiceNamed: "", tooLarge: "" });
  const bounds = { ...USUAL_TRAINING.bounds, bytesAtOnce: 0 };
  const fixed = { components: 1, gaps: "random", crossValidation: false, bounds } as const;
  const { model } = await fitModel(
    memorySource(table, noRemedies),
    {
      label: "y",
      columns: { columns: undefined, exclude: [], types: new Map() },
      missingTexts: MISSING_TEXTS,
      training: { ...USUAL_TRAINING, ...fixed, ...training },
    },
    {
      reporter: { warn: () => undefined, progress: () => undefined },
      createRowStore: (schema) => new RowFile(schema),
    },
  );
  return model.predictor as Classifier;
}
