import { describe, expect, it } from "vitest";
import { conformChunks, countMarginals, trainRemote } from "../src/entries/remote.ts";
import {
  askNext,
  askPlan,
  conform,
  conformMixture,
  encode,
  expectedPrediction,
  explain,
  howSure,
  type Progress,
  predictColumns,
  type Row,
  sample,
  surprise,
  train,
  trainOnIncomplete,
  trainTrees,
  type WatchOptions,
} from "../src/index.ts";
import { random } from "../src/math/random.ts";
import { expectError } from "./support/error.ts";
import { randomMixture } from "./support/random-mixture.ts";
import { randomModel, randomRow } from "./support/random-model.ts";

const g = random(5);
/** Rows with numbers, a bit and a category, a fifth of the cells empty, and a label that depends on them. */
const rows: Row[] = Array.from({ length: 300 }, () => {
  const [a, b] = [g.normal(), g.normal()];
  const gap = <T>(value: T): T | null => (g.uniform() < 0.2 ? null : value);
  return {
    a: gap(a),
    b: gap(a + b),
    c: gap(g.integer(2)),
    d: gap("xyz"[g.integer(3)]),
    y: a + 0.5 * b + g.normal() > 0 ? "yes" : "no",
  };
});
const complete = rows.filter((row) => Object.values(row).every((value) => value !== null));
const classifier = train(complete, { label: "y" });
const model = conformMixture(classifier, rows, { components: 2, numeric: "gaussian" });
const manyBits = randomModel({ seed: 1, columns: 20, classes: 3, kinds: ["binary"] });
const mixture = randomMixture({ seed: 1, columns: 12, classes: 4, components: 3, kinds: ["binary"] });
const known = randomRow(mixture, random(2));
const ofTrees = conformMixture(trainTrees(complete, { label: "y", maxIterations: 5 }), rows, {
  components: 2,
});
const tenBits = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`x${i + 1}`, i % 2]));
const chunks = () => [{ data: rows.slice(0, 100) }, { data: rows.slice(100) }];

/** Everything in the library that may take longer than a second. */
const works: Record<string, (watch: WatchOptions) => unknown> = {
  train: (watch) => train(complete, { label: "y", ...watch }),
  trainRemote: (watch) =>
    trainRemote(
      encode(
        {
          columns: [...classifier.schema.columns, { name: "y", kind: "categorical", values: ["no", "yes"] }],
        },
        complete,
      ),
      { rows: 100, rowsWithGaps: 0, scaling: new Map() },
      { label: "y", maxIterations: 3, ...watch },
      async () => ({ value: 1, residuals: [0.1], bySlot: new Array(6).fill(0.01) }),
    ),
  conform: (watch) => conform(classifier, rows, watch),
  "conformMixture with a size": (watch) =>
    conformMixture(classifier, rows, { components: 3, restarts: 2, ...watch }),
  "conformMixture that chooses": (watch) => conformMixture(classifier, rows, watch),
  conformChunks: (watch) => conformChunks(classifier, chunks, watch),
  trainOnIncomplete: (watch) =>
    trainOnIncomplete(rows, { label: "y", components: 2, maxRounds: 2, ...watch }),
  "explain in a mixture": (watch) =>
    explain(mixture, known, { threshold: 0.9 * explain(mixture, known).probability, ...watch }),
  "howSure by draws": (watch) => howSure(manyBits, {}, watch),
  "howSure by enumeration": (watch) =>
    howSure(
      manyBits,
      {
        ...randomRow(manyBits, random(1)),
        x1: null,
        x2: null,
        x3: null,
        x4: null,
        x5: null,
        x6: null,
        x7: null,
        x8: null,
        x9: null,
        x10: null,
      },
      watch,
    ),
  expectedPrediction: (watch) => expectedPrediction(() => 1, manyBits, {}, watch),
  askPlan: (watch) => askPlan(model, {}, { samples: 20, ...watch }),
  askNext: (watch) => askNext(model, {}, watch),
  countMarginals: (watch) => countMarginals(classifier.schema, rows, watch),
  "surprise by draws": (watch) => surprise(model, { a: 1, b: 2 }, watch),
  "surprise with one number": (watch) => surprise(model, { a: 1, d: "x" }, watch),
  "surprise by enumeration": (watch) => surprise(manyBits, { ...tenBits, x11: 0 }, watch),
  "explain for trees": (watch) => explain(ofTrees, complete[0], { threshold: 0.66, ...watch }),
  "askNext for trees": (watch) => askNext(ofTrees, {}, watch),
  "howSure for trees": (watch) => howSure(ofTrees, {}, watch),
  "predictColumns for trees": (watch) => predictColumns(ofTrees, complete, watch),
  trainTrees: (watch) => trainTrees(complete, { label: "y", maxIterations: 5, ...watch }),
  sample: (watch) => sample(model, {}, { count: 300, ...watch }),
  predictColumns: (watch) => predictColumns(model, rows, watch),
};

describe.each(Object.entries(works))("%s", (_, work) => {
  it("tells how far it has come, with shares that never fall, and gives what it gives unwatched", async () => {
    const reports: Progress[] = [];
    const watched = await work({ onProgress: (progress) => reports.push(progress) });
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.every(({ share }, j) => share >= (reports[j - 1]?.share ?? 0) && share <= 1)).toBe(true);
    expect(withoutFunctions(watched)).toEqual(withoutFunctions(await work({})));
  });

  it("ends between two steps when it is asked to, and at once when it was asked before", async () => {
    let told = 0;
    const signal = { aborted: false };
    const onProgress = (): void => {
      told++;
      signal.aborted = true;
    };
    const stopped = { code: "aborted", message: "the work was stopped by options.signal" };
    await expect(async () => work({ onProgress, signal })).rejects.toMatchObject(stopped);
    expect(told).toBe(1);
    await expect(async () => work({ onProgress, signal })).rejects.toMatchObject(stopped);
    expect(told).toBe(1);
  });
});

it("names the sizes that were compared so far while a size is chosen", () => {
  const reports: Progress[] = [];
  const { certificate } = conformMixture(classifier, rows, { onProgress: (one) => reports.push(one) });
  const tried = reports.at(-1)?.tried?.map(({ components, logLikelihood }) => [components, logLikelihood]);
  expect(tried).toEqual(
    certificate.choice?.curve.map(({ components, logLikelihood }) => [components, logLikelihood]),
  );
  expect(new Set(reports.map(({ stage }) => stage))).toEqual(new Set(["choosing", "fitting"]));
});

it("takes an AbortSignal, and gives its reason as the cause", () => {
  const { signal, abort } = abortable();
  abort(new Error("the window was closed"));
  const error = expectError(
    () => conform(classifier, rows, { signal }),
    "aborted",
    /stopped: the window was closed/,
  );
  expect(error.cause).toBe(signal.reason);
});

it("refuses what is no signal and no function", () => {
  expectError(
    () => conform(classifier, rows, { signal: 5 as never }),
    "invalid-argument",
    /options.signal .* got 5/,
  );
  expectError(
    () => conform(classifier, rows, { onProgress: {} as never }),
    "invalid-argument",
    /options.onProgress/,
  );
});

function abortable(): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason) => controller.abort(reason) };
}

function withoutFunctions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? "null");
}
