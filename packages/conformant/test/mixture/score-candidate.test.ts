import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  conformMixture,
  createThreads,
  type Data,
  random,
  saveModel,
  type Threads,
  train,
  trainTrees,
} from "../support/library.ts";

let worker: Worker;

beforeAll(async () => {
  worker = new Worker(new URL("../support/helper.mjs", import.meta.url));
  await once(worker, "message");
});

afterAll(() => worker.terminate());

/** Rows of two groups. */
function groups(rows: number): Record<string, (number | string)[]> {
  const g = random(3);
  const group = Array.from({ length: rows }, () => g.integer(2));
  const numbers = [1, 2, 3, 4].map((shift) => group.map((own) => own * shift + g.normal()));
  return {
    a: numbers[0],
    b: numbers[1],
    c: numbers[2],
    d: numbers[3],
    color: group.map((own) => (g.uniform() < 0.8 ? ["red", "blue"][own] : "green")),
    label: group.map((own) => (g.uniform() < 0.9 ? own : 1 - own)),
  };
}

/** Rows, the largest size, and what is fitted to them. */
const kinds = {
  // So many rows that 16 components of both kinds on one fold are worth threads: how many sizes are scored on the other folds is up
  // to their scores.
  "with folds": [2900, 16, (rows: Data) => train(rows, { label: "label" })],
  "with one part held out, from whose fit the last one goes on": [
    4000,
    16,
    (rows: Data) => train(rows, { label: "label" }),
  ],
  "of trees": [2900, 16, (rows: Data) => trainTrees(rows, { label: "label", maxIterations: 4 })],
} as const;

test.each(Object.entries(kinds))(
  "the chosen mixture is the same for any number of threads, to the last bit: %s",
  (_, [count, most, learn]) => {
    const rows = groups(count);
    const [classifier, options] = [learn(rows), { most, patience: 5, tolerance: 0.01, timeLimit: 1e6 }];
    const [threads, asked] = [createThreads([worker]), new Set<string>()];
    const noting: Threads = {
      share: (data) => threads.share(data),
      run: (work, parts, step) => {
        asked.add(work.name);
        return threads.run(work, parts, step);
      },
    };
    const alone = conformMixture(classifier, rows, options);
    expect(alone.certificate.choice?.curve.length).toBeGreaterThan(3);
    expect(saveModel(conformMixture(classifier, rows, { ...options, threads: noting }))).toBe(
      saveModel(alone),
    );
    expect(asked).toContain("candidate");
  },
);

test("a comparison of candidates in threads can be stopped, and the threads go on with the next", () => {
  const rows = groups(3200);
  const classifier = train(rows, { label: "label" });
  const [threads, signal] = [createThreads([worker]), { aborted: false }];
  const options = { numeric: "atoms", most: 2, timeLimit: 1e6 } as const;
  const onProgress = ({ tried = [] }: { readonly tried?: readonly unknown[] }): void => {
    signal.aborted ||= tried.length > 1;
  };
  const stopped = { most: 16, patience: 5, timeLimit: 1e6, threads, signal, onProgress };
  expect(() => conformMixture(classifier, rows, stopped)).toThrow("stopped");
  expect(saveModel(conformMixture(classifier, rows, { ...options, threads }))).toBe(
    saveModel(conformMixture(classifier, rows, options)),
  );
});
