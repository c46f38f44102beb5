import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { setImmediate } from "node:timers/promises";
import type { HttpBindings } from "@hono/node-server";
import { ApiError, closeConnection } from "./api-error.ts";

/** Limits of one request. */
export interface BodyLimits {
  /** The most bytes of a body, or of a line of a stream. */
  readonly bytes: number;
  /** Milliseconds until the whole body, or the next line of a stream, must have arrived; the same for the response. */
  readonly milliseconds: number;
  /** Milliseconds for a whole stream. */
  readonly stream: number;
}

const JSON_TYPE = "application/json";
/** JSON lines; most tools send `application/x-ndjson`. */
export const LINES_TYPES: readonly string[] = ["application/x-ndjson", "application/jsonl"];

/** The media type of a request, which must be one of the two supported, in UTF-8. */
export function contentType(headers: IncomingHttpHeaders, allowLines: boolean): "json" | "lines" {
  const [type, ...parameters] = (headers["content-type"] ?? "").toLowerCase().split(/\s*;\s*/);
  const plain = parameters.every((one) => one === "" || /^charset="?utf-?8"?$/.test(one));
  if (plain && headers["content-encoding"] === undefined) {
    if (type === JSON_TYPE) return "json";
    if (allowLines && LINES_TYPES.includes(type)) return "lines";
  }
  const wanted = allowLines ? `${JSON_TYPE} or ${LINES_TYPES[0]}` : JSON_TYPE;
  throw new ApiError(415, "unsupported-media-type", `Content-Type must be ${wanted}, in UTF-8, not encoded`);
}

/** Tells a client that waits for permission to send its body (Expect: 100-continue) to go on, after all checks. */
export function allowBody({ incoming, outgoing }: HttpBindings): void {
  if (incoming.headers.expect !== undefined && incoming.httpVersion === "1.1") outgoing.writeContinue();
}

/**
 * The bytes of a body, within the limits.
 *
 * @param hold is called with the bytes about to be held in memory, and may reject them
 */
export function readBody(
  bindings: HttpBindings,
  limits: BodyLimits,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const { incoming } = bindings;
  if (Number(incoming.headers["content-length"]) > limits.bytes) throw tooLarge(limits.bytes);
  allowBody(bindings);
  return new Promise((resolve, reject) => {
    const body = new GrowingBuffer();
    const settle = (): void => {
      clearTimeout(timer);
      incoming.off("data", onData).off("end", onEnd).off("close", onClose);
    };
    const refuse = (error: unknown): void => {
      settle();
      incoming.pause();
      reject(error);
    };
    const onData = (piece: Buffer): void => {
      try {
        if (body.length + piece.length > limits.bytes) throw tooLarge(limits.bytes);
        hold(body.length + piece.length);
        body.append(piece);
      } catch (thrown) {
        refuse(thrown);
      }
    };
    const onEnd = (): void => {
      settle();
      resolve(body.take());
    };
    const onClose = (): void => refuse(clientLeft());
    const timer = setTimeout(() => refuse(tooSlow()), limits.milliseconds);
    incoming.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}

/** Some whole lines of a stream. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** How many of them are long enough for a row, `{}`. */
  readonly lines: number;
}

const NEWLINE = 10;

/** The chunks of a stream. The time limit is per line: single bytes do not keep a stream open. */
export async function* readPieces(incoming: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const end = Date.now() + limits.stream;
  let waited = 0;
  for (;;) {
    const start = Date.now();
    const { done, value } = await within(Math.min(limits.milliseconds - waited, end - start), pieces.next());
    if (done) return;
    waited = value.includes(NEWLINE) ? 0 : waited + Date.now() - start;
    yield value;
    await setImmediate(); // let other requests run
  }
}

/** Splits a stream into blocks of at most this many whole lines. */
export async function* cutLines(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  limits: { readonly linesPerBlock: number; readonly longestLine: number },
  hold: (bytes: number) => void,
): AsyncGenerator<LineBlock> {
  const { linesPerBlock, longestLine } = limits;
  const rest = new GrowingBuffer();
  for await (const piece of pieces) {
    const { length } = piece; // a thread may take the memory of the last block, which may be the whole piece
    let [blockStart, lineStart, lines] = [0, -rest.length, 0];
    const checkLine = (end: number): void => {
      if (end - lineStart > longestLine) throw tooLarge(longestLine);
    };
    for (let at = piece.indexOf(NEWLINE); at >= 0; ) {
      checkLine(at);
      if (at - lineStart >= 2) lines++;
      lineStart = at + 1;
      at = piece.indexOf(NEWLINE, lineStart);
      if (lines < linesPerBlock && at >= 0) continue;
      rest.append(piece.subarray(blockStart, lineStart));
      yield { bytes: rest.take(), lines };
      [blockStart, lines] = [lineStart, 0];
    }
    checkLine(length);
    hold(rest.length + length - blockStart);
    if (blockStart < length) rest.append(piece.subarray(blockStart));
  }
  if (rest.length > 0) yield { bytes: rest.take(), lines: 1 };
}

/** Collects chunks of any size in one buffer that doubles. */
class GrowingBuffer {
  #buffer: Buffer = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#length === 0) {
      this.#buffer = piece; // most bodies are one chunk
    } else if (piece.length > 0) {
      if (length > this.#buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#buffer.length));
        this.#buffer.copy(larger, 0, 0, this.#length);
        this.#buffer = larger;
      }
      piece.copy(this.#buffer, this.#length);
    }
    this.#length = length;
  }

  /** Returns and removes everything so far. */
  take(): Buffer {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#buffer = Buffer.alloc(0);
    this.#length = 0;
    return taken;
  }
}

/** Waits for a promise until the time limit. */
async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error for a body or line that is too long. */
function tooLarge(most: number): ApiError {
  const message = `the body must not be longer than ${most} bytes`;
  return new ApiError(413, "body-too-large", message, closeConnection);
}

/** The error for a body or line that does not arrive. */
function tooSlow(): ApiError {
  return new ApiError(408, "slow-request", "the body did not arrive within the time limit", closeConnection);
}

/** The error for a client that has disconnected; nobody reads it. */
export function clientLeft(): ApiError {
  return new ApiError(400, "incomplete-body", "the client left");
}
