import { askNext, conformMixture, impute, type Model, predict, type Row, random, train } from "conformant";
import { expect, test } from "vitest";
import { imagineRows } from "../../src/acquisition/ask-groups.ts";
import { readRow } from "../../src/schema/read-row.ts";

/** Logarithms of probabilities are added in another order. */
const ROUNDING = 1e-10;
const DRAWS = 20;
/** Standard errors that a mean of draws may be from the truth. */
const ERRORS = 4;
/** Draws for a group, about. */
const PLAIN_DRAWS = 256;

const g = random(8);
const rows: Row[] = Array.from({ length: 300 }, () => {
  const [a, b] = [g.integer(2), g.integer(3)];
  const [x, z] = [g.normal() + a, g.normal() - b];
  return {
    a,
    b: "xyz"[b],
    x,
    z,
    d: g.integer(2),
    y: "pqr"[Math.max(0, Math.min(2, Math.round(a + x - z / 2)))],
  };
});
const classifier = train(rows, { label: "y" });
const { columns: schema } = classifier.schema;

/** What the model says of a drawn row, of which it is told what is known and the asked columns. */
function saidOf(model: Model, known: Row, cells: readonly number[], asked: readonly number[]): number[] {
  const told = asked.map((i): [string, Row[string]] => {
    const column = schema[i];
    return [column.name, column.kind === "categorical" ? column.values[cells[i]] : cells[i]];
  });
  const answer = predict(model, { ...known, ...Object.fromEntries(told) });
  return classifier.classes.map((name) => answer[name]);
}

test.each([["atoms"], ["gaussian"]] as const)(
  "answers that are imagined, of a mixture with numbers as %s, are those to the drawn rows",
  (numeric) => {
    const model = conformMixture(classifier, rows, { components: 3, numeric });
    const known: Row = { d: 1 };
    const cells = readRow(model.schema, known, true);
    const { columns: drawn, drawnFor, answersKnowing } = imagineRows(model, cells, DRAWS);
    for (const names of [
      ["a", "b"],
      ["x", "z"],
      ["b", "x"],
    ]) {
      const asked = names.map((name) => schema.findIndex((column) => column.name === name));
      const found = answersKnowing(asked);
      for (let r = 0; r < drawnFor.length; r++) {
        const said = saidOf(
          model,
          known,
          drawn.map((cells) => cells[r]),
          asked,
        );
        said.forEach((p, k) => {
          expect(Math.abs(found[r * said.length + k] - p)).toBeLessThan(ROUNDING);
        });
      }
    }
  },
);

/** P(bit = value | known). */
function shareOf(model: Model, known: Row, column: string, value: number): number {
  const imputed = impute(model, known)[column];
  return Array.from(Object.values(imputed.probabilities))[value];
}

test("where one class is nearly certain a group is worth what its values tell, to half the error of plain draws", () => {
  const bits: Row[] = Array.from({ length: 2000 }, () => {
    const y = g.integer(2);
    const noisy = (): number => (g.integer(8) === 0 ? 1 - y : y);
    return { a: noisy(), b: noisy(), c: noisy(), d: noisy(), e: noisy(), y: y === 1 ? "yes" : "no" };
  });
  const model = conformMixture(train(bits, { label: "y" }), bits, { components: 1 });
  const known: Row = { a: 1, b: 1, c: 1 };
  const now = predict(model, known).yes;
  expect(now).toBeGreaterThan(0.98);
  const outcomes = [0, 1].flatMap((d) =>
    [0, 1].map((e) => {
      const share = shareOf(model, known, "d", d) * shareOf(model, { ...known, d }, "e", e);
      const { yes } = predict(model, { ...known, d, e });
      return { share, gain: yes * Math.log(yes / now) + (1 - yes) * Math.log((1 - yes) / (1 - now)) };
    }),
  );
  const truth = outcomes.reduce((sum, { share, gain }) => sum + share * gain, 0);
  const variance = outcomes.reduce((sum, { share, gain }) => sum + share * (gain - truth) ** 2, 0);
  const [both] = askNext(model, known, { groups: { both: ["d", "e"] } });
  expect(both.error).toBeLessThan(Math.sqrt(variance / PLAIN_DRAWS) / 2);
  expect(Math.abs(both.informationGain - truth)).toBeLessThan(ERRORS * (both.error ?? 0));
});
