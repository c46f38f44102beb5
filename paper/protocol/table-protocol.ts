import type { Split } from "../datasets/dataset.ts";
import { AUTHORS_ADDED, type Protocol } from "./protocol.ts";

/** What differs between the datasets of the paper's tables. */
interface TableSettings extends Pick<Protocol, "columns" | "paperRepeats" | "quickRepeats" | "l2"> {
  /** From one number of missing columns to the next. */
  readonly step: number;
  readonly categorical?: boolean;
  readonly pseudocount?: number;
  readonly reduced?: boolean;
}

/**
 * A dataset of the paper's tables: every `step`-th number of missing columns, as in the authors' result files, one per cent,
 * and the tables' 20, 40, 60 and 80 %: ⌊0.2 · columns⌋ times 1, 2, 3 and 4, as in the authors' code.
 */
export function tableProtocol(split: Split, settings: TableSettings): Protocol {
  const { columns, step, categorical = true, pseudocount = 1, reduced = true, ...own } = settings;
  const rates = [1, 2, 3, 4].map((times) => times * Math.floor(0.2 * columns));
  const onePercent = Math.max(1, Math.round(0.01 * columns));
  const steps = Array.from({ length: Math.floor(columns / step) + 1 }, (_, i) => i * step);
  return {
    ...own,
    split,
    measure: "weighted_f1",
    columns,
    categorical,
    missing: [...new Set([...steps, onePercent, ...rates])].sort((a, b) => a - b),
    rates,
    onePercent,
    pseudocount,
    added: split === "authors" ? AUTHORS_ADDED : 0,
    donors: 2000,
    reduced,
  };
}
