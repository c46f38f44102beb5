import { extname } from "node:path";
import { type AnyModel, isRegression } from "conformant";
import { treesOf } from "conformant/trees";
import type { ExportFormat } from "conformant-workbench";
import {
  exportAnswering,
  exportJavascript,
  exportJson,
  exportOnnx,
  exportPython,
  exportR,
  exportSql,
  type OnnxExportOptions,
  requireExportable,
  type SqlExportOptions,
} from "conformant-workbench/export";
import type { FileContent } from "../output/atomic-file.ts";
import { answeringProgram } from "./answering-program.ts";

/** A model in another format; the first file is the requested one, the others accompany it. */
export function exportModel(
  model: AnyModel,
  format: ExportFormat,
  path: string,
  options: OnnxExportOptions & SqlExportOptions,
): readonly FileContent[] {
  requireExportable(model, format);
  const trees = treesOf(model);
  switch (format) {
    case "onnx":
      return [{ path, content: exportOnnx(model, options) }];
    case "sql":
      return [{ path, content: exportSql(model, options) }];
    case "js": {
      const { script, types } =
        trees || isRegression(model) ? exportAnswering(model, answeringProgram()) : exportJavascript(model);
      return [
        { path, content: script },
        { path: besideName(path, extname(path) === ".mjs" ? ".d.mts" : ".d.ts"), content: types },
      ];
    }
    case "python":
      return [{ path, content: exportPython(model) }];
    case "r":
      return [{ path, content: exportR(model) }];
    case "json":
      return [{ path, content: exportJson(model) }];
  }
}

/** A file name with another ending. */
function besideName(path: string, ending: string): string {
  const own = extname(path);
  return (own === "" || own === ending ? path : path.slice(0, -own.length)) + ending;
}
