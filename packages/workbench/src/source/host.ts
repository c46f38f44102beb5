import type { Schema, Table } from "conformant";
import type { Threads } from "conformant/threads";
import type { Reporter } from "./reporter.ts";

/** What a fit needs from the program that runs it. The wording of hints comes with the source. */
export interface Host {
  readonly reporter: Reporter;
  /** Threads that share the work. */
  readonly threads?: Threads | undefined;
  /** Stores coded rows outside memory. Without it, all training rows are held in memory. */
  readonly createRowStore?: (schema: Schema) => RowStore;
  /** Where the state of a fit in an engine is kept. */
  readonly checkpoint?: CheckpointStore | undefined;
}

/** Coded rows outside memory, written once and read as often as needed. */
export interface RowStore {
  readonly rows: number;
  readonly append: (table: Table) => void;
  /** All rows, a block at a time; a block is valid until the next one is requested. */
  readonly blocks: () => Iterable<Table>;
  readonly close: () => void;
}

/** A place for the text of a checkpoint. */
export interface CheckpointStore {
  /** Its name in messages. */
  readonly name: string;
  /** The settings of the fit by name; only a fit with the same settings may resume. */
  readonly identity: Readonly<Record<string, string>>;
  /** Whether to resume from the text that is there. */
  readonly resume: boolean;
  /** The text, undefined where there is none. */
  readonly read: () => string | undefined;
  /** Replaces the text: the new one is complete or the old one stays. */
  readonly write: (text: string) => void;
  readonly remove: () => void;
}
