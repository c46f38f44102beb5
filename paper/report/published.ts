import { readFileSync } from "node:fs";
import type { Measure } from "../protocol/scores/results.ts";

/** The paper's two tables, ×100, by method and dataset at 20, 40, 60 and 80 % missing. */
export interface PublishedTables {
  readonly missing_percent: readonly number[];
  readonly cross_entropy_x100: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  readonly weighted_f1_x100: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
}

/** A result file of the authors: per measure and method one number for each number of missing columns. */
export interface AuthorsSeries extends Partial<Record<Measure, MethodSeries>> {
  readonly missing: readonly number[];
}

type MethodSeries = Readonly<Record<string, readonly (number | null)[]>>;

export const tables = read<PublishedTables>("tables.json");

interface FigureFile {
  readonly missing_pixels: readonly number[];
  readonly cross_entropy: MethodSeries;
  readonly accuracy: MethodSeries;
}

/** What the authors' other public files say: the series of the tables' datasets, and the images of the case study. */
export interface AuthorsFiles {
  readonly series: Readonly<Record<string, AuthorsSeries>>;
  readonly explanations: {
    /** Rows of MNIST's test images, from 0: right and wrong predictions. */
    readonly right: readonly number[];
    readonly wrong: readonly number[];
    /** The size of the sufficient explanation by row. */
    readonly sufficient: Readonly<Record<string, number>>;
  };
}

export const authors = read<AuthorsFiles>("authors.json");

/** The numbers behind the paper's figures. */
const figures = read<{ readonly mnist: FigureFile; readonly fashion: FigureFile }>("figures.json");

/** The authors' result file of a dataset; that of an image dataset is what its figure in the paper shows. */
export function authorsSeries(dataset: string): AuthorsSeries | undefined {
  if (dataset !== "mnist" && dataset !== "fashion") return authors.series[dataset];
  return { ...figures[dataset], missing: figures[dataset].missing_pixels };
}

/** A number of the authors' files, null where they have none. */
export function authorsValue(
  dataset: string,
  measure: Measure,
  method: string,
  missing: number,
): number | null {
  const series = authorsSeries(dataset);
  return series?.[measure]?.[method]?.[series.missing.indexOf(missing)] ?? null;
}

/** A number of the paper's tables as a share, null where it is not in them. */
export function printedValue(dataset: string, measure: Measure, method: string, rate: number): number | null {
  if (measure === "accuracy") return null;
  const table = measure === "cross_entropy" ? tables.cross_entropy_x100 : tables.weighted_f1_x100;
  const value = table[method]?.[dataset]?.[rate];
  return value === undefined ? null : value / 100;
}

/** Root mean squared errors of the follow-up papers, by table: NeurIPS 2019, for abalone UAI 2021. */
export interface PublishedRegression {
  /** Numbers of missing bits. */
  readonly missing: readonly number[];
  /** What their tables are in units of. */
  readonly unit: number;
  readonly methods: Readonly<Record<string, readonly (number | null)[]>>;
}

export const publishedRegression = read<Readonly<Record<string, PublishedRegression>>>("regression.json");

/** A run of the authors on insurance: which bits of which test rows are missing. */
export interface MaskedRun {
  readonly missing: number;
  readonly masked: (row: number, bit: number) => boolean;
}

/** The authors' masks: bits of a rows × features matrix, row by row, 1 where missing. */
export function authorsMasks(): MaskedRun[] {
  const { runs, features } = read<{
    features: number;
    runs: readonly { missing: number; mask: string }[];
  }>("insurance-authors.json");
  return runs.map(({ missing, mask }) => {
    const bytes = Buffer.from(mask, "base64");
    return {
      missing,
      masked: (row, bit) => {
        const at = row * features + bit;
        return ((bytes[at >> 3] >> (7 - (at & 7))) & 1) === 1;
      },
    };
  });
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../published/${name}`, import.meta.url), "utf8")) as T;
}
