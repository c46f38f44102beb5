import type { Table } from "conformant";
import { random } from "conformant";
import { pickRows } from "conformant/internal";
import { shuffled } from "../source/shuffled.ts";
import { TableError } from "../source/table-error.ts";

/** Rows to test on and rows that baselines are trained on; no row is in both. */
export interface DividedRows {
  readonly judged: Table;
  readonly training: Table;
}

/** Learns from a random half of the rows and judges at most so many of the other. */
export function divideRows(all: Table, most: number, seed: number): DividedRows {
  if (all.rows < 2)
    throw new TableError(
      "empty-data",
      "evaluate needs two or more rows, one to test on and one to train baselines on",
    );
  const order = shuffled(all.rows, random(seed));
  const half = all.rows >> 1;
  return {
    judged: pickRows(all, order.subarray(half, half + most).sort()),
    training: pickRows(all, order.subarray(0, half).sort()),
  };
}

/** At most so many rows, chosen at random, in their order. */
export function chooseRows(all: Table, most: number, seed: number): Table {
  return pickRows(all, shuffled(all.rows, random(seed)).subarray(0, most).sort());
}
