import type { Model } from "conformant";
import { TableError } from "../source/table-error.ts";

/**
 * Throws unless every column of a model has atoms: with a Gaussian block what a gap is worth depends on what else is known, which
 * neither a constant nor a formula that a person can follow says.
 */
export function requireAtoms({ block }: Model, format: string): void {
  if (!block) return;
  throw new TableError(
    "not-exportable",
    `a model with a Gaussian block over its numeric columns cannot be written as ${format}, expected atoms`,
    {
      hint: "--to onnx, sql, js, json and page carry it; conformant fit --numeric atoms gives a model that can be written so",
    },
  );
}
