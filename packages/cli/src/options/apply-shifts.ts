import { type AnyModel, type Column, ConformantError, type Shift, shiftMissing } from "conformant";
import { CliError, quoted } from "../errors.ts";
import type { Parsed } from "./command.ts";
import { numberIn, readList } from "./read-value.ts";
import { type ColumnItem, splitItem } from "./split-item.ts";
import { unknownColumn } from "./unknown-column.ts";

/** The option for missing values that differ from observed ones. */
export const shiftOption = {
  shift: {
    list: true,
    takes: "C=T,…",
    group: "Advanced options",
    help: 'assume non-random missingness: "income=-0.5" makes a value e^0.5 times as likely to be missing as one a standard deviation higher; "city=bonn:1" for a category',
  },
};

/** The model under the assumptions of `--shift`: "column=tilt,…", for a category "column=value:tilt". */
export function applyShifts<M extends AnyModel>(parsed: Parsed, model: M): M {
  const items = readList(parsed, "shift");
  if (items === undefined) return model;
  if (items.length === 0) throw noShift("");
  /** Tilts by column; for a categorical column, by value. */
  const tilts = new Map<string, Map<string | undefined, number>>();
  for (const item of items) {
    const { column, value, tilt } = readShift(model, item);
    const own = tilts.get(column) ?? new Map<string | undefined, number>();
    const isTwice = own.has(value) || own.has(undefined) || (value === undefined && own.size > 0);
    const name = value === undefined ? column : `${column}=${value}`;
    if (isTwice) throw new CliError("usage", `--shift names ${quoted(name)} twice`);
    tilts.set(column, own.set(value, tilt));
  }
  const shifts = Array.from(tilts, ([column, own]): [string, Shift] => [
    column,
    own.get(undefined) ?? Object.fromEntries(own),
  ]);
  try {
    return shiftMissing(model, Object.fromEntries(shifts));
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    throw new CliError(cause.code, cause.message.replace(/^shifts:/, "--shift:"), { cause });
  }
}

/** The column of an item, for a category the value, and the tilt. */
function readShift(
  model: AnyModel,
  item: string,
): { readonly column: string; readonly value: string | undefined; readonly tilt: number } {
  const { column, rest } = findColumn(model, item);
  const at = rest.lastIndexOf(":");
  const [value, number] = at < 0 ? [undefined, rest] : [rest.slice(0, at).trim(), rest.slice(at + 1)];
  const tilt = numberIn(number);
  if (Number.isNaN(tilt))
    throw new CliError("usage", `--shift ${quoted(item)}: the tilt must be a number, got ${quoted(number)}`);
  const { kind } = model.schema.columns.find(({ name }) => name === column) as Column;
  if (kind === "numeric" && value !== undefined)
    throw new CliError(
      "usage",
      `--shift ${quoted(item)}: ${quoted(column)} is a number, expected ${quoted(`${column}=TILT`)}`,
    );
  if (kind === "categorical" && value === undefined)
    throw new CliError(
      "usage",
      `--shift ${quoted(item)}: ${quoted(column)} is shifted by its values, expected ${quoted(`${column}=VALUE:TILT`)}`,
    );
  return { column, value, tilt };
}

/** Splits an item into its column and the rest. */
function findColumn({ schema }: AnyModel, item: string): ColumnItem {
  const names = schema.columns.map(({ name }) => name);
  const found = splitItem(item, names);
  if (found) return found;
  const at = item.indexOf("=");
  if (at <= 0) throw noShift(item);
  throw unknownColumn("--shift names", item.slice(0, at).trim(), names);
}

function noShift(item: string): CliError {
  return new CliError("usage", `--shift must be COLUMN=TILT,…, got ${quoted(item)}`);
}
