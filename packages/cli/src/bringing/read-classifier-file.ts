import { statSync } from "node:fs";
import { extname } from "node:path";
import { ConformantError } from "conformant";
import { checkTreesJson } from "conformant/trees";
import { CliError } from "../errors.ts";
import { readWholeFile } from "../sources/files/read-whole-file.ts";
import {
  type BroughtClassifier,
  isTrees,
  MOST_BYTES,
  type ReadingContext,
  refuseFile,
} from "./brought-classifier.ts";
import { readOnnx } from "./onnx/read-onnx.ts";
import { readPmml } from "./pmml/read-pmml.ts";
import { readCoefficients } from "./read-coefficients.ts";
import { readJson } from "./read-json.ts";
import { refuseOtherFiles } from "./refuse-other-files.ts";
import { isTreeFile, readTreeFile } from "./trees/read-tree-file.ts";

type Format = "json" | "pmml" | "onnx" | "table" | "trees";

/**
 * Reads a classifier that was trained elsewhere: JSON, ONNX, PMML, a table of coefficients or trees, by name or content.
 * Whatever is wrong with it is said in one sentence that names the file.
 */
export function parseClassifier(bytes: Uint8Array, context: ReadingContext): BroughtClassifier {
  const { path } = context;
  if (bytes.length === 0) throw refuseFile(path, "the file is empty");
  refuseOtherFiles(path, bytes);
  try {
    const brought = parse(bytes, context);
    if (isTrees(brought.json)) checkTreesJson(brought.json);
    return brought;
  } catch (thrown) {
    if (thrown instanceof CliError) throw thrown;
    if (thrown instanceof ConformantError)
      throw refuseFile(path, thrown.message, thrown.details.hint, thrown);
    // Decoders of damaged files throw errors of their own, a deep nesting overflows the stack.
    throw refuseFile(path, `the file is damaged: ${(thrown as Error).message}`, undefined, thrown);
  }
}

function parse(bytes: Uint8Array, context: ReadingContext): BroughtClassifier {
  const format = formatOf(context.path, bytes);
  if (format === "onnx") return readOnnx(bytes, context);
  if (format === "trees") return readTreeFile(bytes, context);
  const text = new TextDecoder().decode(bytes);
  return { json: readJson, pmml: readPmml, table: readCoefficients }[format](text, context);
}

/** The bytes of a file, unless they are more than a classifier has. */
export function readBytes(path: string): Uint8Array {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MOST_BYTES)
    throw refuseFile(path, `a classifier may have ${MOST_BYTES / 2 ** 20} MiB, the file has ${size} bytes`);
  return readWholeFile(path);
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  ".json": "json",
  ".pmml": "pmml",
  ".xml": "pmml",
  ".onnx": "onnx",
  ".csv": "table",
  ".tsv": "table",
};

/** Trees by their content, others by the name, else by the first bytes: a brace, an angle bracket, something that is no text. */
export function formatOf(path: string, bytes: Uint8Array): Format {
  if (isTreeFile(bytes)) return "trees";
  const named = EXTENSIONS[extname(path).toLowerCase()];
  if (named) return named;
  const head = bytes.subarray(0, 1000);
  const first = head.find((byte) => byte > 0x20 && byte < 0x80);
  if (head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte))) return "onnx";
  return first === 0x7b ? "json" : first === 0x3c ? "pmml" : "table";
}
