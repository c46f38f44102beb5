import { expect, it } from "vitest";
import { classify, conformMixture, encode, logEvidence, type Row } from "../../src/index.ts";
import { random } from "../../src/math/random.ts";
import { type Answering, answersOf, maskedLosses, maskRows } from "../../src/mixture/masked-rows.ts";
import { isMissingCell } from "../../src/schema/data.ts";
import { completions, randomModel, randomRow } from "../support/random-model.ts";

/** Two ways to sum a few hundred probabilities. */
const ROUNDING = 10;

const source = randomModel({ seed: 11, columns: 5, classes: 3, kinds: ["binary", "categorical"] });
const answering = answersOf(source.predictor) as Answering;
const g = random(4);
const rows = Array.from({ length: 60 }, () => randomRow(source, g));
const table = encode(source.predictor.schema, rows);
const all = Int32Array.from(rows.keys());

it("hides one cell at least, and shares of cells from a tenth to nine tenths, the same for the same seed", () => {
  const masked = maskRows(answering, table, all, 4, random(1));
  const hiddenIn = (at: number): number =>
    masked.hidden.columns.filter((cells) => isMissingCell(cells, at)).length;
  const counts = Array.from({ length: masked.hidden.rows }, (_, at) => hiddenIn(at));
  expect(counts).toHaveLength(240);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
  const share = counts.reduce((sum, count) => sum + count, 0) / 240 / 5;
  // Half of the cells, and a little more as one is hidden in any case.
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.65);
  expect(maskRows(answering, table, all, 4, random(1)).hidden.columns).toEqual(masked.hidden.columns);
});

it("is the cross entropy of the expected answer, by enumeration, to the classifier's", () => {
  const model = conformMixture(source.predictor, table, { components: 3 });
  const masked = maskRows(answering, table, all, 2, random(2));
  const losses = maskedLosses(model, masked, answering);
  const { classes } = source.predictor;
  const { columns } = table.schema;
  for (let r = 0; r < 12; r++) {
    const full = classify(source.predictor, rows[r]);
    let loss = 0;
    for (let j = 0; j < 2; j++) {
      const known: Row = Object.fromEntries(
        columns.flatMap(({ name }, i) =>
          isMissingCell(masked.hidden.columns[i], 2 * r + j) ? [] : [[name, rows[r][name]]],
        ),
      );
      const every = [...completions(model, known)].map((row) => ({
        probability: Math.exp(logEvidence(model, row)),
        answer: classify(source.predictor, row),
      }));
      const total = every.reduce((sum, { probability }) => sum + probability, 0);
      for (const name of classes) {
        const answer = every.reduce((sum, each) => sum + (each.probability / total) * each.answer[name], 0);
        loss -= (full[name] * Math.log(answer)) / 2;
      }
    }
    expect(losses[r]).toBeCloseTo(loss, ROUNDING);
  }
});
