import { findCompleteRows } from "conformant/internal";
import { counted, type TrainingOptions } from "conformant-workbench";
import { CliError, listed, quoted } from "../errors.ts";
import type { Messages } from "../options/command.ts";
import type { TrainingTable } from "./read-training-table.ts";

/** How rows are trained on: which of them, and whether those that were left aside follow in passes. */
interface Use extends Pick<TrainingOptions, "trainOn"> {
  readonly inPasses: boolean;
}

/**
 * Throws where the rows to train on are all of one class, though the label has others; says which classes have none of them.
 *
 * @param table the columns that are learned from and, last, the label
 */
export function checkClasses({ table, sampled }: TrainingTable, use: Use, messages: Messages): void {
  const label = table.schema.columns[table.columns.length - 1];
  if (label.kind !== "categorical") return;
  const codes = table.columns[table.columns.length - 1];
  const rows = use.trainOn === "complete" ? findCompleteRows(table) : codes.keys();
  const taught = new Set(Array.from(rows, (r) => codes[r]));
  const lost = label.values.filter((_, code) => !taught.has(code));
  if (lost.length === 0 || taught.size === 0) return;
  const where = `label ${quoted(label.name)}`;
  if (taught.size === 1) {
    const [only] = label.values.filter((_, code) => taught.has(code));
    const these = sampled ? `the sample of ${counted(table.rows, "row")}` : "the complete rows";
    const hint = sampled
      ? "--sample ROWS reads more of them"
      : "the other classes have gaps in every row; leave out --train-on complete";
    const message = `${where}: expected two or more classes among ${these}, got only ${quoted(only)}`;
    throw new CliError("single-class", message, { hint });
  }
  if (use.inPasses) return;
  const why = sampled ? "the sample has none of them" : "all of them have gaps";
  messages.warn(
    `${where}: no row of ${listed(lost, 6)} is trained on, ${why}; what has no row gets next to no probability`,
  );
}
