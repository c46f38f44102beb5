/** Every public function of the library, by any of its entries, and those of conformant/internal that check their arguments. */
export {
  addColumns,
  branchInWords,
  classifyRows,
  completeTable,
  decide,
  decisionInWords,
  findCompleteRows,
  logJoint,
  mixtureBetween,
  mixtureShape,
  pickRows,
  usualRange,
  valueCount,
  valueLabels,
} from "../../src/entries/internal.ts";
/** Those of small pages have the names of the whole library's. */
export { loadModel as loadSmallModel, predict as predictSmall } from "../../src/entries/predict.ts";
export * from "../../src/entries/remote.ts";
export * from "../../src/entries/texts.ts";
export * from "../../src/entries/threads.ts";
export * from "../../src/entries/trees.ts";
export * from "../../src/index.ts";
