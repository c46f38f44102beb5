import { type AnyModel, isRegression } from "conformant";
import { treesOf } from "conformant/trees";
import { TableError } from "../source/table-error.ts";
import type { ExportFormat } from "./export-formats.ts";

const carriesTrees: ReadonlySet<ExportFormat> = new Set(["js", "python", "r", "json", "sql"]);

/** Throws where the format cannot express this kind of model. */
export function requireExportable(model: AnyModel, format: ExportFormat): void {
  if (treesOf(model) && !carriesTrees.has(format))
    throw new TableError("not-exportable", `a model of trees cannot be written as ${format}`, {
      hint: "--to js, python, r and page carry the program that answers, --to json the trees and the distribution, --to sql what they add up to",
    });
  if (!isRegression(model) || format === "js") return;
  const { predictor } = model;
  const link = predictor.kind === "function" ? "identity" : predictor.link;
  if (link === "probit" || (link === "logit" && predictor.kind === "linear"))
    throw new TableError(
      "not-exportable",
      `a regressor with the link ${link} cannot be written as ${format}`,
      {
        hint: "--to js carries the program that answers",
      },
    );
}
