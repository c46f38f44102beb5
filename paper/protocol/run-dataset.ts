import { dataFolders } from "../datasets/data-folder.ts";
import type { DatasetName, Split } from "../datasets/dataset.ts";
import { readDataset } from "../datasets/read-dataset.ts";
import { type Cache, filesOf, fingerprintOf, openCache, type StoredHeading } from "./cache.ts";
import { evaluateRepeat, fittedMethods } from "./evaluate-repeat.ts";
import { COSTLY_REPEATS, METHODS, type Predictor } from "./methods.ts";
import { type Protocol, protocolOf } from "./protocol.ts";
import { type Results, summarise } from "./results.ts";
import { prepare, type Setup } from "./setup.ts";

/** What to run. */
export interface RunOptions {
  readonly split: Split;
  readonly seed: number;
  /** Default: the protocol's number for a quick look. */
  readonly repeats?: number | undefined;
  readonly methods: readonly string[];
  readonly data?: string | undefined;
  /** Where finished repeats are kept. */
  readonly cache: string;
  readonly progress?: (text: string, share: number) => void;
}

/** Evaluates one dataset, from the repeats that are done already and those that are not. */
export function runDataset(name: DatasetName, options: RunOptions): Results {
  const { split, seed, progress = () => {} } = options;
  const protocol = protocolOf(name, split);
  const repeats = options.repeats ?? protocol.quickRepeats;
  const folders = dataFolders(options.data);
  const fingerprint = fingerprintOf({ name, split, seed, protocol }, filesOf(folders, name));
  const cache = openCache(options.cache, name, fingerprint);
  const work = openWork(() => {
    progress(`${name}: training the classifier`, 0);
    return prepare(readDataset(name, folders, seed, split), protocol, split, cache.classifier);
  });
  const indices = Array.from({ length: repeats }, (_, repeat) => repeat);
  for (const repeat of indices) {
    const todo = methodsToDo(cache, options.methods, repeat);
    if (todo.length === 0) continue;
    const report = (done: number, of: number): void =>
      progress(`${name}: repeat ${repeat + 1} of ${repeats}`, (repeat + done / of) / repeats);
    const { setup, predictorOf } = work();
    cache.add(repeat, evaluateRepeat(setup, predictorOf, todo, seed, repeat, report));
  }
  const heading = cache.heading(() => headingOf(work().setup, split, seed));
  const scores = indices.map((repeat) => cache.read(repeat));
  return summarise({ ...heading, repeats }, protocol, scores, usedMethods(options.methods, protocol));
}

/** Reading and training wait until a repeat needs them. */
function openWork(start: () => Setup): () => { setup: Setup; predictorOf: (name: string) => Predictor } {
  let opened: { setup: Setup; predictorOf: (name: string) => Predictor } | undefined;
  return () => {
    if (opened === undefined) {
      const setup = start();
      opened = { setup, predictorOf: fittedMethods(setup) };
    }
    return opened;
  };
}

/** The methods of a repeat that have no scores yet. */
function methodsToDo(cache: Cache, methods: readonly string[], repeat: number): string[] {
  const done = cache.read(repeat);
  return methods.filter((name) => !done[name] && !(METHODS[name].costly && repeat >= COSTLY_REPEATS));
}

/** Methods that have a number somewhere. */
function usedMethods(methods: readonly string[], protocol: Protocol): string[] {
  return methods.filter((name) =>
    protocol.missing.some((missing) => METHODS[name].applies?.(protocol, missing) ?? true),
  );
}

function headingOf({ dataset }: Setup, split: Split, seed: number): StoredHeading {
  return {
    dataset: dataset.name,
    title: dataset.title,
    split,
    seed,
    training_rows: dataset.training.rows,
    test_rows: dataset.test.rows,
  };
}
