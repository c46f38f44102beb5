import { describe, expect, it } from "vitest";
import { createFastContext, type FitContext, fastContext } from "../../src/kernels/context.ts";
import { plainFitKernels } from "../../src/kernels/plain-fitting.ts";
import { designMatrix } from "../../src/logistic-regression/design-matrix.ts";
import { logisticLoss, panelLayout, parameterIndex } from "../../src/logistic-regression/loss.ts";
import { random } from "../../src/math/random.ts";
import { logSumExp } from "../../src/math/softmax.ts";
import { everyRow, mixedProblem, scoresOf, slotsOfRow } from "../support/mixed-problem.ts";

/** Sums of a few hundred numbers of size 1, in two different orders. */
const ROUNDING = 1e-9;
/** Relative error of a central difference with step 1e-5: third derivatives times 1e-10, rounding over 1e-5. */
const DIFFERENCE = 1e-6;

describe("logisticLoss", () => {
  // 601 rows are more than one block, the last of them odd; 2 to 9 classes are one to three panels, some padded.
  for (const classCount of [2, 3, 4, 5, 9]) {
    const { table, labels, rowWeights } = mixedProblem(601, classCount);
    const design = designMatrix(table, everyRow(table), rowWeights);
    const layout = panelLayout(design.slots, classCount);
    const loss = logisticLoss(design, layout, labels, 0.7, fastContext);
    const g = random(2);
    const point = new Float64Array(layout.length);
    for (let slot = 0; slot <= design.slots; slot++) {
      for (let k = 0; k < layout.outputs; k++) point[parameterIndex(layout, slot, k)] = g.normal();
    }

    it(`is the penalised log-loss of ${classCount} classes`, () => {
      const first = classCount - layout.outputs;
      const weights = new Float64Array(design.slots * classCount);
      const intercept = new Float64Array(classCount);
      for (let k = 0; k < layout.outputs; k++) {
        intercept[first + k] = point[parameterIndex(layout, design.slots, k)];
        for (let slot = 0; slot < design.slots; slot++) {
          weights[slot * classCount + first + k] = point[parameterIndex(layout, slot, k)];
        }
      }
      let expected = 0.35 * weights.reduce((sum, w) => sum + w * w, 0);
      for (let r = 0; r < table.rows; r++) {
        const x = slotsOfRow(table, r).map((value, slot) => (value - design.mean[slot]) / design.scale[slot]);
        const scores = scoresOf({ intercept, weights }, x);
        expected += rowWeights[r] * (logSumExp(scores) - scores[labels[r]]);
      }
      expect(Math.abs(loss(point, new Float64Array(layout.length)) / expected - 1)).toBeLessThan(ROUNDING);
    });

    it(`has the gradient that finite differences show for ${classCount} classes`, () => {
      const gradient = new Float64Array(layout.length);
      loss(point, gradient);
      const largest = Math.max(...gradient.map(Math.abs));
      const unused = new Float64Array(layout.length);
      const step = 1e-5;
      for (let j = 0; j < layout.length; j += 7) {
        const [ahead, behind] = [point.slice(), point.slice()];
        ahead[j] += step;
        behind[j] -= step;
        const isPadding = point[j] === 0;
        const slope = isPadding ? 0 : (loss(ahead, unused) - loss(behind, unused)) / (2 * step);
        expect(Math.abs(slope - gradient[j])).toBeLessThan(DIFFERENCE * largest);
      }
    });
  }

  it("is the same to the last bit in a memory of its own as in plain loops, with many entries", () => {
    const { table, labels, rowWeights } = mixedProblem(30_000, 3);
    const design = designMatrix(table, everyRow(table), rowWeights);
    const layout = panelLayout(design.slots, 3);
    const plain: FitContext = { use: (_, use) => use(plainFitKernels) };
    const point = Float64Array.from({ length: layout.length }, (_, j) => Math.sin(j) / 4);
    const [own, expected] = [createFastContext(), plain].map((context) => {
      const gradient = new Float64Array(layout.length);
      return [logisticLoss(design, layout, labels, 0.7, context)(point, gradient), ...gradient];
    });
    expect(own).toEqual(expected);
  });
});
