import { dataFolders } from "../datasets/data-folder.ts";
import type { Split } from "../datasets/dataset.ts";
import { datasetOf } from "../datasets/datasets.ts";
import { COSTLY_REPEATS, isAdditive } from "../methods/method.ts";
import { methodOf } from "../methods/methods.ts";
import { type Cache, fingerprintOf, openCache, type StoredHeading } from "./cache.ts";
import { evaluateRepeat, type RepeatScores, removalSeed } from "./evaluate-repeat.ts";
import { type FittedMethods, fittedMethods } from "./fitted-methods.ts";
import type { Protocol } from "./protocol.ts";
import { hashesOf, provenanceOf } from "./provenance.ts";
import { type Results, summarize } from "./scores/results.ts";
import { prepare, type Setup } from "./setup.ts";
import { timeMethods } from "./time-methods.ts";

/** What to run. */
export interface RunOptions {
  readonly split: Split;
  readonly seed: number;
  /** Default: the protocol's number for a quick look; "paper" the paper's. */
  readonly repeats?: number | "paper" | undefined;
  readonly methods: readonly string[];
  /** Penalty of the classifier; default: the authors'. */
  readonly l2?: number | undefined;
  readonly data?: string | undefined;
  /** Where finished repeats are kept. */
  readonly cache: string;
  readonly progress?: (text: string, share: number) => void;
}

/** A dataset's evaluation: the summary, and the scores of each repeat. */
export interface DatasetRun {
  readonly results: Results;
  readonly scores: readonly RepeatScores[];
}

/** Evaluates one dataset, from the repeats that are done already and those that are not. */
export function runDataset(name: string, options: RunOptions): DatasetRun {
  const { split, seed, progress = () => {} } = options;
  const before = process.cpuUsage();
  const source = datasetOf(name);
  const usual = source.protocol(split);
  const protocol = { ...usual, l2: options.l2 ?? usual.l2 };
  const repeats = repeatsOf(options, protocol);
  const methods = usedMethods(options.methods, protocol);
  const folders = dataFolders(options.data);
  const data = hashesOf(folders, name);
  const cache = openCache(options.cache, `${name}-${split}`, fingerprintOf({ name, seed, protocol, data }));
  const work = openWork(() => {
    progress(`${name}: training the classifier`, 0);
    return prepare(source.read(folders, seed, split), protocol, cache.classifier);
  });
  const indices = Array.from({ length: repeats }, (_, repeat) => repeat);
  for (const repeat of indices) {
    const todo = methodsToDo(cache, methods, repeat);
    if (todo.length === 0) continue;
    const report = (done: number, of: number): void =>
      progress(`${name}: repeat ${repeat + 1} of ${repeats}`, (repeat + done / of) / repeats);
    cache.add(repeat, evaluateRepeat(work(), todo, seed, repeat, report));
  }
  const heading = cache.heading(() => headingOf(work().setup));
  const seconds = cache.seconds(methods, (asked) => timeMethods(work(), asked, seed));
  const scores = indices.map((repeat) => onlyMethods(cache.read(repeat), methods));
  const removal_seeds = indices.map((repeat) => removalSeed(seed, name, repeat));
  const { user, system } = process.cpuUsage(before);
  const processor_seconds = cache.spend((user + system) / 1e6);
  const provenance = provenanceOf(data);
  const known = { ...heading, seed, removal_seeds, seconds, processor_seconds, provenance };
  return { results: summarize(known, protocol, scores, methods), scores };
}

function repeatsOf({ repeats }: RunOptions, { paperRepeats, quickRepeats }: Protocol): number {
  return repeats === "paper" ? paperRepeats : (repeats ?? quickRepeats);
}

/** Reading and training wait until a repeat needs them. */
function openWork(start: () => Setup): () => FittedMethods {
  let opened: FittedMethods | undefined;
  return () => {
    opened ??= fittedMethods(start());
    return opened;
  };
}

/** The methods of a repeat that have no scores yet. */
function methodsToDo(cache: Cache, methods: readonly string[], repeat: number): string[] {
  const done = cache.read(repeat);
  return methods.filter((name) => !done[name] && (isAdditive(methodOf(name)) || repeat < COSTLY_REPEATS));
}

/** In the order of the methods, whatever was run first. */
function onlyMethods(scores: RepeatScores, methods: readonly string[]): RepeatScores {
  return Object.fromEntries(methods.flatMap((name) => (scores[name] ? [[name, scores[name]]] : [])));
}

/** Methods that have a number somewhere. */
function usedMethods(methods: readonly string[], protocol: Protocol): string[] {
  return methods.filter((name) =>
    protocol.missing.some((missing) => methodOf(name).applies?.(protocol, missing) ?? true),
  );
}

function headingOf({ dataset }: Setup): StoredHeading {
  return {
    dataset: dataset.name,
    title: dataset.title,
    training_rows: dataset.training.rows,
    test_rows: dataset.test.rows,
  };
}
