import { createHash } from "node:crypto";
import type { Model } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Connector, TableSink } from "../sources/connector.ts";
import type { FieldSet } from "../sql/fields.ts";
import { rowHash } from "../sql/sample.ts";
import { labelSql, scoreNames, scoreSql } from "../sql/score.ts";

/** Rows that one part of a run has, about. */
const PART_ROWS = 10_000_000;
/** Each part reads the whole table to find its rows, so that there must not be many. */
const MOST_PARTS = 32;

/** Where predictions are written next to the data. */
export interface IntoOptions {
  readonly table: string;
  /** A repeat of the same run writes only what is missing. */
  readonly run: string;
  /** Into how many parts the rows are cut; by their number without it. */
  readonly parts?: number | undefined;
  /** Columns that are copied through. */
  readonly keep: readonly string[];
}

/** The usual name of a run: the same model on the same table is the same run. */
export function runOf(modelText: string, source: string, keep: readonly string[]): string {
  return createHash("sha256")
    .update([modelText, source, ...keep].join("\0"))
    .digest("hex")
    .slice(0, 16);
}

/**
 * Predicts on the server and writes there. Rows are cut into parts by a hash of their values; a part that holds as many rows
 * as it should is done, any other is written anew, so that each row is there once however often the run is repeated.
 */
export async function predictInto(
  connector: Connector,
  fields: FieldSet,
  model: Model,
  { table, run, parts, keep }: IntoOptions,
  progress: (done: number, total: number) => void,
): Promise<{ readonly rows: number; readonly parts: number; readonly skipped: number }> {
  if (!connector.sink)
    throw new CliError(
      "not-available",
      `${quoted(connector.name)}: predictions can be written next to the data of ClickHouse only`,
      {
        hint: "leave --into away and write them to a file with -o",
      },
    );
  if (model.block)
    throw new CliError(
      "not-available",
      "a model with a Gaussian block over its numeric columns cannot be scored by the server, expected atoms",
      { hint: "fit with --numeric atoms, or leave --into away and write predictions to a file with -o" },
    );
  const sink = connector.sink(table);
  const { classes } = model.classifier;
  await sink.prepare([
    { name: "prediction", holds: "text" },
    ...classes.map((name) => ({ name: `p_${name}`, holds: "double" as const })),
    ...keep.map((name) => ({ name, holds: { like: name } })),
  ]);
  const expected = await countParts(connector, fields, parts);
  const written = await sink.written(run);
  let [done, rows, skipped] = [0, 0, 0];
  for (const [part, count] of expected) {
    progress(done++, expected.size);
    rows += count;
    if (written.get(part) === count) skipped++;
    else await writePart(connector, sink, fields, model, { run, part, of: expected.size, count, keep });
  }
  return { rows, parts: expected.size, skipped };
}

/** How many rows each part has. */
async function countParts(
  connector: Connector,
  { from }: FieldSet,
  parts: number | undefined,
): Promise<Map<number, number>> {
  const { dialect } = connector;
  let of = parts ?? 0;
  for await (const { columns } of connector.query(`SELECT ${dialect.double("count(*)")} FROM ${from}`, [
    "number",
  ])) {
    const rows = Number(columns[0][0]);
    if (rows === 0)
      throw new CliError("empty-data", `${quoted(connector.name)} has no rows, expected at least one`);
    of ||= Math.min(MOST_PARTS, Math.ceil(rows / PART_ROWS));
  }
  const counts = new Map(Array.from({ length: of }, (_, part) => [part, 0]));
  const stages = [[["part_", partSql(connector, of)]]] as const;
  const sql = dialect.staged(
    { from, stages },
    `part_, ${dialect.double("count(*)")} AS n_`,
    "GROUP BY part_",
  );
  for await (const { rows, columns } of connector.query(sql, ["code", "number"]))
    for (let r = 0; r < rows; r++) counts.set(Number(columns[0][r]), Number(columns[1][r]));
  return counts;
}

function partSql(connector: Connector, of: number): string {
  return `${rowHash(connector, 0)} % ${of}`;
}

interface Part {
  readonly run: string;
  readonly part: number;
  readonly of: number;
  readonly count: number;
  readonly keep: readonly string[];
}

async function writePart(
  connector: Connector,
  sink: TableSink,
  fields: FieldSet,
  model: Model,
  { run, part, of, count, keep }: Part,
): Promise<void> {
  const { dialect } = connector;
  const { classes, schema } = model.classifier;
  const where = `${partSql(connector, of)} = ${part}`;
  const answers = scoreSql(dialect, model, fields, keep.map(dialect.identifier), where);
  const probabilities = classes.map((_, k) => scoreNames.probability(k));
  const known = `${dialect.nullForNan(probabilities[0])} IS NOT NULL`;
  const selected = [
    `CASE WHEN ${known} THEN ${labelSql(dialect, classes)} END AS prediction_`,
    ...probabilities,
    ...keep.map((_, t) => scoreNames.copy(t)),
  ];
  try {
    await sink.write(run, part, `SELECT ${selected.join(", ")} FROM (${answers}) AS answers`);
  } catch (thrown) {
    // A value that no column can hold leaves a row without a prediction, which the table refuses: it is named here.
    if (thrown instanceof CliError && thrown.code === "source")
      for await (const batch of readRows(connector, fields, schema, { where })) void batch;
    throw thrown;
  }
  if (((await sink.written(run)).get(part) ?? 0) === count) return;
  throw new CliError(
    "source",
    `${quoted(connector.name)}: part ${part + 1} of ${of} did not come out whole; did the table change?`,
  );
}
