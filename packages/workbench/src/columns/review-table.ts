import type { Reporter } from "../source/reporter.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";
import type { Counted } from "./column-counts.ts";
import type { ColumnNote } from "./column-notes.ts";
import { histogramOf } from "./column-summary.ts";
import { type ColumnSurvey, type ReadingRules, relationsOf, surveyTable } from "./read-columns.ts";

/** What a fit makes of a column: a kind of input, letters of a sequence, nothing, or an error. */
export type ReviewedKind = "numeric" | "binary" | "categorical" | "sequence" | "dropped" | "error";

/** A column of a table as a person looks at it before a fit. */
export interface ColumnReview {
  readonly name: string;
  readonly kind: ReviewedKind;
  /** Whether it is the label that was named. */
  readonly isLabel: boolean;
  /** Share of rows in which it is missing. */
  readonly missing: number;
  /** Different values; undefined where they were not all counted. */
  readonly different?: number | undefined;
  /** Different values from the first rows, as they stand. */
  readonly examples: readonly string[];
  /** Numbers: the range, and rows in equally wide bins between its ends. */
  readonly histogram?:
    | { readonly minimum: number; readonly maximum: number; readonly rows: readonly number[] }
    | undefined;
  /** Categories: the most frequent ones. */
  readonly categories?: readonly { readonly value: string; readonly rows: number }[] | undefined;
  /** What was decided about it, and what is doubtful. */
  readonly notes: readonly ColumnNote[];
}

/** A table as a person looks at it before a fit. */
export interface TableReview {
  readonly source: string;
  readonly rows: number;
  readonly columns: readonly ColumnReview[];
}

const [BARS, EXAMPLES, CATEGORIES] = [12, 4, 6];

/**
 * What a fit would make of each column of a table, before it: kinds, missing values, decisions and doubts. What would be an error in a
 * fit is a note here.
 *
 * @param label the label, where it is known: columns that give it away are then noted
 */
export async function reviewTable<Cells extends CellReading>(
  source: TableSource<Cells>,
  label: string | undefined,
  rules: ReadingRules,
  messages: Pick<Reporter, "progress" | "tried">,
): Promise<TableReview> {
  const { surveys, candidates } = await surveyTable(source, rules, messages);
  const { rows, columns: counts } = candidates.inquiry;
  const relations = relationsOf(candidates, surveys, label);
  const found = new Map(surveys.map((survey) => [survey.name, survey]));
  const columns = source.columns.flatMap(({ name }) => {
    const survey = found.get(name);
    if (!survey) return [];
    const beginning = candidates.beginnings.get(name) ?? [];
    const related = relations.filter((relation) => relation.name === name).map(({ note }) => note);
    const isLabel = name === label;
    const review = reviewColumn(survey, counts.get(name), beginning, rows);
    const notes = isLabel ? [] : [...notesOf(survey), ...related];
    return [{ ...review, isLabel, notes }];
  });
  return { source: source.name, rows, columns };
}

function reviewColumn(
  { name, chosen, problem }: ColumnSurvey,
  counts: Counted | undefined,
  beginning: readonly (string | null)[],
  rows: number,
): Omit<ColumnReview, "isLabel" | "notes"> {
  const [first] = chosen;
  const kind = first?.column.kind === "binned" ? "numeric" : first?.column.kind;
  const missing = first
    ? 1 - first.known / rows
    : counts
      ? 1 - counts.known / rows
      : beginning.filter((text) => text === null).length / Math.max(1, beginning.length);
  const different =
    counts?.kind === "number" ? counts.different : counts?.tooMany ? undefined : counts?.counts.size;
  const known = beginning.filter((text) => text !== null);
  const about = { name, missing, different, examples: [...new Set(known)].slice(0, EXAMPLES) };
  if (chosen.length > 1) return { ...about, kind: "sequence" };
  if (kind === undefined) return { ...about, kind: problem ? "error" : "dropped" };
  if (first.marginal.kind === "numeric") {
    const { values } = first.marginal;
    const [minimum, maximum] = first.range ?? [values[0], values[values.length - 1]];
    const bars = histogramOf(first.marginal, [minimum, maximum], BARS);
    return { ...about, kind, histogram: { minimum, maximum, rows: bars } };
  }
  const values = first.column.kind === "categorical" ? first.column.values : ["0", "1"];
  const counted = values.map((value, code) => ({ value, rows: first.marginal.counts[code] }));
  const categories = counted.sort((a, b) => b.rows - a.rows).slice(0, CATEGORIES);
  return { ...about, kind, different: values.length, categories };
}

/** The notes of a column; why it is dropped, or what keeps a fit from reading it, comes first. */
function notesOf({ leftOut, about, problem, notes = [] }: ColumnSurvey): ColumnNote[] {
  if (problem)
    return [{ about: "problem", text: problem.message, remedy: problem.hint, doubtful: true }, ...notes];
  if (leftOut === undefined) return [...notes];
  const [text, remedy] = splitReason(leftOut);
  return [{ about: about ?? "unsupported", text: `dropped: ${text}`, remedy, doubtful: false }, ...notes];
}

/** A reason and what changes it, which stand in one sentence. */
function splitReason(reason: string): [text: string, remedy: string | undefined] {
  const at = reason.lastIndexOf("; ");
  return at < 0 ? [reason, undefined] : [reason.slice(0, at), reason.slice(at + 2)];
}
