import { ConformantError, type Model, type Shift, shiftMissing } from "conformant";
import type { Parsed } from "../../arguments/command.ts";
import { numberIn, readList } from "../../arguments/read-value.ts";
import { unknownColumn } from "../../arguments/unknown-column.ts";
import { CliError, quoted } from "../../errors.ts";

/** The option that says how missing values differ from known ones. */
export const shiftOption = {
  shift: {
    list: true,
    takes: "C=T,…",
    help: 'what if missing values are not like others: "income=-0.5" (a value is e^0.5 times as likely to be missing as one a standard deviation higher), "city=bonn:1"',
  },
};

/** The model, shifted as `--shift` says: "column=tilt,…", of a category "column=value:tilt". */
export function applyShifts(parsed: Parsed, model: Model): Model {
  const items = readList(parsed, "shift");
  if (items === undefined) return model;
  if (items.length === 0) throw noShift("");
  const shifts = new Map<string, Shift>();
  for (const item of items) {
    const column = findColumn(model, item);
    const text = item.slice(column.length + 1);
    const at = text.lastIndexOf(":");
    const [value, number] = at < 0 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
    const tilt = numberIn(number);
    if (Number.isNaN(tilt))
      throw new CliError(
        "usage",
        `--shift ${quoted(item)}: the tilt must be a number, got ${quoted(number)}`,
      );
    const before = shifts.get(column);
    if (before !== undefined && (value === undefined || typeof before === "number"))
      throw new CliError("usage", `--shift names ${quoted(column)} twice`);
    shifts.set(column, value === undefined ? tilt : { ...(before as object | undefined), [value]: tilt });
  }
  try {
    return shiftMissing(model, Object.fromEntries(shifts));
  } catch (cause) {
    if (!(cause instanceof ConformantError)) throw cause;
    const hint = 'a category is shifted by its values: --shift "column=value:tilt"';
    throw new CliError(cause.code, cause.message.replace(/^shifts:/, "--shift:"), { hint, cause });
  }
}

/** The column that an item begins with; of several the longest. */
function findColumn({ classifier }: Model, item: string): string {
  const names = classifier.schema.columns.map(({ name }) => name);
  const found = names.filter((name) => item.startsWith(`${name}=`)).sort((a, b) => b.length - a.length)[0];
  if (found !== undefined) return found;
  const at = item.indexOf("=");
  if (at <= 0) throw noShift(item);
  throw unknownColumn("--shift names", item.slice(0, at).trim(), names);
}

function noShift(item: string): CliError {
  return new CliError("usage", `--shift must be COLUMN=TILT,…, got ${quoted(item)}`);
}
