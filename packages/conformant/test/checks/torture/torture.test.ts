import { expect, it } from "vitest";
import * as library from "../../../src/index.ts";
import { entries } from "./entries.ts";
import { torture } from "./torture.ts";

/** Changes from run to run; the seed of a failure is printed and can be put here. */
const SEED = Number(process.env.TORTURE_SEED ?? Date.now() % 2 ** 31);

it("has a torture for every function of the library, and for nothing else", () => {
  const functions = Object.entries(library).flatMap(([name, value]) =>
    typeof value === "function" ? [name] : [],
  );
  expect(Object.keys(entries).sort()).toEqual(functions.sort());
});

it(`no call hangs, throws what is not its own error, or answers what cannot be: seed ${SEED}`, async () => {
  await torture(20_000, SEED);
}, 600_000);
