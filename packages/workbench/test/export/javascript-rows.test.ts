import { pathToFileURL } from "node:url";
import { conform, conformMixture, createClassifier, type Model, predict, type Row } from "conformant";
import { expect, test } from "vitest";
import { Workplace } from "../../../cli/test/support/workplace.ts";
import { exportJavascript } from "../../src/export/export-javascript.ts";

const place = new Workplace();

const columns = [
  { name: "number", kind: "numeric" },
  { name: "bit", kind: "binary" },
  { name: "truth", kind: "categorical", values: ["false", "true"] },
  { name: "code", kind: "categorical", values: ["1", "2", "NA", "yes"] },
] as const;

const classifier = createClassifier({
  schema: { columns },
  classes: ["a", "b"],
  intercept: Float64Array.of(0, 0.3),
  weights: Float64Array.of(0, 0.02, 0, -0.7, 0, 0.5, 0, -0.5, 0, 0.4, 0, -0.2, 0, 0.9, 0, -1.1),
});

const rows = Array.from({ length: 60 }, (_, r) => ({
  number: ((r * 37) % 60) / 3 + (r % 2),
  bit: r % 2,
  truth: r % 3 === 0,
  code: ["1", "2", "NA", "yes"][(r * 5) % 4],
}));

const odd: readonly unknown[] = [
  null,
  undefined,
  "",
  Number.NaN,
  "NA",
  "null",
  "nan",
  0,
  1,
  2,
  -3.5,
  1n,
  true,
  false,
  "True",
  "FALSE",
  "1",
  "1.0",
  "2.",
  " 7 ",
  "+7.5e1",
  "0x10",
  "0b1",
  "007",
  "1e155",
  1e155,
  -1e101,
  1e100,
  Number.POSITIVE_INFINITY,
  "Infinity",
  "abc",
  "yes",
  "YES",
  {},
  [],
  [1],
  new Date(0),
  Symbol("s"),
  () => 1,
];

test.each([
  ["atoms", conform(classifier, rows)],
  ["gaussian", conformMixture(classifier, rows, { components: 2, numeric: "gaussian", maxIterations: 5 })],
])("the JavaScript module reads every kind of value as the library does: %s", async (name, model: Model) => {
  const file = place.write(`${name}.mjs`, exportJavascript(model).script);
  const module = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const outcome = (ask: () => Record<string, number>): Record<string, number> | "refused" => {
    try {
      return ask();
    } catch {
      return "refused";
    }
  };
  let refused = 0;
  for (const { name: column } of columns)
    for (const value of odd) {
      const row = { number: 3, [column]: value } as Row;
      const expected = outcome(() => predict(model, row));
      const answer = outcome(() => module.predict(row));
      const what = `${column}: ${typeof value} ${String(value)}`;
      if (expected === "refused" || answer === "refused") {
        expect(answer, what).toBe(expected);
        refused++;
      } else for (const [own, p] of Object.entries(expected)) expect(answer[own], what).toBeCloseTo(p, 12);
    }
  expect(refused).toBeGreaterThan(20);
});
