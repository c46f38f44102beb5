import { Readable } from "node:stream";
import type pg from "pg";

/** Approximate bytes per chunk. */
const PIECE = 1 << 18;

/**
 * The result of a query in the format of COPY, one line per row, in chunks of whole lines. The driver delivers it row by row;
 * reading pauses while the consumer is behind.
 */
export class CopyOut extends Readable implements pg.Submittable {
  readonly #sql: string;
  #connection: pg.Connection | undefined;
  #piece = Buffer.allocUnsafe(PIECE);
  #filled = 0;

  /** @param sql a query that returns texts without tabs, line breaks and backslashes, which COPY would escape */
  constructor(sql: string) {
    super({ highWaterMark: PIECE });
    this.#sql = sql;
  }

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    connection.query(`COPY (${this.#sql}) TO STDOUT`);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.destroyed) return;
    if (this.#filled + chunk.length > this.#piece.length) this.#flush(Math.max(PIECE, chunk.length));
    chunk.copy(this.#piece, this.#filled); // the driver uses its own memory again
    this.#filled += chunk.length;
  }

  handleCommandComplete(): void {
    if (this.destroyed) return;
    this.#flush(0);
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  handleReadyForQuery(): void {}

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** The consumer stopped early: the server still sends the rest, which is discarded. */
  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#connection?.stream.resume();
    callback(error);
  }

  #flush(next: number): void {
    const piece = this.#piece.subarray(0, this.#filled);
    [this.#piece, this.#filled] = [Buffer.allocUnsafe(next), 0];
    if (piece.length > 0 && !this.push(piece)) this.#connection?.stream.pause();
  }
}
