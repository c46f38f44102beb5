import { type Model, saveModel } from "conformant";
import { MISSING_TEXTS } from "conformant/texts";
import { type FitResult, fitModel, USUAL_TRAINING } from "conformant-workbench";
import { openClassifierFile } from "../../src/commands/open-classifier-file.ts";
import { expectedNames, prepareColumns } from "../../src/commands/prepare-columns.ts";
import type { CommandColumns } from "../../src/options/column-options.ts";
import type { Messages } from "../../src/options/command.ts";
import type { FitOptions } from "../../src/options/fit-options.ts";
import { engineTable } from "../../src/sources/engine-table.ts";
import { openSource } from "../../src/sources/open-source.ts";
import { predictBatches } from "../../src/sources/predict-batches.ts";
import type { SourceOptions } from "../../src/sources/source-options.ts";

/** Texts that stand for a gap unless a test says otherwise. */
export const GAPS = MISSING_TEXTS;

export const quick: FitOptions = {
  pseudocount: 1,
  bins: 32,
  model: "logistic",
  gaps: "random",
  l2: 1,
  components: 1,
  numeric: "atoms",
  trainOn: "complete",
  seed: 0,
  resume: false,
  bounds: USUAL_TRAINING.bounds,
} as FitOptions;

/** What a fit is asked for beside the source. */
export interface QuickFit extends Partial<SourceOptions>, Partial<CommandColumns> {
  readonly label?: string;
  readonly classifier?: string;
}

/** What a fit gave, and what it said. */
export interface QuickFitted extends FitResult {
  readonly said: readonly string[];
}

/** Keeps what is said. */
function listen(said: string[]): Messages {
  return {
    quiet: false,
    note: (text) => said.push(text),
    warn: (text) => said.push(text),
    progress: () => undefined,
    clear: () => undefined,
  };
}

/** The quickest fit, in this process: the reading is that of the command. */
export async function fitQuickly(data: string, asked: QuickFit): Promise<QuickFitted> {
  const said: string[] = [];
  const messages = listen(said);
  const { columns, exclude = [], types = new Map(), decimal } = asked;
  const options = { columns, exclude, types, decimal };
  const expected = asked.label === undefined ? [] : [asked.label];
  const connector = await openSource(data, { gaps: GAPS, expected, ...asked });
  try {
    const { label, classifier } = asked;
    const fitted = await fitModel(
      engineTable(connector),
      {
        label,
        classifier: classifier === undefined ? undefined : openClassifierFile(classifier, { names: columns }),
        columns: options,
        missingTexts: asked.gaps ?? GAPS,
        training: quick,
      },
      { reporter: messages },
    );
    return { ...fitted, said };
  } finally {
    await connector.close();
  }
}

/** The probabilities of all rows of a source, in this process: the reading is that of the command. */
export async function predictQuickly(
  model: Model,
  data: string,
  { gaps = GAPS, decimal, ...how }: Partial<SourceOptions>,
): Promise<number[]> {
  const connector = await openSource(data, { ...how, gaps, expected: expectedNames(model) });
  try {
    const fields = await prepareColumns(
      connector,
      { model, modelFile: "model" },
      { gaps, decimal },
      listen([]),
    );
    const found: number[] = [];
    const nothing = { columns: [], valuesOf: () => [] };
    for await (const { probabilities } of predictBatches({ connector, fields, model }, [], nothing))
      found.push(...probabilities);
    return found;
  } finally {
    await connector.close();
  }
}

/** The columns of a model as short texts: `name:kind` and the categories. */
export function shapeOf({ schema }: Model): string[] {
  return schema.columns.map((column) =>
    column.kind === "categorical"
      ? `${column.name}:${column.values.join("|")}`
      : `${column.name}:${column.kind}`,
  );
}

/** A model as it is written to a file. */
export function bytesOf({ model }: FitResult): string {
  return saveModel(model);
}
