import type { IncomingHttpHeaders } from "node:http";
import type { HonoRequest } from "hono";
import { ApiError } from "./api-error.ts";

const JSON_TYPE = "application/json";
/** JSON lines; `application/x-ndjson` is what most tools send. */
export const LINES_TYPES: readonly string[] = ["application/x-ndjson", "application/jsonl"];

/** Limits of one request. */
export interface BodyLimits {
  /** Bytes of a body, or of a line of a stream. */
  readonly bytes: number;
  /** Milliseconds until the body must be there, or between two pieces of a stream. */
  readonly milliseconds: number;
}

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

/** The text of a body within the limits. */
export async function readBody(
  request: HonoRequest,
  { "content-length": length }: IncomingHttpHeaders,
  limits: BodyLimits,
): Promise<string> {
  if (length !== undefined && Number(length) > limits.bytes) throw tooLarge(limits.bytes);
  // A parser of HTTP ends a body at its declared length, so only one without needs counting.
  const text = length === undefined ? countedText(request, limits.bytes) : request.text();
  return within(limits.milliseconds, text);
}

async function countedText(request: HonoRequest, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.raw.body ?? []) {
    bytes += chunk.length;
    if (bytes > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** What was promised, unless the time is over first. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The refusal of a body, or of a line, that is too long. */
export function tooLarge(most: number): ApiError {
  return new ApiError(413, "body-too-large", `the body must not be longer than ${most} bytes`, {
    Connection: "close",
  });
}

function tooSlow(): ApiError {
  return new ApiError(408, "slow-request", "the body did not arrive within the time limit", {
    Connection: "close",
  });
}
