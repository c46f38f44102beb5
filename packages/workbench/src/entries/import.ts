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
} from "../import/affine.ts";
export {
  type ClassifierFile,
  type OpeningOptions,
  openClassifier,
  refuseLarge,
} from "../import/classifier-file.ts";
export {
  type ClassifierReader,
  type ClassifierWords,
  type ImportedClassifier,
  isTrees,
  type ReadingContext,
  refuseFile,
} from "../import/imported-classifier.ts";
export { readOnnx } from "../import/onnx/read-onnx.ts";
export { parseClassifier } from "../import/parse-classifier.ts";
export { type Comparison, FeatureList, NOTHING, questionOf } from "../import/trees/feature-list.ts";
export { type LeafValue, type Question, TreeWriter } from "../import/trees/tree-writer.ts";
