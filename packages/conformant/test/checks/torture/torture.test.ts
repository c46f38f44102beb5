import { expect, it } from "vitest";
import * as library from "../../support/library.ts";
import { entries } from "./entries.ts";
import { showCounts, torture } from "./torture.ts";

/** The same in every run, so that a failure belongs to a change; `npm run test:slow` draws another each time. */
const SEED = Number(process.env.TORTURE_SEED ?? 1);
const CALLS = Number(process.env.TORTURE_CALLS ?? 3000);

it("has a torture for every function of the library, and for nothing else", () => {
  const functions = Object.entries(library).flatMap(
    ([name, value]) => (typeof value === "function" && name !== "trainWithGaps" ? [name] : []), // an old name of trainOnIncomplete
  );
  expect(Object.keys(entries).sort()).toEqual(functions.sort());
});

it(`no call of ${CALLS} hangs, throws what is not its own error, or answers what cannot be: seed ${SEED}`, async () => {
  const counts = await torture(CALLS, SEED);
  console.log(`${showCounts(counts)}\nseed ${SEED}`);
  // A function that refuses whatever it is given is not tortured.
  for (const [name, { calls, refused }] of counts)
    if (calls >= 50) expect(refused, `${name} answers now and then`).toBeLessThan(calls);
}, 600_000);
