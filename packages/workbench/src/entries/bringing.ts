/**
 * Files of classifiers that were trained elsewhere, read. A part of its own, for most models are trained here.
 *
 * @module
 */

export {
  type Affine,
  classifierFromLogits,
  columnOf,
  combine,
  constantOf,
  featureOf,
  scaled,
  stepped,
} from "../bringing/affine.ts";
export {
  type BroughtClassifier,
  type ClassifierReader,
  type ClassifierWords,
  isTrees,
  type ReadingContext,
  refuseFile,
} from "../bringing/brought-classifier.ts";
export {
  type ClassifierFile,
  type OpeningOptions,
  openClassifier,
  refuseLarge,
} from "../bringing/classifier-file.ts";
export { readOnnx } from "../bringing/onnx/read-onnx.ts";
export { parseClassifier } from "../bringing/parse-classifier.ts";
export { type Comparison, FeatureList, NOTHING, questionOf } from "../bringing/trees/feature-list.ts";
export { type LeafValue, type Question, TreeWriter } from "../bringing/trees/tree-writer.ts";
