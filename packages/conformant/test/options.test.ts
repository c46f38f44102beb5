import { describe, expect, it } from "vitest";
import {
  callable,
  either,
  flag,
  having,
  integer,
  names,
  number,
  numbers,
  oneOf,
  probability,
  readOptions,
  record,
  required,
  seconds,
  text,
} from "../src/options.ts";
import { expectError } from "./support/error.ts";

const described = {
  coverage: probability(0.9),
  maxIterations: integer(100, { least: 1 }),
  size: either(oneOf(["auto"], "auto"), integer(undefined, { least: 1, most: 8 })),
  pseudocount: number(1),
  timeLimit: seconds(60),
  strict: flag(false),
  label: required(text(undefined)),
  columns: names(undefined),
  weights: numbers(undefined),
  costs: record(number(undefined)),
  onProgress: callable<() => void>(),
  signal: having<{ aborted: boolean }>("an AbortSignal", { aborted: "boolean" }),
};

const read = (options: unknown) => readOptions(options, described);

describe("readOptions", () => {
  it("takes what is given and the default of what is absent, for which undefined stands too", () => {
    const given = { label: "y", coverage: undefined, strict: true, size: 4, weights: new Float32Array(2) };
    expect(read(given)).toEqual({
      coverage: 0.9,
      maxIterations: 100,
      size: 4,
      pseudocount: 1,
      timeLimit: 60,
      strict: true,
      label: "y",
      columns: undefined,
      weights: new Float32Array(2),
      costs: undefined,
      onProgress: undefined,
      signal: undefined,
    });
    expect(given.coverage).toBe(undefined);
    expect(read({ label: "y" }).size).toBe("auto");
    expect(read({ label: "y", signal: new AbortController().signal }).signal?.aborted).toBe(false);
  });

  it("refuses names that it does not know, with the nearest that it knows", () => {
    expectError(
      () => read({ label: "y", pseudocont: 5 }),
      "invalid-argument",
      /^options\.pseudocont is unknown; valid options are coverage, .*; did you mean "pseudocount"\?$/,
    );
    expectError(() => read({ label: "y", TimeLimit: 5 }), "invalid-argument", /did you mean "timeLimit"\?/);
    expectError(() => read({ label: "y", covreage: 5 }), "invalid-argument", /did you mean "coverage"\?/);
    expectError(() => read({ label: "y", zzz: 5 }), "invalid-argument", /signal$/);
    expectError(() => read({ label: "y", toString: 1 }), "invalid-argument", /options\.toString is unknown/);
    expectError(() => readOptions({ a: 1 }, {}), "invalid-argument", /there are no options$/);
    expect(() => read({ label: "y", pseudocont: undefined })).not.toThrow();
  });

  it.each([
    [{ coverage: 1 }, "options.coverage must be a probability between 0 and 1, got 1"],
    [{ coverage: "0.9" }, 'options.coverage must be a probability between 0 and 1, got "0.9"'],
    [{ maxIterations: 0 }, "options.maxIterations must be a whole number of at least 1, got 0"],
    [{ maxIterations: 1.5 }, "options.maxIterations must be a whole number of at least 1, got 1.5"],
    [{ size: 9 }, 'options.size must be "auto" or a whole number from 1 to 8, got 9'],
    [{ size: "most" }, 'options.size must be "auto" or a whole number from 1 to 8, got "most"'],
    [{ pseudocount: Number.NaN }, "options.pseudocount must be a number from 0 to 1e+100, got NaN"],
    [{ pseudocount: 1n }, "options.pseudocount must be a number from 0 to 1e+100, got 1n"],
    [{ timeLimit: -1 }, "options.timeLimit must be a number of seconds, 0 or more, or Infinity, got -1"],
    [{ strict: 1 }, "options.strict must be true or false, got 1"],
    [{ label: undefined }, "options.label must be a text, got undefined"],
    [{ columns: "abc" }, 'options.columns must be a list of names, got "abc"'],
    [{ columns: [1] }, "options.columns must be a list of names, got Array of length 1"],
    [{ weights: 3 }, "options.weights must be a list of numbers, got 3"],
    [
      { costs: { a: -1 } },
      "options.costs must be an object in which every value is a number from 0 to 1e+100, got an object with keys a",
    ],
    [{ onProgress: {} }, "options.onProgress must be a function, got an object with keys (none)"],
    [{ signal: {} }, "options.signal must be an AbortSignal, got an object with keys (none)"],
  ])("says what an option must be: %o", (options, message) => {
    expect(() => read({ label: "y", ...options })).toThrow(message);
  });

  it("refuses null for every option, in one line", () => {
    for (const name of Object.keys(described))
      expectError(
        () => read({ label: "y", [name]: null }),
        "invalid-argument",
        new RegExp(`^options\\.${name} must be .*, got null$`),
      );
  });

  it.each([null, 5, "abc", [1]])("refuses options that are no object: %o", (options) => {
    expectError(() => read(options), "invalid-argument", /^options must be an object, got/);
  });
});
