import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { countSteps, DONE, FAILED, settlePart, TAKEN } from "../../src/threads/threads.ts";
import {
  type Columns,
  conform,
  conformMixture,
  createClassifier,
  createThreads,
  type Model,
  type PartedWork,
  predictColumns,
  random,
  type ThreadPort,
  trainTrees,
} from "../support/library.ts";

/** Rows and columns of the tables: enough for several parts of each kind of model. */
const [ROWS, COLUMNS] = [120_000, 12];
const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
const workers: Worker[] = [];

beforeAll(async () => {
  for (let h = 0; h < 3; h++) workers.push(new Worker(new URL("../support/helper.mjs", import.meta.url)));
  await Promise.all(workers.map((worker) => once(worker, "message")));
});

afterAll(() => Promise.all(workers.map((worker) => worker.terminate())));

/** Numbers of which three in ten are missing, in shared memory. */
function sharedRows(rows = ROWS): Record<string, Float64Array> {
  const g = random(1);
  return Object.fromEntries(
    names.map((name) => {
      const cells = new Float64Array(new SharedArrayBuffer(8 * rows));
      for (let r = 0; r < rows; r++) cells[r] = g.uniform() < 0.3 ? Number.NaN : g.normal();
      return [name, cells];
    }),
  );
}

function classifierOf(K: number) {
  const g = random(2);
  return createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    classes: Array.from({ length: K }, (_, k) => `class ${k}`),
    intercept: Float64Array.from({ length: K }, () => g.normal()),
    weights: Float64Array.from({ length: COLUMNS * K }, () => g.normal()),
  });
}

const data = sharedRows();
const few = Object.fromEntries(names.map((name) => [name, data[name].slice(0, 400)]));
const mixture = (numeric: "atoms" | "gaussian"): Model =>
  conformMixture(classifierOf(3), few, { components: 3, numeric, maxIterations: 2 });

function treeModel(): Model {
  const rows = { ...few, label: Array.from(few.x0, (x, r) => (x + few.x1[r] > 0 ? "a" : "b")) };
  return conformMixture(trainTrees(rows, { label: "label", maxIterations: 4 }), few, {
    components: 2,
    maxIterations: 2,
  });
}

const kinds: readonly (readonly [string, () => Model, Columns])[] = [
  ["one component, two classes", () => conform(classifierOf(2), few), data],
  ["one component, seven classes", () => conform(classifierOf(7), few), data],
  ["a mixture of atoms", () => mixture("atoms"), data],
  ["a mixture of Gaussians", () => mixture("gaussian"), firstRows(60_000)],
  ["trees", treeModel, firstRows(200)],
];

function firstRows(rows: number): Columns {
  return Object.fromEntries(names.map((name) => [name, data[name].slice(0, rows)]));
}

test.each(kinds)(
  "%s: the answers of any number of threads are those of one to the last bit",
  (_, make, rows) => {
    const model = make();
    const alone = predictColumns(model, rows);
    for (const count of [1, 3]) {
      const threads = createThreads(workers.slice(0, count));
      const [done, parts] = [[] as number[], [] as number[]];
      const together = predictColumns(model, rows, {
        threads: {
          share: (columns) => threads.share(columns),
          run: (work, all, step) => {
            parts.push(all.count);
            return threads.run(work, all, step);
          },
        },
        // Who looks at the progress here takes so long that the others are sure to do some.
        onProgress: ({ share }) => {
          if (share === 0) return;
          done.push(share);
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
        },
      });
      expect(differences(together.probabilities, alone.probabilities)).toBe(0);
      expect(together.standardErrors).toEqual(alone.standardErrors);
      expect(done.length).toBeLessThan(parts[0]);
    }
  },
);

test("what a thread throws is thrown by who asked, in the words for one thread", () => {
  const model = conform(classifierOf(2), few);
  const x3 = shared(data.x3);
  [x3[50_000], x3[59_000]] = [1e200, Number.POSITIVE_INFINITY];
  const rows = { ...data, x3 };
  expect(() => predictColumns(model, rows, { threads: createThreads(workers) })).toThrow(
    catchError(() => predictColumns(model, rows)),
  );
});

test("work that is stopped ends, and the threads go on with the next", () => {
  const [model, threads] = [conform(classifierOf(2), few), createThreads(workers)];
  const signal = { aborted: false };
  const stop = (): void => {
    signal.aborted = true;
  };
  expect(() => predictColumns(model, data, { threads, signal, onProgress: stop })).toThrow("stopped");
  expect(
    differences(
      predictColumns(model, data, { threads }).probabilities,
      predictColumns(model, data).probabilities,
    ),
  ).toBe(0);
});

test("a thread that takes a part and ends silently is not waited for long", () => {
  const model = conform(classifierOf(7), few);
  const dying: ThreadPort = {
    postMessage: (message) => Atomics.store((message as { states: Int32Array }).states, 1, TAKEN),
  };
  const { probabilities } = predictColumns(model, data, { threads: createThreads([dying]) });
  expect(differences(probabilities, predictColumns(model, data).probabilities)).toBe(0);
});

test("a part that is done again is not disturbed by who has it and is only slow", () => {
  let itsNumbers: Float64Array = new Float64Array(2);
  const slow: ThreadPort = {
    postMessage: (message) => {
      const { states, out } = message as { states: Int32Array; out: Float64Array };
      Atomics.store(states, 1, TAKEN);
      itsNumbers = out;
    },
  };
  const work: PartedWork<object, null> = {
    name: "count to two",
    doPart: (_, __, part, out) => {
      out[0] = 1;
      if (part === 1) itsNumbers[part] = 99; // the other thread writes while this one is at work
      out[0] += 1;
    },
  };
  const parts = { lasting: {}, given: null, count: 2, numbers: 1 };
  expect([...createThreads([slow]).run(work, parts)]).toEqual([2, 2]);
});

test("a part that takes longer than the patience is waited for while its steps go on", () => {
  const done: number[] = [];
  const work: PartedWork<object, null> = {
    name: "two parts",
    patience: 60,
    doPart: (_, __, part, out) => {
      done.push(part);
      out[0] = part;
    },
  };
  let [its, step]: [Int32Array, () => void] = [new Int32Array(1), () => undefined];
  const slow: ThreadPort = {
    postMessage: (message) => {
      its = (message as { states: Int32Array }).states;
      Atomics.store(its, 1, TAKEN);
      step = countSteps(its, 1);
    },
  };
  // The clock of the one that waits: the other thread makes a step every 50 ms, and is done after ten of them.
  const [clock, wait] = [vi.spyOn(Date, "now"), vi.spyOn(Atomics, "wait")];
  let [now, steps] = [0, 0];
  clock.mockImplementation(() => now);
  const threads = createThreads([slow]);
  wait.mockImplementation(() => {
    now += 50;
    if (++steps < 10) step();
    else settlePart(its, 1, DONE);
    return "ok";
  });
  threads.run(work, { lasting: {}, given: null, count: 2, numbers: 1 });
  clock.mockRestore();
  wait.mockRestore();
  expect([done, steps]).toEqual([[0], 10]);
});

test("a part that is no longer wanted ends at its next step", () => {
  const states = Int32Array.of(TAKEN);
  const step = countSteps(states, 0);
  step();
  Atomics.store(states, 0, FAILED);
  expect(step).toThrow("not wanted");
});

test("threads of several lists do not take the model of one for that of another", () => {
  const [first, second] = [3, 5].map((seed) => {
    const g = random(seed);
    return conform(
      { ...classifierOf(2), weights: Float64Array.from({ length: 2 * COLUMNS }, () => g.normal()) },
      few,
    );
  });
  const [one, other] = [createThreads(workers), createThreads(workers)];
  const slowly = { onProgress: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20) };
  predictColumns(first, data, { threads: one });
  predictColumns(second, data, { threads: other });
  const { probabilities } = predictColumns(first, data, { threads: one, ...slowly });
  expect(differences(probabilities, predictColumns(first, data).probabilities)).toBe(0);
});

test("where no thread may wait, or memory is not shared, the calling one does everything", () => {
  const model = conform(classifierOf(2), few);
  const deaf: ThreadPort = { postMessage: () => expect.unreachable() };
  vi.spyOn(Atomics, "wait").mockImplementationOnce(() => {
    throw new TypeError("Atomics.wait cannot be called in this context");
  });
  const { probabilities } = predictColumns(model, data, { threads: createThreads([deaf]) });
  expect(differences(probabilities, predictColumns(model, data).probabilities)).toBe(0);
  const own = Object.fromEntries(names.map((name) => [name, data[name].slice()]));
  const alone = predictColumns(model, own, { threads: createThreads([deaf]) });
  expect(differences(alone.probabilities, probabilities)).toBe(0);
});

/** How many numbers differ, in any bit. */
function differences(one: Float64Array, other: Float64Array): number {
  return one.reduce((count, x, at) => count + (Object.is(x, other[at]) ? 0 : 1), one.length - other.length);
}

function shared(cells: Float64Array): Float64Array {
  const there = new Float64Array(new SharedArrayBuffer(cells.byteLength));
  there.set(cells);
  return there;
}

function catchError(action: () => unknown): Error {
  try {
    action();
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error("nothing was thrown");
}
