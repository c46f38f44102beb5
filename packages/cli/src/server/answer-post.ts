import { answerLines, answerRequest, parseJson, type Route, type Service } from "./answer-request.ts";
import { ApiError, errorBody } from "./api-error.ts";
import { type Pace, paceOfRows, parsesAtOnce, rowsPerPiece } from "./estimate-cost.ts";
import type { Exchange } from "./exchange.ts";
import { apiHeaders } from "./guard.ts";
import type { Errand, QueryPool } from "./query-pool.ts";
import type { QueryTask } from "./query-worker.ts";
import {
  allowBody,
  type BodyLimits,
  contentType,
  cutLines,
  LINES_TYPES,
  readBody,
  readPieces,
} from "./read-body.ts";

/** How requests are answered. */
export interface PostOptions {
  readonly service: Service;
  readonly limits: BodyLimits;
  readonly pool: QueryPool;
  /** Called with unexpected errors. */
  readonly onFault: (error: unknown) => void;
}

/** Answers a POST request: at once where that takes almost no time, otherwise in a thread. */
export async function answerPost(exchange: Exchange, route: Route, options: PostOptions): Promise<Response> {
  const { service, limits, pool } = options;
  const { closed: signal, hold } = exchange;
  const bindings = exchange.c.env; // Node's own request object: creating a Request costs more than a prediction
  if (contentType(bindings.incoming.headers, route === "predict") === "lines")
    return answerStream(exchange, options);
  const bytes = await readBody(bindings, limits, hold);
  const inThread = async (pace: Errand["pace"]): Promise<Response> => {
    const answer = await pool.answer(taskOf(route, bytes), { pace, signal });
    hold(answer.length);
    return new Response(answer as Uint8Array<ArrayBuffer>, { headers: apiHeaders });
  };
  if (!parsesAtOnce(bytes.length)) return inThread("long");
  const body = parseJson(bytes);
  const pace = paceOf(service, route, body, bytes.length);
  if (pace !== "now") return inThread(pace);
  return new Response(answerRequest(service, route, body), { headers: apiHeaders });
}

/** Only the cost of plain predictions is known in advance; everything else counts as long. */
function paceOf({ model }: Service, route: Route, body: unknown, bytes: number): Pace {
  if (route !== "predict") return "long";
  const { rows, sure, set, shift } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (sure === true || set !== undefined || shift !== undefined) return "long";
  return paceOfRows(model, Array.isArray(rows) ? rows.length : 1, bytes);
}

/**
 * JSON lines in, JSON lines out. Only the current line and the current block are held in memory; the server answers as fast as the client
 * reads.
 */
function answerStream({ c, closed, hold }: Exchange, options: PostOptions): Response {
  const { incoming } = c.env;
  allowBody(c.env);
  closed.addEventListener("abort", () => {
    if (!incoming.complete) incoming.socket.destroySoon(); // the stream was given up: do not wait for the rest
  });
  const left = new AbortController();
  const answers = answersTo();
  return new Response(
    new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { done, value } = await answers.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => left.abort(),
      },
      { highWaterMark: 0 },
    ),
    { headers: { ...apiHeaders, "Content-Type": LINES_TYPES[0] } },
  );

  async function* answersTo(): AsyncGenerator<Uint8Array, void> {
    const { service, limits, pool, onFault } = options;
    const { model } = service;
    const sizes = { linesPerBlock: rowsPerPiece(model), longestLine: limits.bytes };
    try {
      for await (const { bytes, lines } of cutLines(readPieces(incoming, limits), sizes, hold)) {
        if (lines === 0) continue;
        const pace = paceOfRows(model, lines, bytes.length);
        if (pace === "now") yield Buffer.from(answerLines(service, bytes));
        else yield await pool.answer(taskOf("lines", bytes), { pace, signal: left.signal });
      }
    } catch (thrown) {
      if (left.signal.aborted) return;
      if (!(thrown instanceof ApiError)) onFault(thrown);
      const { code, message } =
        thrown instanceof ApiError
          ? thrown
          : { code: "internal", message: "something went wrong in the server" };
      yield new TextEncoder().encode(`${errorBody(code, message)}\n`);
    }
  }
}

/** The bytes are transferred to a thread, so they must not share a buffer with other chunks. */
function taskOf(route: QueryTask["route"], bytes: Buffer): QueryTask {
  return { route, bytes: bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) };
}
