import { basename, extname } from "node:path";
import type { Model } from "conformant";
import { isGapColumn } from "conformant-workbench";
import { CliError } from "../errors.ts";
import type { FileContent } from "../output/atomic-file.ts";
import { exportJson } from "./export-json.ts";
import { exportSklearn } from "./export-sklearn.ts";
import { exportSpreadsheet } from "./export-spreadsheet.ts";
import { exportSql, type SqlExportOptions } from "./export-sql.ts";
import { exportTreesJson } from "./export-trees-json.ts";
import { exportAnswering } from "./javascript/export-answering.ts";
import { exportJavascript } from "./javascript/export-javascript.ts";
import type { OnnxExportOptions } from "./onnx/export-onnx.ts";
import { exportPython } from "./python/export-python.ts";
import { exportR } from "./r/export-r.ts";

/** What a model can be written as. */
export const exportFormats = ["onnx", "sql", "js", "python", "r", "json", "sklearn", "spreadsheet"] as const;
export type ExportFormat = (typeof exportFormats)[number];
const carriesTrees: ReadonlySet<ExportFormat> = new Set(["js", "python", "r", "json", "sql"]);

/** A model in another form; the first of several files is the one that was asked for, the others stand beside it. */
export async function exportModel(
  model: Model,
  format: ExportFormat,
  path: string,
  options: OnnxExportOptions & SqlExportOptions,
): Promise<readonly FileContent[]> {
  if (model.trees && !carriesTrees.has(format))
    throw new CliError("not-exportable", `a model of trees cannot be written as ${format}`, {
      hint: "--to js, python, r and page carry the program that answers, --to json the trees and the distribution, --to sql what they add up to",
    });
  if (model.classifier.schema.columns.some(isGapColumn))
    throw new CliError(
      "not-exportable",
      `a model that has learned from the pattern of gaps cannot be written as ${format}`,
      { hint: "--to page carries it; conformant fit --gaps random gives a model that can be written so" },
    );
  switch (format) {
    case "onnx": {
      const { exportOnnx } = await import("./onnx/export-onnx.ts");
      return [{ path, content: exportOnnx(model, options) }];
    }
    case "sql":
      return [{ path, content: exportSql(model, options) }];
    case "js": {
      const { script, types } = model.trees ? exportAnswering(model) : exportJavascript(model);
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
      return [{ path, content: model.trees ? exportTreesJson(model, model.trees) : exportJson(model) }];
    case "sklearn": {
      const { json, python } = exportSklearn(model, basename(path));
      return [
        { path, content: json },
        { path: besideName(path, ".py"), content: python },
      ];
    }
    case "spreadsheet":
      return [{ path, content: exportSpreadsheet(model) }];
  }
}

/** The name of a file with another ending. */
function besideName(path: string, ending: string): string {
  const own = extname(path);
  return (own === "" || own === ending ? path : path.slice(0, -own.length)) + ending;
}
