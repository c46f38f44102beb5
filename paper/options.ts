import { parseArgs } from "node:util";
import { DATASET_NAMES, type DatasetName, type Split } from "./datasets/dataset.ts";
import { DEFAULT_METHODS, METHODS } from "./protocol/methods.ts";
import { STUDIES, STUDY_NAMES, type StudyName } from "./studies/studies.ts";

/** The command line of `npm run paper`. */
export interface Options {
  readonly datasets: readonly DatasetName[];
  /** Studies beside the evaluation. */
  readonly studies: readonly StudyName[];
  readonly split: Split;
  readonly seed: number;
  readonly repeats: number | undefined;
  readonly methods: readonly string[];
  readonly data: string | undefined;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run paper -- [${[...DATASET_NAMES, ...STUDY_NAMES].join("] [")}] [options]

Runs the paper's evaluation and writes results/, RESULTS.md and figures/ beside the paper's own numbers.
${STUDY_NAMES.map((name) => `${name.padEnd(9)}${STUDIES[name].about}`).join("\n")}

  --repeats N          repeats per dataset; the paper has 10 for mnist, fashion, covtype and 100 for adult, splice
                       (default: 2 to 5, for a quick look); "paper" takes the paper's numbers
  --methods a,b        of ${DEFAULT_METHODS.join(", ")}
  --split authors      the authors' files of splice and adult, with their constants from the test rows
  --seed N             decides splits and what goes missing (default 0)
  --data DIR           where the data is (default: CONFORMANT_DATA, then data/, then ../shared/data)
  --out DIR            where to write (default: paper/)
  --json               prints one line of JSON per dataset`;

/** What is run where nothing is named: the paper's evaluation and its case study; what goes past it takes minutes more. */
const ALL: readonly string[] = [...DATASET_NAMES, "explain"];

/** Repeats "paper" stands for the numbers of the paper. */
export const PAPER_REPEATS = -1;

/** Reads the command line; a wrong one is an error with a sentence. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      repeats: { type: "string" },
      methods: { type: "string" },
      split: { type: "string", default: "ours" },
      seed: { type: "string", default: "0" },
      data: { type: "string" },
      out: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const split = oneOf("--split", values.split, ["ours", "authors"] as const);
  const methods = values.methods?.split(",") ?? DEFAULT_METHODS;
  const names = positionals.length > 0 ? positionals : split === "authors" ? ["splice"] : ALL;
  const isStudy = (name: string): name is StudyName => STUDY_NAMES.some((study) => study === name);
  return {
    datasets: names.filter((name) => !isStudy(name)).map((name) => oneOf("a dataset", name, DATASET_NAMES)),
    studies: names.filter(isStudy),
    split,
    seed: whole("--seed", values.seed, 0),
    repeats: repeatsOf(values.repeats),
    methods: methods.map((name) => oneOf("a method", name, Object.keys(METHODS))),
    data: values.data,
    out: values.out,
    json: values.json,
    help: values.help,
  };
}

function repeatsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return text === "paper" ? PAPER_REPEATS : whole("--repeats", text, 1);
}

function oneOf<T extends string>(what: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((name) => name === value);
  if (found !== undefined) return found;
  throw new Error(`${what} must be one of ${allowed.join(", ")}, got ${JSON.stringify(value)}`);
}

function whole(what: string, text: string, least: number): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`${what} must be a whole number of at least ${least}, got ${JSON.stringify(text)}`);
}
