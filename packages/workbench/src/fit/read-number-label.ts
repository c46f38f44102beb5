import { PLAIN_NUMBERS, readNumberText } from "conformant/texts";
import { findNumberStyles, guessNumbers, proposeStyle } from "../columns/number-styles.ts";
import type { ColumnReading, ReadingRules } from "../columns/read-columns.ts";
import { count } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import { TableError } from "../source/table-error.ts";
import type { CellReading, TableSource } from "../source/table-source.ts";

/** What a model predicts: one of several classes, or a number. */
export type Task = "classification" | "regression";

/** A numeric label with more different values than this is a number to predict, not a class. */
const MOST_CLASSES = 20;

/** A label that is read as a number. */
export interface NumberLabel<Cells extends CellReading> {
  /** The columns of the model and the label, which is a number among them. */
  readonly fields: Cells;
  /** Rows without a label, which are skipped. */
  readonly unlabeled: number;
  readonly least: number;
  readonly most: number;
  readonly different: number;
}

/**
 * Reads the label as a number where that is what is to be predicted: where the task says so or, where it is open, all values are
 * numbers, and more than 20 different ones or not whole. Undefined where classes are to be predicted.
 */
export async function readNumberLabel<Cells extends CellReading>(
  source: TableSource<Cells>,
  label: string,
  task: Task | undefined,
  reading: ColumnReading<Cells>,
  { columns: { decimal }, gaps, bins }: ReadingRules,
): Promise<NumberLabel<Cells> | undefined> {
  if (task === "classification") return undefined;
  const where = `${quoted(source.name)}, label ${quoted(label)}`;
  const plain = source.cells([label], { gaps });
  const field = plain.fields.get(label);
  const reject = (got: string): TableError =>
    new TableError("unsupported-type", `${where}: expected numbers to predict, got ${got}`);
  if (!field) {
    if (task === undefined) return undefined;
    throw reject("a date or a nested value");
  }
  const styles = await findNumberStyles(source, plain, [label], { decimal });
  const numbers = await guessNumbers(source, plain, styles);
  const cells = source.cells([label], { gaps, numbers });
  const { rows, columns } = await source.count(cells, [label], bins);
  const found = columns.get(label);
  if (found?.kind !== "number" || found.others.size > 0) {
    const texts = [...((found?.kind === "number" ? found.others : found?.counts)?.keys() ?? [])];
    if (task !== undefined) {
      const style = styles.get(label) ?? PLAIN_NUMBERS;
      const text = texts.find((one) => readNumberText(one, style) === undefined) ?? texts[0];
      throw reject(text === undefined ? "no value" : quoted(text));
    }
    if (
      texts.length > MOST_CLASSES &&
      proposeStyle(texts, PLAIN_NUMBERS, true, label, source.remedies)?.style.date
    )
      throw new TableError(
        "unsupported-type",
        `${where}: expected classes or numbers, got dates such as ${quoted(texts[0])}`,
      );
    return undefined;
  }
  const { known, least, most, different, whole } = found;
  if (task === undefined && different <= MOST_CLASSES && whole) return undefined;
  if (different < 2) {
    const got = known === 0 ? "none" : `only ${least}`;
    throw new TableError("single-class", `${where}: expected two or more different numbers, got ${got}`);
  }
  const own = [...reading.fields.fields.values()].flatMap(({ name, style }) =>
    style && name !== label ? [[name, style] as const] : [],
  );
  const labelStyle = numbers.get(label) ?? styles.get(label);
  const categories = new Map(
    reading.chosen.flatMap(({ column }) =>
      column.kind === "categorical" ? [[column.name, column.values] as const] : [],
    ),
  );
  const { group } = reading;
  if (group) categories.set(group.name, group.values);
  const names = [...reading.chosen.map(({ column }) => column), ...(group ? [group] : [])].map(
    ({ name }) => name,
  );
  const fields = source.cells([...names, label], {
    gaps,
    gapsIn: new Map(Object.entries(reading.stored.missingIn ?? {})),
    numbers: new Map([...own, ...(labelStyle ? [[label, labelStyle] as const] : [])]),
    categories,
    verified: true,
  });
  return { fields, unlabeled: rows - known, least, most, different };
}

/** How the task was chosen, as a sentence. */
export function taskSentence(
  label: string,
  { different }: Pick<NumberLabel<CellReading>, "different">,
  { predictClasses }: Remedies,
): string {
  return `${quoted(label)} holds numbers with ${count(different)} different values: predicting a number (${predictClasses})`;
}
