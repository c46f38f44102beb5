import type { AnyModel, Table } from "conformant";
import { metadataOf } from "../describe/model-metadata.ts";
import { recognizeRows } from "../fit/training-rows.ts";
import { count, counted } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import type { Reporter } from "../source/reporter.ts";
import { TableError } from "../source/table-error.ts";

/** Share of the other rows that may be training rows which a large model does not recognize. */
const MOST_UNSEEN = 0.1;

/** Rows that a model is tested on. */
export interface TestRows {
  /** The columns of the model and, last, the label. */
  readonly table: Table;
  /** Where they come from, for messages. */
  readonly source: string;
  /** Whether rows that the model was fitted on are kept. */
  readonly allowed: boolean;
}

/** Ignores the rows that a model was fitted on, which would make it look better than it is, and reports how many there are. */
export function withoutTrainingRows(
  model: AnyModel,
  { table, source, allowed }: TestRows,
  reporter: Pick<Reporter, "warn">,
): Table {
  const { trainingRows } = metadataOf(model);
  const found = trainingRows && recognizeRows(table, trainingRows);
  if (!found) return table;
  const { recognized, estimated, others } = found;
  const about = estimated > recognized ? "about " : "";
  const share = `${quoted(source)}: the model was fitted on ${about}${count(estimated)} of ${counted(table.rows, "row")}`;
  if (allowed) {
    reporter.warn(`${share}; scores on them are too good`);
    return table;
  }
  const unseen = estimated - recognized;
  if (others.rows < 2 || unseen > MOST_UNSEEN * others.rows)
    throw new TableError("training-rows", `${share}, expected other rows`, {
      hint: "fit prints a verdict on new rows; --allow-training-rows uses these rows all the same",
    });
  reporter.warn(`${share}: ${counted(recognized, "row")} ignored, ${count(others.rows)} left`);
  return others;
}
