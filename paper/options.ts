import { parseArgs } from "node:util";
import type { Split } from "./datasets/dataset.ts";
import { DATASET_NAMES } from "./datasets/datasets.ts";
import { METHOD_NAMES } from "./methods/methods.ts";
import { STUDIES, STUDY_NAMES, type StudyName } from "./studies/studies.ts";

/** The command line of `npm run paper`. */
export interface Options {
  readonly datasets: readonly string[];
  /** Studies beside the evaluation. */
  readonly studies: readonly StudyName[];
  readonly splits: readonly Split[];
  readonly seed: number;
  readonly repeats: number | "paper" | undefined;
  readonly methods: readonly string[];
  readonly l2: number | undefined;
  readonly data: string | undefined;
  readonly out: string | undefined;
  readonly publish: boolean;
  /** Processes at the same time. */
  readonly jobs: number;
  readonly json: boolean;
  readonly help: boolean;
}

export const USAGE = `npm run paper -- [${[...DATASET_NAMES, ...STUDY_NAMES].join("] [")}] [options]

Runs the paper's evaluation and writes RESULTS.md, results/ and figures/ beside the paper's own numbers: a quick look into
reports/paper, with --publish the whole into paper/. Without a name the datasets, "explain" and "claims" are run, with --publish everything.
${STUDY_NAMES.map((name) => `${name.padEnd(9)}${STUDIES[name].about}`).join("\n")}

  --publish            the paper's repeats, over what is published in paper/; an interrupted run goes on where it was
  --split S            authors: encoded, divided and cut as in the authors' files, with their constants of the test rows;
                       ours: as the paper describes it; both (default)
  --repeats N          repeats per dataset (default: 2 to 5, for a quick look); "paper" takes the paper's numbers, 10 for mnist,
                       fashion, covtype and 100 for adult, splice
  --methods a,b        of ${METHOD_NAMES.join(", ")}
  --l2 N               another penalty of the classifier than the authors'; not with --publish
  --seed N             decides splits and what goes missing (default 0)
  --jobs N             datasets at the same time (default 2)
  --data DIR           where the data is (default: CONFORMANT_DATA, then data/, then ../shared/data)
  --out DIR            where to write
  --json               prints one line of JSON per dataset and split`;

/** Studies of a quick look; the others take minutes more. */
const QUICK_STUDIES: readonly StudyName[] = ["explain", "claims"];

/** Reads the command line; a wrong one is an error with a sentence. */
export function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      publish: { type: "boolean", default: false },
      repeats: { type: "string" },
      methods: { type: "string" },
      split: { type: "string", default: "both" },
      l2: { type: "string" },
      seed: { type: "string", default: "0" },
      jobs: { type: "string", default: "2" },
      data: { type: "string" },
      out: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const { publish } = values;
  const split = oneOf("--split", values.split, ["both", "ours", "authors"] as const);
  const all = [...DATASET_NAMES, ...(publish ? STUDY_NAMES : QUICK_STUDIES)];
  const names = positionals.length > 0 ? positionals : all;
  const isStudy = (name: string): name is StudyName => STUDY_NAMES.some((study) => study === name);
  if (publish && values.l2 !== undefined)
    throw new Error("--l2 is for a look at another classifier; what is published has the authors' penalty");
  return {
    datasets: names
      .filter((name) => !isStudy(name))
      .map((name) => oneOf("a dataset or study", name, [...DATASET_NAMES, ...STUDY_NAMES])),
    studies: names.filter(isStudy),
    splits: split === "both" ? ["authors", "ours"] : [split],
    seed: whole("--seed", values.seed, 0),
    repeats: repeatsOf(values.repeats, publish),
    methods: readMethods(values.methods),
    l2: values.l2 === undefined ? undefined : penalty(values.l2),
    data: values.data,
    out: values.out,
    publish,
    jobs: whole("--jobs", values.jobs, 1),
    json: values.json,
    help: values.help,
  };
}

/** The named ones in the order of the tables. */
function readMethods(text: string | undefined): readonly string[] {
  const asked = text?.split(",").map((name) => oneOf("a method", name, METHOD_NAMES)) ?? METHOD_NAMES;
  return METHOD_NAMES.filter((name) => asked.includes(name));
}

function repeatsOf(text: string | undefined, publish: boolean): Options["repeats"] {
  if (text === undefined) return publish ? "paper" : undefined;
  return text === "paper" ? text : whole("--repeats", text, 1);
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

function penalty(text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new Error(`--l2 must be a number of at least 0, got ${JSON.stringify(text)}`);
}
