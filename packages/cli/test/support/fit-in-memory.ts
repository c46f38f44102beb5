import { saveModel } from "conformant";
import {
  type AskedKind,
  fitModel,
  memorySource,
  type Remedies,
  readCsvTable,
  readJsonTable,
  type TrainingOptions,
} from "conformant-workbench";
import { openClassifierFile } from "../../src/commands/open-classifier-file.ts";
import { GAPS, quick } from "./fit-in-process.ts";

const word = (): string => "";

/** Nothing that a person could do. */
export const noRemedies: Remedies = {
  keepColumn: word,
  keepCategories: word,
  strangeText: word,
  nearlyNumbers: word,
  ambiguousNumber: word,
  wrongValue: word,
  exclude: word,
  readAsMissing: word,
  group: word,
  date: word,
  tooManyValues: "",
  tooManyClasses: "",
  predictClasses: "",
  strangeCategories: "",
};

/** What a fit in memory is asked for. */
interface MemoryFit {
  readonly label: string;
  readonly types?: ReadonlyMap<string, AskedKind>;
  readonly gaps?: readonly string[];
  readonly options?: TrainingOptions;
  /** The file of a classifier to import. */
  readonly classifier?: string;
  /** Characters that come at a time. */
  readonly piece?: number;
}

/** The model of a text as the page makes it: read into memory in pieces, without an engine. */
export async function fitInMemory(name: string, text: string, asked: MemoryFit): Promise<string> {
  const { label, types = new Map(), gaps = GAPS, options = quick, piece = 1 << 16, classifier } = asked;
  async function* pieces(): AsyncGenerator<string> {
    const plain = text.replace(/^\uFEFF/, ""); // as a decoder does
    for (let at = 0; at < plain.length; at += piece) yield plain.slice(at, at + piece);
  }
  const how = { expected: [label], twiceNamed: "", tooLarge: "" };
  const table = /jsonl?$/.test(name)
    ? await readJsonTable(name, pieces(), how)
    : await readCsvTable(name, pieces(), how);
  const { model } = await fitModel(
    memorySource(table, noRemedies),
    {
      label,
      classifier: classifier === undefined ? undefined : openClassifierFile(classifier, {}),
      columns: { columns: undefined, exclude: [], types },
      missingTexts: gaps,
      training: options,
    },
    { reporter: { warn: () => undefined, progress: () => undefined } },
  );
  return saveModel(model);
}
