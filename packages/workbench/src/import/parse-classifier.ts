import { ConformantError } from "conformant";
import { checkTreesJson } from "conformant/trees";
import { TableError } from "../source/table-error.ts";
import { type ImportedClassifier, isTrees, type ReadingContext, refuseFile } from "./imported-classifier.ts";
import { readCoefficients } from "./read-coefficients.ts";
import { readJson } from "./read-json.ts";
import { refuseOtherFiles } from "./refuse-other-files.ts";
import { isTreeFile, readTreeFile } from "./trees/read-tree-file.ts";

type Format = "json" | "pmml" | "onnx" | "table" | "trees";

/**
 * Reads an existing classifier: JSON, ONNX, PMML, a table of coefficients or trees, by name or content. Every error is one sentence that
 * names the file.
 */
export function parseClassifier(bytes: Uint8Array, context: ReadingContext): ImportedClassifier {
  const { path } = context;
  if (bytes.length === 0) throw refuseFile(path, "the file is empty");
  refuseOtherFiles(path, bytes);
  try {
    const brought = parse(bytes, context);
    if (isTrees(brought.json)) checkTreesJson(brought.json);
    return brought;
  } catch (thrown) {
    if (thrown instanceof TableError) throw thrown;
    if (thrown instanceof ConformantError)
      throw refuseFile(path, thrown.message, thrown.details.hint, thrown);
    // Decoders throw their own errors for damaged files, and deep nesting overflows the stack.
    throw refuseFile(path, `the file is damaged: ${(thrown as Error).message}`, undefined, thrown);
  }
}

function parse(bytes: Uint8Array, context: ReadingContext): ImportedClassifier {
  const { path, readers } = context;
  const format = formatOf(path, bytes);
  if (format === "trees") return readTreeFile(bytes, context);
  if (format === "json" || format === "table") {
    const text = new TextDecoder().decode(bytes);
    return format === "json" ? readJson(text, context) : readCoefficients(text, context);
  }
  const read = readers[format];
  if (read) return read(bytes, context);
  throw refuseFile(
    path,
    `${format.toUpperCase()} is not supported here`,
    "the command conformant fit --classifier reads it",
  );
}

const EXTENSIONS: Readonly<Record<string, Format>> = {
  ".json": "json",
  ".pmml": "pmml",
  ".xml": "pmml",
  ".onnx": "onnx",
  ".csv": "table",
  ".tsv": "table",
};

/** Trees are recognized by content, others by name or by the first bytes: a brace, an angle bracket, binary data. */
export function formatOf(path: string, bytes: Uint8Array): Format {
  if (isTreeFile(bytes)) return "trees";
  const named = EXTENSIONS[/[.][^.]*$/.exec(path)?.[0].toLowerCase() ?? ""];
  if (named) return named;
  const head = bytes.subarray(0, 1000);
  const first = head.find((byte) => byte > 0x20 && byte < 0x80);
  if (head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0d].includes(byte))) return "onnx";
  return first === 0x7b ? "json" : first === 0x3c ? "pmml" : "table";
}
