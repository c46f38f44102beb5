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
  const exported = [1, 8].flatMap((components) => {
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
  return [...exported, ...benchPackage()];
}

const PACKAGE = fileURLToPath(new URL("../python/src", import.meta.url));
const TASK = { training: 2000, rows: 1_000_000, columns: 20, gaps: 0.3, measured: 10_000 };

/** The Python package against scikit-learn's imputers and a classifier, on a NumPy array, and its fit against the command's. */
function benchPackage(): BenchRow[] {
  const measured = peer<Record<"atoms" | "gaussian" | "mean" | "knn" | "overhead", number>>(
    "predict_package.py",
    {
      ...TASK,
      package: PACKAGE,
      command: COMMAND,
      node: process.execPath,
    },
  );
  if (!measured) return [];
  const { atoms, gaussian, mean, knn, overhead } = measured;
  const about = "10⁶ rows × 20 numbers, 30 % of the cells missing";
  const against = (what: string, ours: number, imputer: string, peer: number): BenchRow => ({
    what: `the Python package, ${what}, ${about}, against ${imputer} and a classifier`,
    ours: duration(ours * 1000),
    peer: duration(peer * 1000),
    ratio: `${(peer / ours).toPrecision(3)}×`,
    bar: imputer === "KNNImputer" ? "1×" : "–",
    met: imputer === "KNNImputer" ? peer >= ours : undefined,
  });
  return [
    against("8 components of atoms", atoms, "SimpleImputer", mean),
    against("8 components of atoms", atoms, "KNNImputer", knn),
    against("a Gaussian", gaussian, "SimpleImputer", mean),
    against("a Gaussian", gaussian, "KNNImputer", knn),
    {
      what: "the Python package: the time of fit beyond the command's, 2,000 rows × 20 numbers",
      ours: duration(overhead * 1000),
      peer: "–",
      ratio: "–",
      bar: "0.5 s",
      met: overhead <= 0.5,
    },
  ];
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
