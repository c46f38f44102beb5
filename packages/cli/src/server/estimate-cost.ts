import type { Model } from "conformant";
import { treesOf } from "conformant/trees";

/** What a row costs besides its prediction: reading, checking, writing. */
const ROW_COST = 1000;
/** Predictions that cost no more are made at once: about half a millisecond on a usual core, 10 ns a unit. */
const AT_ONCE_COST = 50_000;
/** What may run on the thread that is kept for short work, about 5 ms. */
const SHORT_COST = 500_000;
/** Longer bodies are not even parsed by the thread that everyone waits for. */
const AT_ONCE_BYTES = 16_384;

/** Walks through trees that the answer to a row with gaps may take where no sum over the leaves is the answer. */
const TREE_WALKS = 1 << 22;

/**
 * The cost of predicting one row: M components × (columns × K classes + n²), n the columns of the Gaussian, and with
 * trees M × leaves and the walks. A row alone takes about 10 ns a unit, one of a batch about 1 ns.
 */
function rowCost(model: Model): number {
  const { schema, response, components, gaussianColumns } = model;
  const trees = treesOf(model);
  const n = gaussianColumns?.columns.length ?? 0;
  const leaves = trees?.outputs.length ?? 0;
  const walks = trees && (trees.link !== "probability" || gaussianColumns) ? TREE_WALKS : 0;
  return (
    ROW_COST + components.length * (schema.columns.length * response.outputs.length + n * n + leaves) + walks
  );
}

/** Rows that one piece of work on the thread for short work may have. */
export function rowsPerPiece(model: Model): number {
  return Math.max(1, Math.floor(SHORT_COST / rowCost(model)));
}

/**
 * Where work of a kind is done: `now` in the thread of the server, `short` in any of the pool, `long` in those that may be
 * held up.
 */
export type Pace = "now" | "short" | "long";

/** The pace for predictions of so many rows. */
export function paceOfRows(model: Model, rows: number, bytes: number): Pace {
  const cost = rows * rowCost(model);
  if (cost <= AT_ONCE_COST && bytes <= AT_ONCE_BYTES) return "now";
  return cost <= SHORT_COST || rows === 1 ? "short" : "long";
}

/** Whether a body is short enough to be parsed at once; the pace of a longer one is not known before it is parsed. */
export function parsesAtOnce(bytes: number): boolean {
  return bytes <= AT_ONCE_BYTES;
}
