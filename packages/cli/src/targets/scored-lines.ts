import type { AddedColumns } from "conformant-workbench";
import { labelSql, scoreNames, scoreSql } from "conformant-workbench/sql";
import { CliError } from "../errors.ts";
import type { Connector } from "../sources/connector.ts";
import { scoresInEngine } from "../sources/predict-batches.ts";
import { readRows } from "../sources/read-rows.ts";
import type { Selection } from "../sources/select-predictions.ts";
import type { LineWriter } from "./prediction-lines.ts";

/** Separates a line from its number of unknown categories; alone for a row without an answer. */
const MARK = "\u0001";
const [MARK_BYTE, LINE_BYTE] = [1, 10];
const MARKED = new RegExp(`${MARK}(\\d*)$`, "gm");

/** Lines of a file, with their numbers of rows and unknown categories. */
export interface WrittenLines {
  readonly text: string | Uint8Array;
  readonly rows: number;
  readonly unseen: number;
}

/** Whether the server can format the lines of the file itself. */
export function writesLines(
  { connector, model }: Selection,
  added: AddedColumns,
  { form }: LineWriter,
): boolean {
  if (form === undefined || connector.lines === undefined || added.columns.length > 0) return false;
  const isPlain = (text: string): boolean => !/[\\\p{Cc}]/u.test(text);
  return [form.separator, ...form.classes].every(isPlain) && scoresInEngine(connector, model);
}

/** The predictions as finished lines from the server, which are written unchanged. */
export async function* scoredLines(
  { connector, fields, model }: Selection,
  copies: readonly string[],
  { separator, classes }: NonNullable<LineWriter["form"]>,
): AsyncGenerator<WrittenLines> {
  const { dialect } = connector;
  const between = dialect.literal(separator);
  const number = (k: number): string => dialect.text(scoreNames.probability(k));
  const answer =
    classes.length === 0 ? [number(0)] : [labelSql(dialect, classes), ...classes.map((_, k) => number(k))];
  const kept = copies.map((_, t) => `COALESCE(${scoreNames.copy(t)}, '')`);
  const unseen = dialect.concat([dialect.literal(MARK), dialect.text(dialect.whole(scoreNames.unseen))]);
  const line = dialect.concat([
    ...[...answer, ...kept].flatMap((field, f) => (f === 0 ? [field] : [between, field])),
    `CASE WHEN ${scoreNames.unseen} > 0 THEN ${unseen} ELSE '' END`,
  ]);
  const known = `${dialect.nullForNan(scoreNames.probability(0))} IS NOT NULL`;
  const answers = scoreSql(dialect, model, fields, copies);
  const sql = `SELECT CASE WHEN ${known} THEN ${line} ELSE ${dialect.literal(MARK)} END AS line_ FROM (${answers}) AS answers`;
  let isAnswered = true;
  for await (const piece of (connector.lines as NonNullable<Connector["lines"]>)(sql)) {
    const lines = readMarks(piece);
    isAnswered = !Number.isNaN(lines.unseen);
    if (!isAnswered) break; // the connection must be free before the next query
    yield lines;
  }
  if (!isAnswered) await nameValue({ connector, fields, model });
}

/** Lines without their marks; the number of unknown categories is NaN where a row has no answer. */
function readMarks(piece: Uint8Array): WrittenLines {
  const rows = countLines(piece);
  if (!piece.includes(MARK_BYTE)) return { text: piece, rows, unseen: 0 };
  let unseen = 0;
  const text = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
    .toString()
    .replace(MARKED, (_, count: string) => {
      unseen += count === "" ? Number.NaN : Number(count);
      return "";
    });
  return { text, rows, unseen };
}

/** Reads all rows up to the one without an answer, and throws an error that names its value. */
async function nameValue({ connector, fields, model }: Selection): Promise<never> {
  for await (const batch of readRows(connector, fields, model.schema)) void batch;
  throw new CliError("source", `${connector.name}: a row has no answer`);
}

function countLines(piece: Uint8Array): number {
  let lines = 0;
  for (let at = piece.indexOf(LINE_BYTE); at >= 0; at = piece.indexOf(LINE_BYTE, at + 1)) lines++;
  return lines;
}
