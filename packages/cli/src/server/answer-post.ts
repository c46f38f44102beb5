import { type Allowance, Holding } from "./allowance.ts";
import { answerLines, answerRequest, parseJson, type Route, type Service } from "./answer-request.ts";
import { answerStream } from "./answer-stream.ts";
import type { BodyLimits } from "./body-limits.ts";
import { type Pace, paceOfRows, parsesAtOnce, rowsPerPiece } from "./estimate-cost.ts";
import type { Exchange } from "./exchange.ts";
import { apiHeaders } from "./guard.ts";
import type { Errand, QueryPool } from "./query-pool.ts";
import type { QueryTask } from "./query-worker.ts";
import { allowBody, contentType, LINES_TYPES, readBody } from "./read-body.ts";
import type { ReadingTurns } from "./reading-turns.ts";

/** How questions are answered. */
export interface PostOptions {
  readonly service: Service;
  readonly limits: BodyLimits;
  readonly pool: QueryPool;
  /** Streams at a time. */
  readonly streams: Allowance;
  /** Bytes of bodies and answers in memory. */
  readonly memory: Allowance;
  /** The order in which long bodies are read. */
  readonly turns: ReadingTurns;
  /** Told of an error that nobody foresaw. */
  readonly onFault: (error: unknown) => void;
}

/** What every request may have in memory without asking; the number of requests is limited anyway. */
const FREE_BYTES = 65_536;

/** Answers a posted question, at once where that takes next to nothing, else in a thread. */
export async function answerPost(exchange: Exchange, route: Route, options: PostOptions): Promise<Response> {
  const { service, limits } = options;
  const bindings = exchange.c.env; // as Node has it: a Request costs more than a prediction
  if (contentType(bindings.incoming.headers, route === "predict") === "lines")
    return openStream(exchange, options);
  const hold = memoryFor(exchange, options);
  const bytes = await readBody(bindings, { limits, onGrowth: hold, nextTurn: turnsOf(exchange, options) });
  const inThread = async (pace: Errand["pace"]): Promise<Response> => {
    const left = new AbortController();
    exchange.onClose(() => left.abort());
    const { client } = exchange;
    const answer = await options.pool.answer(taskOf(route, bytes), { client, pace, signal: left.signal });
    hold(answer.length);
    return new Response(answer as Uint8Array<ArrayBuffer>, { headers: apiHeaders });
  };
  if (!parsesAtOnce(bytes.length)) return inThread("long");
  const body = parseJson(bytes);
  const pace = paceOf(service, route, body, bytes.length);
  if (pace !== "now") return inThread(pace);
  return new Response(answerRequest(service, route, body), { headers: apiHeaders });
}

/** Only plain predictions take a time that is known before; everything else is long. */
function paceOf({ model }: Service, route: Route, body: unknown, bytes: number): Pace {
  if (route !== "predict") return "long";
  const { rows, sure, set, shift } = (body ?? {}) as Readonly<Record<string, unknown>>;
  if (sure === true || set !== undefined || shift !== undefined) return "long";
  return paceOfRows(model, Array.isArray(rows) ? rows.length : 1, bytes);
}

function openStream(exchange: Exchange, options: PostOptions): Response {
  const { client } = exchange;
  const { service, limits, pool, streams, onFault } = options;
  streams.take(client);
  const { incoming } = exchange.c.env;
  allowBody(exchange.c.env);
  exchange.onClose(() => {
    streams.giveBack(client);
    if (!incoming.complete) incoming.socket.destroySoon(); // it was given up: what else is sent is not waited for
  });
  exchange.extend(limits.stream + 2 * limits.milliseconds); // for its last answers to be found and read
  const lines = answerStream(incoming, {
    limits,
    linesPerBlock: rowsPerPiece(service.model),
    onGrowth: memoryFor(exchange, options),
    nextTurn: turnsOf(exchange, options),
    onFault,
    answer: ({ bytes, lines }, signal) => {
      const pace = paceOfRows(service.model, lines, bytes.length);
      if (pace === "now") return Buffer.from(answerLines(service, bytes));
      return pool.answer(taskOf("lines", bytes), { client, pace, signal });
    },
  });
  return new Response(lines, { headers: { ...apiHeaders, "Content-Type": LINES_TYPES[0] } });
}

/** The bytes are handed over to a thread, so they must not share a buffer with others that arrived together. */
function taskOf(route: QueryTask["route"], bytes: Buffer): QueryTask {
  return { route, bytes: bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes) };
}

function turnsOf({ client }: Exchange, { turns }: PostOptions): () => Promise<void> {
  return () => turns.next(client);
}

/** Holds memory for a request until it is over. */
function memoryFor(exchange: Exchange, { memory }: PostOptions): (bytes: number) => void {
  let holding: Holding | undefined;
  return (bytes) => {
    if (bytes <= FREE_BYTES && holding === undefined) return;
    if (holding === undefined) {
      const held = new Holding(memory, exchange.client);
      exchange.onClose(() => held.hold(0));
      holding = held;
    }
    holding.hold(bytes <= FREE_BYTES ? 0 : bytes);
  };
}
