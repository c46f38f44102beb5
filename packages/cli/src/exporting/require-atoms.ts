import type { Model } from "conformant";
import { CliError } from "../errors.ts";

/**
 * Throws unless every column of a model has atoms: with a Gaussian block a gap is worth something else for every pattern
 * of gaps, which no single expression can say. The JavaScript export, which is a program, does not need this.
 */
export function requireAtoms({ block }: Model, format: string): void {
  if (!block) return;
  throw new CliError(
    "not-exportable",
    `a model with a Gaussian block over its numeric columns cannot be written as ${format}, expected atoms`,
    { hint: "conformant fit --numeric atoms gives a model that can, and --to js carries this one" },
  );
}
