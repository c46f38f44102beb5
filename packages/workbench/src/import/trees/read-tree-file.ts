import type { TreesJson } from "conformant";
import { checkTreesJson } from "conformant/trees";
import { fileHead } from "../file-head.ts";
import { type ImportedClassifier, type ReadingContext, refuseFile } from "../imported-classifier.ts";
import { isLightgbm, readLightgbm } from "./read-lightgbm.ts";
import { isXgboost, parseXgboostJson, readXgboost } from "./read-xgboost.ts";
import { parseUbjson } from "./ubjson.ts";

/** Whether a file holds trees, by its first bytes: XGBoost's JSON, UBJSON or old binary, LightGBM's text, or trees as JSON. */
export function isTreeFile(bytes: Uint8Array): boolean {
  const head = fileHead(bytes);
  return (
    isUbjson(bytes) || isOldXgboost(head) || isLightgbm(head) || /^\s*\{[\s\S]*"(?:learner|trees)"/.test(head)
  );
}

/** An object whose first key is a length, not a quote. */
function isUbjson(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7b && [0x4c, 0x6c, 0x49, 0x69, 0x55].includes(bytes[1]);
}

function isOldXgboost(head: string): boolean {
  return head.startsWith("binf") || head.startsWith("bs64");
}

/** Reads trees of any known software. */
export function readTreeFile(bytes: Uint8Array, context: ReadingContext): ImportedClassifier {
  const { path } = context;
  const text = new TextDecoder().decode(bytes);
  if (isLightgbm(text)) return { json: readLightgbm(text, path), notes: [] };
  if (isOldXgboost(text.slice(0, 4)))
    throw refuseFile(
      path,
      "this is a model in XGBoost's old binary format",
      'save it with booster.save_model("model.json")',
    );
  const document = isUbjson(bytes) ? parseUbjson(bytes) : parseXgboostJson(text);
  if (isXgboost(document)) return readXgboost(document, context);
  checkTreesJson(document as TreesJson);
  return { json: document as TreesJson, notes: [] };
}
