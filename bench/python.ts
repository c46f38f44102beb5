import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { conformMixture, createClassifier, type Row, saveModel } from "conformant";
import { random } from "../packages/conformant/src/math/random.ts";
import { type BenchRow, duration, peer } from "./support/measure.ts";

const COMMAND = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const [TRAINING, ROWS, COLUMNS, GAPS] = [1000, 100_000, 10, 0.3];

/** The exported Python file against scikit-learn's KNNImputer and a classifier, in Python, on a DataFrame with a pattern of gaps per row. */
export async function benchPython(): Promise<BenchRow[]> {
  const rows = makeRows();
  return [1, 8].flatMap((components) => {
    const model = conformMixture(makeClassifier(), rows, {
      components,
      numeric: "gaussian",
      maxIterations: 5,
    });
    const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
    try {
      const saved = join(folder, "model.json");
      writeFileSync(saved, saveModel(model));
      execFileSync(process.execPath, [
        COMMAND,
        "export",
        saved,
        "--to",
        "python",
        "-o",
        join(folder, "exported.py"),
      ]);
      const training = rows.map((row) => Object.values(row));
      const measured = peer<{ ours: number; peer: number }>("predict_file.py", {
        folder,
        training,
        rows: ROWS,
        gaps: GAPS,
      });
      const ratio = measured && measured.peer / measured.ours;
      return {
        what: `the Python file, ${components} component${components > 1 ? "s" : ""} with a Gaussian over ${COLUMNS} columns, 10⁵ rows, 30 % of the cells missing, against KNNImputer with 10³ training rows and a classifier`,
        ours: measured ? duration(measured.ours * 1000) : "–",
        peer: measured ? duration(measured.peer * 1000) : "–",
        ratio: ratio ? `${ratio.toPrecision(3)}×` : "–",
        bar: "1×",
        met: ratio === undefined ? undefined : ratio >= 1,
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);

function makeClassifier() {
  return createClassifier({
    schema: { columns: names.map((name) => ({ name, kind: "numeric" as const })) },
    classes: ["no", "yes"],
    intercept: new Float64Array(2),
    weights: Float64Array.from({ length: 2 * COLUMNS }, (_, j) => (j % 2) * Math.sin(j)),
  });
}

/** Normal rows whose columns share a part. */
function makeRows(): Row[] {
  const { normal } = random(1);
  return Array.from({ length: TRAINING }, () => {
    const shared = normal();
    return Object.fromEntries(names.map((name, i) => [name, normal() + shared * Math.cos(i)]));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchPython());
