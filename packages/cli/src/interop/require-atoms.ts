import type { Component, Model } from "conformant";
import { CliError } from "../errors.ts";

/** A component that has its numeric columns in a Gaussian block beside, or in place of, their atoms. */
type PerhapsGaussian = Component & { readonly gaussian?: unknown };

/**
 * Throws unless every column of a model has atoms: with a Gaussian block a gap is worth something else for every pattern
 * of gaps, which no single expression can say. The JavaScript export, which is a program, does not need this.
 */
export function requireAtoms({ components }: Model, format: string): void {
  if (!components.some((component: PerhapsGaussian) => component.gaussian !== undefined)) return;
  throw new CliError(
    "not-exportable",
    `a model with a Gaussian block over its numeric columns cannot be written as ${format}, expected atoms`,
    { hint: "conformant fit --numeric atoms gives a model that can, and --to js carries this one" },
  );
}
