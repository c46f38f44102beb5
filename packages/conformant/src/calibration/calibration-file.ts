import { ConformantError, LARGEST, requireMade, show } from "../errors.ts";
import { checksum } from "../model/save-model.ts";
import { type Column, checkSchema, isDiscrete, type Schema, valueCount } from "../schema/column.ts";
import type { EncodedColumn, Table } from "../schema/data.ts";
import type { Calibration, NumberCalibration } from "./calibrate.ts";

/** The version of the calibration file: 2 where labels are numbers. */
const [CLASSES, NUMBERS] = [1, 2];

/** The calibration file. It contains the rows themselves, so it is as confidential as the data. */
interface CalibrationJson {
  readonly format: "conformant-calibration";
  readonly version: number;
  /** The checksum of its model. */
  readonly model: string;
  readonly schema: Schema;
  /** The position of each row's class, or its number. */
  readonly labels: readonly number[];
  /** Per column a cell for each row: a number, or the code of a value; null where missing. */
  readonly columns: readonly (readonly (number | null)[])[];
  /** CRC-32 of the JSON text of everything above. */
  readonly checksum: string;
}

/**
 * A calibration as the text of a file. Unlike a model file it contains rows of the data.
 *
 *     const text = saveCalibration(calibration);
 */
export function saveCalibration(calibration: Calibration | NumberCalibration): string {
  requireMade("calibration", calibration);
  const { model, table, labels } = calibration;
  const body: Omit<CalibrationJson, "checksum"> = {
    format: "conformant-calibration",
    version: labels instanceof Float64Array ? NUMBERS : CLASSES,
    model,
    schema: table.schema,
    labels: [...labels],
    columns: table.columns.map((cells, i) =>
      Array.from(cells, (x) => (isDiscrete(table.schema.columns[i]) ? (x < 0 ? null : x) : x)),
    ),
  };
  return JSON.stringify({ ...body, checksum: checksum(JSON.stringify(body)) });
}

/**
 * Reads the text of a calibration file, and checks that it is complete and unaltered.
 *
 *     const calibration = loadCalibration(text);
 *
 * @throws `calibration-format`
 */
export function loadCalibration(text: string): Calibration {
  const { labels, ...rest } = read(text, CLASSES);
  need(isList(labels) && labels.every((k) => Number.isSafeInteger(k) && k >= 0), "labels", labels);
  return { ...rest, labels: Int32Array.from(labels) };
}

/**
 * {@link loadCalibration} of a model of a number.
 *
 *     const calibration = loadNumberCalibration(text);
 *
 * @throws `calibration-format`
 */
export function loadNumberCalibration(text: string): NumberCalibration {
  const { labels, ...rest } = read(text, NUMBERS);
  need(isList(labels) && labels.every(Number.isFinite), "labels", labels);
  return { ...rest, labels: Float64Array.from(labels) };
}

function read(
  text: string,
  version: number,
): Omit<Calibration, "labels"> & { readonly labels: readonly number[] } {
  const { model, schema, labels, columns } = parse(text, version);
  try {
    checkSchema(schema);
  } catch (cause) {
    reject(`is damaged: ${(cause as Error).message}`);
  }
  need(typeof model === "string", "model", model);
  need(isList(labels), "labels", labels);
  need(isList(columns) && columns.length === schema.columns.length, "columns", columns);
  const table: Table = {
    schema,
    rows: labels.length,
    columns: columns.map((cells, i) => readColumn(schema.columns[i], cells, labels.length)),
    unseen: [],
  };
  return { model, table, labels };
}

function readColumn(column: Column, cells: readonly (number | null)[], rows: number): EncodedColumn {
  const fits = isDiscrete(column)
    ? (x: number) => Number.isSafeInteger(x) && x >= 0 && x < valueCount(column)
    : (x: number) => Math.abs(x) <= LARGEST;
  const ok =
    isList(cells) &&
    cells.length === rows &&
    cells.every((x) => x === null || (typeof x === "number" && fits(x)));
  need(ok, `column ${show(column.name)}`, cells);
  return isDiscrete(column)
    ? Int32Array.from(cells, (x) => x ?? -1)
    : Float64Array.from(cells, (x) => x ?? Number.NaN);
}

function isList(value: unknown): boolean {
  return Array.isArray(value);
}

function parse(text: string, version: number): CalibrationJson {
  if (typeof text !== "string") {
    const message = `loadCalibration needs the text of a calibration file, got ${show(text)}`;
    throw new ConformantError("invalid-argument", message, { argument: "text" });
  }
  let json: CalibrationJson | undefined;
  try {
    json = JSON.parse(text) as CalibrationJson;
  } catch (cause) {
    reject(`is not complete JSON (${text.length} characters): ${(cause as Error).message}`);
  }
  if (json?.format !== "conformant-calibration")
    reject(`has "format": "conformant-calibration", got ${show(json?.format)}`, "a");
  if (json.version !== CLASSES && json.version !== NUMBERS)
    reject(`has version ${show(json.version)}, this library reads ${CLASSES} and ${NUMBERS}`);
  if (json.version !== version)
    reject(version === NUMBERS ? "holds classes, expected numbers" : "holds numbers, expected classes");
  const { checksum: stored, ...body } = json;
  if (stored !== checksum(JSON.stringify(body))) reject("was altered: its checksum is another");
  return json;
}

function need(ok: boolean, part: string, got: unknown): void {
  if (!ok) reject(`is damaged: ${part} is not what it must be, got ${show(got)}`);
}

function reject(what: string, article = "the"): never {
  throw new ConformantError("calibration-format", `${article} calibration file ${what}`);
}
