import type { Row, Schema } from "conformant";
import * as ort from "onnxruntime-web";
import { isIndicatorColumn } from "../../../src/source/positions.ts";

ort.env.wasm.numThreads = 1;
ort.env.logLevel = "error";

export interface OnnxAnswers {
  readonly labels: readonly string[];
  /** rows × K. */
  readonly probabilities: ArrayLike<number>;
}

/** Runs the graph of a classifier. */
export async function runOnnx(...given: Parameters<typeof runGraph>): Promise<OnnxAnswers> {
  const [labels, probabilities] = await runGraph(...given);
  return { labels: labels as readonly string[], probabilities: probabilities as Float64Array };
}

/** Runs a graph with one input per column, NaN or the empty text for a gap, and returns its outputs. */
export async function runGraph(
  bytes: Uint8Array,
  schema: Schema,
  rows: readonly Row[],
  numbers: "float32" | "float64",
  integers: readonly string[] = [],
): Promise<unknown[]> {
  const session = await ort.InferenceSession.create(bytes);
  const shape = [rows.length, 1];
  const supplied = schema.columns.filter((column) => !isIndicatorColumn(column));
  const feeds = supplied.map(({ name, kind }): [string, ort.Tensor] => {
    if (kind === "categorical")
      return [
        name,
        new ort.Tensor(
          "string",
          rows.map((row) => String(row[name] ?? "")),
          shape,
        ),
      ];
    if (integers.includes(name))
      return [
        name,
        new ort.Tensor(
          "int64",
          BigInt64Array.from(rows, (row) => BigInt(row[name] as number)),
          shape,
        ),
      ];
    const cells = rows.map((row) => (row[name] === undefined ? Number.NaN : Number(row[name])));
    return [
      name,
      numbers === "float64"
        ? new ort.Tensor("float64", Float64Array.from(cells), shape)
        : new ort.Tensor("float32", Float32Array.from(cells), shape),
    ];
  });
  const outputs = await session.run(Object.fromEntries(feeds));
  await session.release();
  return session.outputNames.map((name) => outputs[name].data);
}

/** Rows with numbers that single precision holds. */
export function inSinglePrecision(rows: readonly Row[]): Row[] {
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, x]) => [key, typeof x === "number" ? Math.fround(x) : x]),
    ),
  );
}
