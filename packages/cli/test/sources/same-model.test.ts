import { expect, test } from "vitest";
import { checkSameModel } from "../support/tables/check-same-model.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const TABLES = 12;
/** Formats of each table that are tried here, in turn; all of them in the slow test. Eleven need no other program. */
const FORMATS = 4;

test(`the same table gives the same model byte for byte and the same predictions in every format: ${TABLES} generated tables`, {
  timeout: 300_000,
}, async () => {
  const seeds = Array.from({ length: TABLES }, (_, seed) => seed + 1);
  const { models, formats } = await checkSameModel(seeds, place.folder, (all, seed) =>
    Array.from({ length: FORMATS }, (_, f) => all[(seed * FORMATS + f) % all.length]),
  );
  expect(models).toBeGreaterThan(TABLES / 2);
  expect(formats.size).toBeGreaterThanOrEqual(11);
});
