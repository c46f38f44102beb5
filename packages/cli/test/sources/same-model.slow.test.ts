import { expect, test } from "vitest";
import { checkSameModel } from "../support/tables/check-same-model.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const [PARTS, TABLES] = [20, 100];

test.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  `the same table gives the same model byte for byte and the same predictions in every format: ${TABLES} generated tables, part %i of ${PARTS}`,
  { timeout: 1_200_000 },
  async (part) => {
    const seeds = Array.from({ length: TABLES }, (_, seed) => 1000 * part + seed);
    const { models } = await checkSameModel(seeds, place.folder, (all) => all);
    expect(models).toBeGreaterThan(TABLES / 2);
  },
);
