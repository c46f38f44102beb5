import { conform, createClassifier, predict, type Row } from "conformant";
import { categoryFinder } from "conformant/texts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SqlEngine, sqlEngines } from "./support/sql-engines.ts";

/** Sums of a few terms in another order. */
const ROUNDING = 1e-12;

/** Numbers and truth values have other spellings; other texts that look a little like them have none. */
const values = ["1", "2.0", "20", "-3", "true", "False", "v1", "0", "4", "4.0"];
const texts = [
  "1",
  "1.0",
  "1.",
  "1.00",
  "2",
  "2.0",
  "2.000",
  "20",
  "20.0",
  "2.00e0",
  "-3.0",
  "TRUE",
  "True",
  "false",
];
const others = ["v1.0", "v1", "V1", "01", "10", "0.0", "0", "00", "4", "4.00", ".0", "unseen", "1.5", "1.01"];

const model = conform(
  createClassifier({
    schema: { columns: [{ name: "x", kind: "categorical", values }] },
    classes: ["no", "yes"],
    intercept: Float64Array.of(0, 0.1),
    weights: Float64Array.from(values.flatMap((_, place) => [0, place / 3 - 1])),
  }),
  values.map((x) => ({ x })),
);

describe.each(sqlEngines)("in $name", ({ available, open }) => {
  let engine: SqlEngine | undefined;
  beforeAll(async () => {
    if (available) engine = await open();
  });
  afterAll(() => engine?.stop());

  test.skipIf(!available)("a category is known by its other spellings, as the command knows it", async () => {
    const find = categoryFinder(values);
    const cells = [...texts, ...others];
    const rows: Row[] = cells.map((x) => ({ x }));
    const answers = (await engine?.answer(model, rows)) ?? [];
    const wrong = cells.filter((text, r) => {
      const place = find(text);
      const { yes } = predict(model, place === undefined ? {} : { x: values[place] });
      return !(Math.abs(Number(answers[r][2]) - yes) < ROUNDING);
    });
    expect(wrong).toEqual([]);
  });
});
