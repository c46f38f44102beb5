import type { DuckDBDataChunk } from "@duckdb/node-api";
import type { Shape } from "conformant-workbench/sql";
import type { Batch, BatchColumn } from "../connector.ts";
import { bindings } from "./duckdb-driver.ts";

/** Copies a DuckDB chunk into typed arrays; numbers and codes come directly from its memory. */
export function readChunk(chunk: DuckDBDataChunk, shapes: readonly Shape[]): Batch {
  const rows = chunk.rowCount;
  return { rows, columns: shapes.map((shape, c) => readColumn(chunk, c, rows, shape)) };
}

function readColumn(chunk: DuckDBDataChunk, c: number, rows: number, shape: Shape): BatchColumn {
  if (shape === "text") {
    const vector = chunk.getColumnVector(c);
    return Array.from({ length: rows }, (_, r) => {
      const value = vector.getItem(r);
      return value === null ? null : String(value);
    });
  }
  const vector = bindings.data_chunk_get_vector(chunk.chunk, c);
  const width = shape === "number" ? Float64Array.BYTES_PER_ELEMENT : Int32Array.BYTES_PER_ELEMENT;
  const { buffer, byteOffset } = bindings.vector_get_data(vector, rows * width);
  return shape === "number"
    ? new Float64Array(buffer, byteOffset, rows).slice()
    : new Int32Array(buffer, byteOffset, rows).slice();
}
