import {
  type ColumnNote,
  type ColumnReview,
  count,
  counted,
  percent,
  reviewTable,
  type TableReview,
  USUAL_TRAINING,
} from "conformant-workbench";
import { quoted } from "../errors.ts";
import { namesIn, readColumnOptions, requireColumn, requireNamed } from "../options/column-options.ts";
import type { Context, Parsed } from "../options/command.ts";
import { readSourceOptions } from "../options/source-options.ts";
import { engineTable } from "../sources/engine-table.ts";
import { openSource } from "../sources/open-source.ts";
import { textTable } from "../terminal/text-table.ts";

/** Prints what a fit would make of the columns of a table. */
export async function inspectData(parsed: Parsed, { messages, print }: Context): Promise<void> {
  const options = readColumnOptions(parsed);
  const label = parsed.text("label");
  const source = readSourceOptions(parsed, messages);
  const expected = [...(label === undefined ? [] : [label]), ...namesIn(options)];
  const connector = await openSource(parsed.positionals, { ...source, expected });
  try {
    if (label !== undefined) requireColumn(connector, "--label", label);
    requireNamed(connector, options, label ?? "");
    const rules = { columns: options, gaps: source.gaps, bins: USUAL_TRAINING.bins };
    const review = await reviewTable(engineTable(connector), label, rules, messages);
    messages.clear();
    print(parsed.flag("json") ? JSON.stringify(reviewJson(review), null, 2) : reviewText(review));
  } finally {
    await connector.close();
  }
}

/** A review for programs. */
function reviewJson({ source, rows, columns }: TableReview): object {
  return { source, rows, columns };
}

/** A review for a terminal: a line per column, then decisions and doubts. */
function reviewText({ source, rows, columns }: TableReview): string {
  const body = columns.map((column) => [
    column.name,
    column.isLabel ? `${column.kind} (label)` : column.kind,
    column.missing > 0 ? percent(column.missing) : "",
    column.different === undefined ? "many" : count(column.different),
    picture(column, rows),
    column.examples.join(", ").slice(0, 40),
  ]);
  const header = ["column", "kind", "missing", "distinct", "values", "examples"];
  const notes = columns.flatMap((column) => column.notes.map((note) => ({ name: column.name, note })));
  return [
    `${source}: ${counted(rows, "row")}, ${counted(columns.length, "column")}`,
    "",
    textTable(header, body, (c) => c === 2 || c === 3),
    ...noteLines(
      "decisions",
      notes.filter(({ note }) => !note.doubtful),
    ),
    ...noteLines(
      "doubtful",
      notes.filter(({ note }) => note.doubtful),
    ),
  ].join("\n");
}

function noteLines(
  title: string,
  notes: readonly { readonly name: string; readonly note: ColumnNote }[],
): string[] {
  if (notes.length === 0) return [];
  return [
    "",
    `${title}:`,
    ...notes.flatMap(({ name, note: { text, remedy } }) => [
      `  ${quoted(name)}: ${text}`,
      ...(remedy === undefined ? [] : [`      ${remedy}`]),
    ]),
  ];
}

const BARS = "▁▂▃▄▅▆▇█";

/** A small histogram of numbers with its range, or the shares of the most frequent categories. */
export function picture(
  { histogram, categories = [], missing }: Pick<ColumnReview, "histogram" | "categories" | "missing">,
  rows: number,
): string {
  if (histogram) {
    const most = Math.max(...histogram.rows);
    const bars = histogram.rows.map((rows) =>
      rows === 0 ? " " : BARS[Math.min(BARS.length - 1, Math.floor((rows / most) * BARS.length))],
    );
    return `${short(histogram.minimum)} ${bars.join("")} ${short(histogram.maximum)}`;
  }
  const known = rows * (1 - missing);
  const shares = categories
    .slice(0, 3)
    .map((own) => `${own.value} ${percent(known > 0 ? Math.min(1, own.rows / known) : 0)}`);
  return shares.join(", ");
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
