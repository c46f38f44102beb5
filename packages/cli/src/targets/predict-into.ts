import type { AnyModel } from "conformant";
import type { Threads } from "conformant/threads";
import { type AddedColumns, addedText, count } from "conformant-workbench";
import {
  CHECKSUM_SHAPES,
  checksumSql,
  type FieldSet,
  joinSums,
  namedColumnSql,
  partSql,
} from "conformant-workbench/sql";
import { CliError, listed, quoted } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import { predictBatches, scoresInPlace } from "../sources/predict-batches.ts";
import {
  type ResultBatch,
  type ResultColumn,
  type ResultLines,
  type RunJob,
  type RunRecord,
  type RunTarget,
  runName,
} from "../sources/run-target.ts";
import { namingValues, selectSql } from "../sources/select-predictions.ts";
import {
  countUnseen,
  suspectSum,
  TOGETHER,
  type UnseenCount,
  unseenColumns,
} from "../sources/unseen-values.ts";
import { answersOf, type ResultColumns } from "./prediction-lines.ts";
import { scratchLines } from "./scratch-table.ts";

/** Target rows per part of a run. */
const PART_ROWS = 50_000_000;
/**
 * The most parts, a power of two. Each part reads the whole table to find its rows, which takes at most a tenth of the time to score it.
 */
const MOST_PARTS = 4;

/** The predictions to write, and the target. */
export interface IntoRequest {
  readonly connector: Connector;
  readonly fields: FieldSet;
  readonly model: AnyModel;
  readonly target: RunTarget;
  /** The name of the run, and whether the user gave it. */
  readonly run: string;
  readonly named: boolean;
  /** Whether it may replace a run of the same name with other settings. */
  readonly replace: boolean;
  readonly settings: RunRecord["settings"];
  /** The number of parts (default: by the number of rows). */
  readonly parts?: number | undefined;
  /** Columns that the model reads, columns that are copied, and how they are read. */
  readonly sources: readonly string[];
  readonly keep: readonly string[];
  readonly copies: readonly string[];
  readonly added: AddedColumns;
  readonly result: ResultColumns;
  readonly threads: Threads;
  readonly progress: (done: number, total: number) => void;
  readonly note: (text: string) => void;
}

export interface IntoResult {
  readonly rows: number;
  /** Rows with unknown categories, by column. */
  readonly unseen: readonly UnseenCount[];
  readonly parts: number;
  /** Parts that an earlier job has written. */
  readonly skipped: number;
}

/**
 * Writes predictions into a target that stores them by run. A run is identified by the model, the source, the query, the columns and the
 * rows. Repeating it writes nothing, an interrupted run is resumed, and changed rows are scored again and replace the earlier ones.
 */
export async function predictInto(request: IntoRequest): Promise<IntoResult> {
  const { target, run, note } = request;
  const job = await target.open(run, resultColumns(request), (holder) =>
    note(`waiting: run ${run} is being written by another job (${holder})`),
  );
  try {
    return await write(request, job);
  } finally {
    await job.close().catch(() => undefined);
  }
}

function resultColumns({ result: { classes, added }, keep }: IntoRequest): ResultColumn[] {
  return [
    { name: "prediction", holds: classes.length === 0 ? "double" : "text" },
    ...classes.map((name) => ({ name: `p_${name}`, holds: "double" as const })),
    ...added.map(({ name, isNumber }) => ({
      name,
      holds: isNumber ? ("double" as const) : ("text" as const),
    })),
    ...keep.map((name) => ({ name, holds: { like: name } })),
  ];
}

async function write(request: IntoRequest, job: RunJob): Promise<IntoResult> {
  const { target, run, settings, progress, note } = request;
  checkSettings(request, job.record);
  const state = await plan(request, job);
  const { rows, checksum, counts, unseen } = state;
  const parts = counts.size;
  const isOld = job.record?.rows === rows && job.record.checksum === checksum;
  if (isOld && job.record?.done && job.rows === rows) return { rows, parts, skipped: parts, unseen };
  if (job.record?.done && job.rows > 0)
    note(`the rows are not those that run ${run} was of: its ${count(job.rows)} predictions are replaced`);
  const record = { settings, rows, checksum, parts, done: false };
  const written = await job.begin(record);
  let [done, skipped] = [0, 0];
  let total = 0;
  for (const [part, expected] of counts) {
    progress(done++, parts);
    if (written.get(part) === expected) {
      skipped++;
      total += expected;
    } else total += await writePart(request, job, part, parts, expected);
  }
  // One part sees one state of the table; several parts might see different ones.
  const after = target.inParts ? await countParts(request, job, parts, []) : state;
  const changed = after.checksum !== checksum || after.rows !== rows || total !== rows;
  if (changed && parts > 1) throw changedRows(request);
  if (changed) note("the table changed while it was read: the predictions are of its rows at one moment");
  request.connector.requireUnchanged?.();
  await job.publish({ ...record, rows: total, checksum: changed ? "" : checksum });
  return { rows: total, parts, skipped, unseen };
}

/** A named run must have the same settings as before, unless it is to be replaced. */
function checkSettings(
  { run, named, replace, settings, target }: IntoRequest,
  record: RunRecord | undefined,
): void {
  if (!record || !named || replace) return;
  const differing = Object.keys(settings).filter((aspect) => record.settings[aspect] !== settings[aspect]);
  if (differing.length === 0) return;
  throw new CliError("usage", `${runName(run, target.name)} differs in ${listed(differing)} from this one`, {
    hint: "give this run another name with --run, or let it take the place of the other with --replace",
  });
}

interface Counts {
  readonly rows: number;
  readonly checksum: string;
  /** The rows of each part. */
  readonly counts: ReadonlyMap<number, number>;
  readonly unseen: readonly UnseenCount[];
}

/** The rows of each part. A run that was started keeps its number of parts. */
async function plan(request: IntoRequest, job: RunJob): Promise<Counts> {
  const { target, parts, run, note } = request;
  const { record } = job;
  if (!target.inParts) return countParts(request, job, 1);
  if (record && !record.done) {
    const counts = await countParts(request, job, record.parts);
    const isSame = counts.rows === record.rows && counts.checksum === record.checksum;
    if (isSame && parts !== undefined && parts !== record.parts)
      note(`run ${run} goes on in ${record.parts} parts, as it was begun`);
    if (isSame || (parts ?? record.parts) === record.parts) return counts;
  }
  if (parts !== undefined) return countParts(request, job, parts);
  const fine = await countParts(request, job, MOST_PARTS);
  const wanted = partsFor(fine.rows);
  // A row's part is its digest modulo the number of parts, so that halving the number merges pairs of parts.
  const counts = new Map(Array.from({ length: wanted }, (_, part) => [part, 0]));
  for (const [part, rows] of fine.counts) counts.set(part % wanted, (counts.get(part % wanted) ?? 0) + rows);
  return { ...fine, counts };
}

/** The parts that a run of so many rows is written in: a power of two. */
export function partsFor(rows: number): number {
  let parts = 1;
  while (parts < MOST_PARTS && rows > parts * PART_ROWS) parts *= 2;
  return parts;
}

/** In one pass: the rows of each part, a checksum of all rows, and the rows with unknown categories. */
async function countParts(
  { connector, fields, model, sources, keep }: IntoRequest,
  job: RunJob,
  parts: number,
  categorical = unseenColumns(fields, model),
): Promise<Counts> {
  const counts = new Map(Array.from({ length: parts }, (_, part) => [part, 0]));
  let rows = 0;
  const digests: string[] = [];
  const suspects = new Set(categorical.slice(TOGETHER));
  const together = categorical.slice(0, TOGETHER);
  const sums = together.map((column) => suspectSum(connector, column));
  const sql = checksumSql(connector, fields.from, [...sources, ...keep], parts, sums);
  const shapes = [...CHECKSUM_SHAPES, ...sums.map(() => "number" as const)];
  for await (const { rows: size, columns } of job.query(sql, shapes, "few"))
    for (let r = 0; r < size; r++) {
      counts.set(Number(columns[0][r]), Number(columns[1][r]));
      rows += Number(columns[1][r]);
      digests.push(String(columns[2][r]));
      for (const [c, column] of together.entries())
        if (Number(columns[CHECKSUM_SHAPES.length + c][r]) > 0) suspects.add(column);
    }
  const unseen = await countUnseen(connector, fields, [...suspects]);
  return { rows, checksum: joinSums(digests), counts, unseen };
}

async function writePart(
  request: IntoRequest,
  job: RunJob,
  part: number,
  parts: number,
  expected: number,
): Promise<number> {
  const { connector, model, added, sources, keep } = request;
  const kept = keep.map((name) => namedColumnSql(connector, name));
  const where = parts === 1 ? undefined : `${partSql(connector, [...sources, ...keep], parts)} = ${part}`;
  const written = await namingValues(request, where, () =>
    job.write(part, {
      select: scoresInPlace(connector, model, added) ? () => selectSql(request, kept, where) : undefined,
      lines: () => resultLines(request),
      batches: () => resultBatches(request, job, where),
    }),
  );
  if (parts > 1 && written !== expected) throw changedRows(request);
  return written;
}

function changedRows({ connector }: IntoRequest): CliError {
  return new CliError("changed-data", `${quoted(connector.name)} changed while its parts were written`, {
    hint: "choose rows that stay as they are with --where, write one part (--parts 1), or run it again",
  });
}

/** The predictions as lines of CSV. */
async function* resultLines(request: IntoRequest): AsyncGenerator<ResultLines> {
  const { copies, added, threads } = request;
  const writer = scratchLines(request.result);
  yield { text: writer.header, rows: 0 };
  for await (const batch of predictBatches(request, copies, added, { threads }))
    yield { text: writer.lines(batch), rows: batch.rows };
}

/** The predictions as columns of texts, from the state of the source that the job sees. */
async function* resultBatches(
  request: IntoRequest,
  { query }: RunJob,
  where: string | undefined,
): AsyncGenerator<ResultBatch> {
  const { copies, added, threads } = request;
  const { classes } = request.result;
  const connector: Connector = Object.assign(Object.create(request.connector) as Connector, { query });
  const K = classes.length;
  for await (const batch of predictBatches({ ...request, connector }, copies, added, { where, threads })) {
    const { rows, texts } = batch;
    const { decision, probability } = answersOf(batch, K, String);
    const column = (text: (row: number) => string): string[] =>
      Array.from({ length: rows }, (_, r) => text(r));
    yield {
      rows,
      columns: [
        column((r) => (K === 0 ? probability(r, 0) : classes[decision(r)])),
        ...classes.map((_, k) => column((r) => probability(r, k))),
        ...(batch.added[0] ?? []).map((_, a) => column((r) => addedText(batch.added[r][a]))),
        ...texts,
      ],
    };
  }
}
