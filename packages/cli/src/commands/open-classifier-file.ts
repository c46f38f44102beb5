import { statSync } from "node:fs";
import {
  type ClassifierFile,
  type ClassifierWords,
  type OpeningOptions,
  openClassifier,
  readOnnx,
  refuseLarge,
} from "conformant-workbench/import";
import { readPmml } from "conformant-workbench/pmml";
import { readWholeFile } from "../sources/files/read-whole-file.ts";

/** Options that describe a classifier. */
const OPTIONS: ClassifierWords = {
  columns: "--columns",
  classes: "--classes",
  categories: "--categories",
  gap: (text) => `--na ${text}`,
};

/** How the command reads classifiers: all formats, with hints that name its options. */
export const COMMAND_READING = { words: OPTIONS, readers: { onnx: readOnnx, pmml: readPmml } } as const;

/** Reads the file of a classifier. */
export function openClassifierFile(
  path: string,
  said: Omit<OpeningOptions, keyof typeof COMMAND_READING>,
): ClassifierFile {
  refuseLarge(path, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return openClassifier(path, readWholeFile(path), { ...COMMAND_READING, ...said });
}
