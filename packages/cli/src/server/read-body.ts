import type { IncomingHttpHeaders } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { ApiError } from "./api-error.ts";
import { type BodyLimits, clientLeft, tooLarge, tooSlow, watchPieces } from "./body-limits.ts";
import { GatheredBytes } from "./gathered-bytes.ts";

const JSON_TYPE = "application/json";
/** JSON lines; `application/x-ndjson` is what most tools send. */
export const LINES_TYPES: readonly string[] = ["application/x-ndjson", "application/jsonl"];

/** The media type of a request, which must be one of the two that are read, in UTF-8. */
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

/** Lets a client go on that waits for leave to send its body (Expect: 100-continue), once nothing speaks against it. */
export function allowBody({ incoming, outgoing }: HttpBindings): void {
  if (incoming.headers.expect !== undefined && incoming.httpVersion === "1.1") outgoing.writeContinue();
}

/** Bytes of a body that are read without waiting for a turn. */
const AT_ONCE_BYTES = 65_536;

/** What the reading of a body depends on. */
export interface Reading {
  readonly limits: BodyLimits;
  /** Told how much memory is about to be held, and may refuse it. */
  readonly onGrowth: (bytes: number) => void;
  /** Resolves when the next piece of a long body may be read. */
  readonly nextTurn: () => Promise<void>;
}

/** The bytes of a body within the limits. */
export function readBody(bindings: HttpBindings, reading: Reading): Promise<Buffer> {
  const { limits, onGrowth, nextTurn } = reading;
  const { incoming } = bindings;
  if (Number(incoming.headers["content-length"]) > limits.bytes) throw tooLarge(limits.bytes);
  allowBody(bindings);
  return new Promise((resolve, reject) => {
    const body = new GatheredBytes(onGrowth);
    const checkPiece = watchPieces();
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
        body.append(piece);
        checkPiece(piece.length);
        if (body.length > AT_ONCE_BYTES) {
          incoming.pause();
          void nextTurn().then(() => incoming.resume());
        }
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
