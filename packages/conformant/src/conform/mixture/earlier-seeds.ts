import { softmaxInPlace } from "../../math/exponential/softmax.ts";
import { type Atoms, atomCode } from "../../model/atoms.ts";
import { joinParts } from "../../model/factor-parts.ts";
import type { Model } from "../../model/model.ts";
import { mixtureScores } from "../../posterior/mixture-scores.ts";
import { pickRows } from "../../schema/rows/pick-rows.ts";
import type { WeightedRows } from "../../schema/rows/weighted-rows.ts";
import { type FactorFrames, factorsInFit } from "./factors-in-fit.ts";
import type { Seeds } from "./seeding.ts";

/** Rows whose shares are found together. */
const BATCH = 256;
/** A share of a row below this tells a start nothing. */
const NEGLIGIBLE = 1e-3;

/** What EM starts from where an earlier mixture of the same shape says how much of a row falls to each component. */
export function seedsFrom(
  model: Model,
  { table, rows, weights }: WeightedRows,
  atoms: Atoms,
  frames: FactorFrames,
): Seeds {
  const [M, K] = [model.components.length, model.classifier.classes.length];
  const others = factorsInFit(frames).map((factor) => ({ factor, seeds: factor.seed(M) }));
  const counts = Array.from({ length: M }, () => new Float64Array(atoms.offsets[atoms.columns.length]));
  const scores = new Float64Array(BATCH * M * K);
  for (let start = 0; start < rows.length; start += BATCH) {
    const own = rows.subarray(start, start + BATCH);
    mixtureScores(model, pickRows(table, own), 0, own.length, scores);
    const cells = others.map(({ factor }) => factor.cellsOf(table, own));
    own.forEach((r, s) => {
      softmaxInPlace(scores, s * M * K, M * K);
      const codes = table.columns.map((_, i) => atomCode(atoms, i, table.columns[i], r));
      for (let m = 0; m < M; m++) {
        let share = 0;
        for (let k = 0; k < K; k++) share += weights[r] * scores[(s * M + m) * K + k];
        if (share < NEGLIGIBLE * weights[r]) continue;
        codes.forEach((code, i) => {
          if (code >= 0) counts[m][atoms.offsets[i] + code] += share;
        });
        others.forEach(({ seeds }, f) => {
          seeds.add(m, cells[f], s, share);
        });
      }
    });
  }
  return { counts, ...joinParts(others.map(({ seeds }) => seeds.sums())) };
}
