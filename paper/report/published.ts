import { readFileSync } from "node:fs";

/** The paper's two tables, ×100, by method and dataset at 20, 40, 60 and 80 % missing. */
export interface PublishedTables {
  readonly missing_percent: readonly number[];
  readonly cross_entropy_x100: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  readonly weighted_f1_x100: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

/** One figure of the paper: a series per method over the number of missing pixels. */
export interface PublishedFigure {
  readonly missing_pixels: readonly number[];
  readonly cross_entropy: Readonly<Record<string, readonly (number | null)[]>>;
  readonly accuracy: Readonly<Record<string, readonly (number | null)[]>>;
}

export interface PublishedFigures {
  readonly mnist: PublishedFigure;
  readonly fashion: PublishedFigure;
}

export const tables = read<PublishedTables>("tables.json");

/** The numbers behind the paper's figures, from the authors' result files. */
export const figures = read<PublishedFigures>("figures.json");

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../published/${name}`, import.meta.url), "utf8")) as T;
}
