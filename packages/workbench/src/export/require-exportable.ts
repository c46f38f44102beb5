import type { Model } from "conformant";
import { treesOf } from "conformant/trees";
import { TableError } from "../source/table-error.ts";
import type { ExportFormat } from "./export-formats.ts";

const carriesTrees: ReadonlySet<ExportFormat> = new Set(["js", "python", "r", "json", "sql"]);

/** Throws where the format cannot express this kind of model. */
export function requireExportable(model: Model, format: ExportFormat): void {
  if (treesOf(model) && !carriesTrees.has(format))
    throw new TableError("not-exportable", `a model of trees cannot be written as ${format}`, {
      hint: "--to js, python, r and page carry the program that answers, --to json the trees and the distribution, --to sql what they add up to",
    });
}
