import { expect, test } from "vitest";
import { checkSameModel } from "../support/tables/check-same-model.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const TABLES = 2000;

test(`the same table gives the same model byte for byte in every format: ${TABLES} generated tables`, {
  timeout: 7_200_000,
}, async () => {
  const seeds = Array.from({ length: TABLES }, (_, seed) => 1000 + seed);
  const { models } = await checkSameModel(seeds, place.folder, (all) => all);
  expect(models).toBeGreaterThan(TABLES / 2);
});
