import { type AnyModel, isRegression } from "conformant";
import { treesOf } from "conformant/trees";

/** The cost of a row besides its prediction: reading, checking, writing. */
const ROW_COST = 1000;
/** Up to this cost predictions are computed at once: about half a millisecond at 10 ns a unit. */
const AT_ONCE_COST = 50_000;
/** The limit for the thread that is reserved for short work: about 5 ms. */
const SHORT_COST = 500_000;
/** Longer bodies are not parsed on the server's own thread. */
const AT_ONCE_BYTES = 16_384;

/** Evaluations of trees, or of something as quick, per sampled answer, where no sum over leaves or closed form is available. */
const TREE_WALKS = 1 << 22;

/**
 * The cost of predicting one row: M components × (columns × K classes + n²), n the columns of the Gaussian, and with trees M × leaves;
 * answers that are sampled add their evaluations. A single row takes about 10 ns a unit, one of a batch about 1 ns.
 */
function rowCost(model: AnyModel): number {
  const { schema, response, components, gaussianColumns } = model;
  const trees = treesOf(model);
  const n = gaussianColumns?.columns.length ?? 0;
  const leaves = trees?.outputs.length ?? 0;
  const isSum = trees?.link === "probability" || trees?.link === "identity";
  const draws = trees ? !isSum || gaussianColumns !== undefined : isDrawn(model);
  const rows = components.length * (schema.columns.length * response.outputs.length + n * n + leaves);
  return ROW_COST + rows + (draws ? TREE_WALKS : 0);
}

/** Whether a linear regressor has no closed form. */
function isDrawn(model: AnyModel): boolean {
  if (!isRegression(model) || model.predictor.kind !== "linear") return false;
  return model.predictor.link === "logit" || model.predictor.link === "probit";
}

/** The most rows in one job of the thread for short work. */
export function rowsPerPiece(model: AnyModel): number {
  return Math.max(1, Math.floor(SHORT_COST / rowCost(model)));
}

/** Where work is done: `now` in the server's thread, `short` in any thread of the pool, `long` in those that may be blocked. */
export type Pace = "now" | "short" | "long";

/** The pace for this many predictions. */
export function paceOfRows(model: AnyModel, rows: number, bytes: number): Pace {
  const cost = rows * rowCost(model);
  if (cost <= AT_ONCE_COST && bytes <= AT_ONCE_BYTES) return "now";
  return cost <= SHORT_COST || rows === 1 ? "short" : "long";
}

/** Whether a body is short enough to be parsed at once; the cost of a longer one is unknown until it is parsed. */
export function parsesAtOnce(bytes: number): boolean {
  return bytes <= AT_ONCE_BYTES;
}
