/** Everything that the library offers, by any of its entries. */
export * from "../../src/entries/baselines.ts";
export * from "../../src/entries/naive-bayes.ts";
export * from "../../src/entries/pictures.ts";
/** Those of small pages have the names of the whole library's. */
export { loadModel as loadSmallModel, predict as predictSmall } from "../../src/entries/predict.ts";
export * from "../../src/entries/remote.ts";
export * from "../../src/entries/texts.ts";
export * from "../../src/entries/threads.ts";
export * from "../../src/entries/trees.ts";
export * from "../../src/index.ts";
