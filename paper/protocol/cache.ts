import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Classifier, createClassifier } from "conformant";
import type { RepeatScores } from "./evaluate-repeat.ts";
import type { Results } from "./scores/results.ts";
import type { MethodSeconds } from "./time-methods.ts";

const paper = fileURLToPath(new URL("../", import.meta.url));

/** Repeats that are done, so that an interrupted run goes on where it was. */
export interface Cache {
  read(repeat: number): RepeatScores;
  /** Adds methods to what is known of a repeat. */
  add(repeat: number, scores: RepeatScores): void;
  /** The trained classifier, which takes longest on images. */
  classifier(train: () => Classifier): Classifier;
  /** What is known of the dataset, made when it is first asked for. */
  heading(make: () => StoredHeading): StoredHeading;
  /** How long methods take; those that are not known are measured. */
  seconds(methods: readonly string[], measure: (methods: readonly string[]) => Times): Times;
  /** Adds processor time to what all runs have spent so far, in seconds, and gives the sum. */
  spend(seconds: number): number;
}

export type StoredHeading = Pick<Results, "dataset" | "title" | "training_rows" | "test_rows">;

type Times = Readonly<Record<string, MethodSeconds>>;

/** A cache in a folder named by everything that the numbers depend on. */
export function openCache(folder: string, name: string, fingerprint: string): Cache {
  const fileOf = (part: number | "heading" | "classifier" | "seconds" | "spent"): string =>
    join(folder, `${name}-${fingerprint}`, `${part}.json`);
  const read = (repeat: number): RepeatScores => {
    const file = fileOf(repeat);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as RepeatScores) : {};
  };
  return {
    read,
    add: (repeat, scores) => writeWhole(fileOf(repeat), JSON.stringify({ ...read(repeat), ...scores })),
    classifier: (train) => {
      const file = fileOf("classifier");
      if (!existsSync(file)) writeWhole(file, classifierText(train()));
      return readClassifierText(readFileSync(file, "utf8"));
    },
    heading: (make) => {
      const file = fileOf("heading");
      if (!existsSync(file)) writeWhole(file, JSON.stringify(make()));
      return JSON.parse(readFileSync(file, "utf8")) as StoredHeading;
    },
    seconds: (methods, measure) => {
      const file = fileOf("seconds");
      const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Times) : {};
      const asked = methods.filter((name) => !known[name]);
      if (asked.length === 0) return known;
      const all = { ...known, ...measure(asked) };
      writeWhole(file, JSON.stringify(all));
      return all;
    },
    spend: (seconds) => {
      const file = fileOf("spent");
      const before = existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
      writeWhole(file, String(before + seconds));
      return before + seconds;
    },
  };
}

function classifierText(classifier: Classifier): string {
  const { intercept, weights } = classifier;
  return JSON.stringify({ ...classifier, intercept: [...intercept], weights: [...weights] });
}

function readClassifierText(text: string): Classifier {
  const stored = JSON.parse(text) as Classifier;
  return createClassifier({
    ...stored,
    intercept: Float64Array.from(stored.intercept),
    weights: Float64Array.from(stored.weights),
  });
}

/** Writes a file so that a reader sees the old contents or the new, never a part. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** SHA-256 over the library, the programs that the numbers depend on, and the given settings; 16 digits of it. */
export function fingerprintOf(settings: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(settings));
  const library = join(paper, "../packages/conformant/dist/index.js");
  if (existsSync(library)) hash.update(readFileSync(library));
  for (const folder of ["datasets", "methods", "protocol"].map((name) => join(paper, name)))
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
      if (file.endsWith(".ts")) hash.update(readFileSync(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}
