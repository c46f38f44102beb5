import { fileURLToPath } from "node:url";
import { conform, createClassifier, predictColumns } from "conformant";
import { random } from "../packages/conformant/src/math/random.ts";
import { type BenchRow, duration, peer, times } from "./measure.ts";

const [ROWS, COLUMNS, GAPS] = [1_000_000, 54, 0.3];

/** Expected predictions for a million rows with gaps, against mean imputation followed by the classifier. */
export async function benchPredict(): Promise<BenchRow[]> {
  const g = random(1);
  const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);
  const arrays = names.map(() =>
    Float64Array.from({ length: ROWS }, () => (g.uniform() < GAPS ? Number.NaN : g.uniform())),
  );
  const data = Object.fromEntries(names.map((name, i) => [name, arrays[i]]));
  const sample = Object.fromEntries(names.map((name, i) => [name, arrays[i].subarray(0, 20_000)]));
  const copy = times(3, () => arrays.map((array) => array.slice())).median;
  return [2, 7].map((K) => {
    const classifier = createClassifier({
      schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
      classes: Array.from({ length: K }, (_, k) => `${k}`),
      intercept: new Float64Array(K),
      weights: Float64Array.from({ length: COLUMNS * K }, (_, j) =>
        K === 2 && j % K === 0 ? 0 : g.normal(),
      ),
    });
    const model = conform(classifier, sample);
    const ours = times(3, () => predictColumns(model, data)).median;
    const theirs = peer<{ seconds: number }>("predict_sklearn.py", {
      rows: ROWS,
      columns: COLUMNS,
      gaps: GAPS,
      classes: K,
    });
    const ratio = theirs && (theirs.seconds * 1000) / ours;
    return {
      what: `predictColumns, 10⁶ rows × ${COLUMNS} columns, 30 % gaps, ${K} classes, against SimpleImputer + predict_proba`,
      ours: `${duration(ours)}, ${Math.round((100 * copy) / ours)} % of the speed of copying the array`,
      peer: theirs ? duration(theirs.seconds * 1000) : "–",
      ratio: ratio ? `${ratio.toPrecision(3)}×` : "–",
      bar: "faster",
      met: ratio === undefined ? undefined : ratio > 1,
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchPredict());
