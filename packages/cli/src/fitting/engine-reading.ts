import type { ColumnReading } from "conformant-workbench";
import type { FieldSet } from "conformant-workbench/sql";

/** The columns of a source as a classifier can use them, and how an engine reads them. */
export type EngineReading = ColumnReading<FieldSet>;
