import { type AnyModel, type Column, type Imputation, impute } from "conformant";
import { usualRange, valueLabels } from "conformant/internal";
import { type ColumnSummary, metadataOf } from "conformant-workbench/describe";
import { isField } from "../frame/is-field.ts";
import { type ColumnLabels, createNames, type Names } from "../frame/names.ts";
import { likelyShares } from "./likely-shares.ts";

/** What a field of the form offers, and how its values were distributed in the training data. */
export type ColumnShape = NumberShape | ChoiceShape;

/** What a field is called. */
interface Titled extends Pick<ColumnLabels, "unit" | "description" | "group"> {
  /** The column's name in the model. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
}

/** A number: its range, and where the pieces of its distribution end. */
export interface NumberShape extends Titled {
  readonly kind: "number";
  readonly low: number;
  readonly high: number;
  /** Numbers beyond these are impossible. */
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** Whether these are the least and the largest number of the data, rather than what is usual. */
  readonly isOfData: boolean;
  /** A step of a slider. */
  readonly step: number;
  /** Ends of the pieces, one more than there are pieces. */
  readonly ends: readonly number[];
  /** The share of each piece in the fitted distribution. */
  readonly shares: ArrayLike<number>;
  /** The histogram of the training data, where the model has it. */
  readonly data?: { readonly ends: readonly number[]; readonly shares: readonly number[] };
}

/** One of a few values. */
export interface ChoiceShape extends Titled {
  readonly kind: "choice";
  /** Whether the choices are in the opposite order of the column's values: "yes" comes first. */
  readonly isReversed: boolean;
  readonly choices: readonly Choice[];
}

interface Choice {
  readonly value: string;
  readonly label: string;
  readonly share: number;
}

/** The shapes of all columns. With nothing known the imputation of a column is its distribution in the training data. */
export function columnShapes(
  model: AnyModel,
  names: Names = createNames(),
  ranges: Ranges = {},
): ColumnShape[] {
  const marginals = impute(model, {});
  const summaries = new Map(metadataOf(model).columns?.map((summary) => [summary.name, summary]));
  return model.schema.columns.flatMap((column, i) => {
    if (!isField(column)) return [];
    const { name } = column;
    const { values = [], range, label: _, minimum, maximum, ...details } = names.details(name);
    const ofData = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    const fitted = columnShape(column, marginals[name], model.atoms.columns[i]?.edges);
    const shape = within(withSummary(fitted, summaries.get(name)), range ?? ofData, range === undefined);
    const titled = { ...details, name, title: names.column(name) };
    return shape.kind === "number"
      ? { ...shape, ...titled, minimum, maximum }
      : { ...shape, ...titled, choices: inOrder(shape.choices, values) };
  });
}

/** A shape with the range and the counts of the training data in place of the fitted distribution, where the model has them. */
function withSummary(shape: Bare<ColumnShape>, summary: ColumnSummary | undefined): Bare<ColumnShape> {
  if (!summary) return shape;
  const { minimum, maximum, histogram, counts } = summary;
  const sharesOf = (rows: readonly number[]): number[] => {
    const all = rows.reduce((sum, n) => sum + n, 0);
    return rows.map((n) => n / Math.max(1, all));
  };
  if (shape.kind === "choice") {
    if (counts?.length !== shape.choices.length) return shape;
    const shares = sharesOf(counts);
    const inData = shape.isReversed ? shares.reverse() : shares;
    return { ...shape, choices: shape.choices.map((choice, j) => ({ ...choice, share: inData[j] })) };
  }
  if (minimum === undefined || maximum === undefined || minimum >= maximum) return shape;
  const data = histogram && {
    ends: histogram.map((_, j) => minimum + (j / histogram.length) * (maximum - minimum)).concat(maximum),
    shares: sharesOf(histogram),
  };
  const step = niceStep((maximum - minimum) / 100);
  return { ...shape, low: minimum, high: maximum, isOfData: true, step, ...(data && { data }) };
}

/** The choices in the order and with the names for people; those that are not listed come after. */
function inOrder(choices: readonly Choice[], listed: NonNullable<ColumnLabels["values"]>): Choice[] {
  const first = listed.flatMap(({ value, label }) =>
    choices
      .filter((choice) => choice.value === value)
      .map((choice) => ({ ...choice, label: label ?? choice.label })),
  );
  const rest = choices.filter((choice) => listed.every(({ value }) => value !== choice.value));
  return [...first, ...rest];
}

/** A shape before it has its names. */
type Bare<S> = S extends Titled ? Omit<S, keyof Titled> : never;

/** The least and the largest number of columns. */
type Ranges = Readonly<Record<string, readonly [number, number]>>;

/** A shape of numbers within a range, where there is one: that of the data, or what a person says is usual. */
function within(
  shape: Bare<ColumnShape>,
  range: readonly [number, number] | undefined,
  isOfData: boolean,
): Bare<ColumnShape> {
  if (shape.kind !== "number" || !range) return shape;
  const [low, high] = range;
  return low < high ? { ...shape, low, high, isOfData, step: niceStep((high - low) / 100) } : shape;
}

function columnShape(
  column: Column,
  marginal: Imputation,
  edges: Float64Array | undefined,
): Bare<ColumnShape> {
  if (column.kind === "numeric") return numericShape(column.name, marginal, edges);
  const labels = valueLabels(column);
  const shares = marginal.kind === "discrete" ? labels.map((label) => marginal.probabilities[label]) : [];
  if (column.kind === "binned") return numberShape(outerEnds(column.edges), shares);
  const shown = (label: string): string =>
    column.kind === "binary" ? (label === "1" ? "yes" : "no") : label;
  const choices = labels.map((value, j) => ({ value, label: shown(value), share: shares[j] }));
  const isReversed = column.kind === "binary";
  return { kind: "choice", isReversed, choices: isReversed ? choices.reverse() : choices };
}

/** How far a range goes beyond the outer representatives at most, as a share of what is between them. */
const OVERHANG = 0.05;

/** Pieces that a density is cut into. */
const PIECES = 64;

/** From the atoms or the density of the column; of a single atom from mean and standard deviation. */
function numericShape(
  name: string,
  marginal: Imputation,
  edges: Float64Array | undefined,
): Bare<NumberShape> {
  if (marginal.kind === "discrete") throw new Error(`column ${name} has no numbers`);
  const { values, probabilities, mean, standardDeviation, density } = marginal;
  if (density) {
    const [low, high] = usualRange(marginal);
    const ends = Array.from({ length: PIECES + 1 }, (_, j) => low + (j / PIECES) * (high - low));
    return numberShape(ends, likelyShares(ends, marginal));
  }
  if (!edges || values.length !== edges.length + 1 || values.length < 2) {
    const half = 3 * (standardDeviation || Math.abs(mean) || 1);
    return numberShape([mean - half, mean + half], [1]);
  }
  const last = values.length - 1;
  // The first and the last piece are open; they end as far beyond their representative as it is from their inner edge,
  // but not far out, and not below zero where no value is.
  const most = OVERHANG * (values[last] - values[0]);
  const first = values[0] - Math.min(most, edges[0] - values[0]);
  const end = values[last] + Math.min(most, values[last] - edges[last - 1]);
  return numberShape([values[0] >= 0 ? Math.max(0, first) : first, ...edges, end], probabilities);
}

/** Bins at the ends are open; they are drawn as wide as their neighbours. */
function outerEnds(edges: readonly number[]): number[] {
  const [first, last] = [edges[0] ?? 0, edges[edges.length - 1] ?? 1];
  const width = edges.length > 1 ? (last - first) / (edges.length - 1) : Math.abs(first) || 1;
  return [first - width, ...edges, last + width];
}

function numberShape(ends: readonly number[], shares: ArrayLike<number>): Bare<NumberShape> {
  const [from, to] = [ends[0], ends[ends.length - 1]];
  const step = niceStep((to - from) / 100);
  const inSteps = (x: number, round: (x: number) => number): number =>
    Number((round(x / step) * step).toPrecision(12));
  return {
    kind: "number",
    low: inSteps(from, Math.floor),
    high: inSteps(to, Math.ceil),
    isOfData: false,
    step,
    ends,
    shares,
  };
}

/** 1, 2 or 5 times a power of ten, at most x. */
function niceStep(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const digit = x / power;
  return Number(((digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power).toPrecision(3));
}
