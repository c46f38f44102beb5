import type { IncomingMessage } from "node:http";
import { ApiError, errorBody } from "./api-error.ts";
import { tooSlow } from "./body-limits.ts";
import { type LineBlock, LineBlocks } from "./line-blocks.ts";
import type { Reading } from "./read-body.ts";

/** How the lines of a stream are answered. */
export interface StreamOptions extends Reading {
  /** Lines that are answered together. */
  readonly linesPerBlock: number;
  readonly answer: (block: LineBlock, signal: AbortSignal) => Promise<Uint8Array> | Uint8Array;
  /** Told of an error that nobody foresaw. */
  readonly onFault: (error: unknown) => void;
}

/**
 * JSON lines in, JSON lines out. Nothing is held but the line that is being read and the block that is being answered; the
 * client's pace in reading is the server's in answering.
 */
export function answerStream(incoming: IncomingMessage, options: StreamOptions): ReadableStream<Uint8Array> {
  const left = new AbortController();
  const answers = answersTo(incoming, options, left.signal);
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await answers.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => left.abort(),
    },
    { highWaterMark: 0 },
  );
}

async function* answersTo(
  incoming: IncomingMessage,
  options: StreamOptions,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const { limits, linesPerBlock, onGrowth, answer } = options;
  const blocks = new LineBlocks(linesPerBlock, limits.bytes, onGrowth);
  try {
    for await (const piece of piecesOf(incoming, options, () => blocks.lines)) {
      for (const block of blocks.push(piece)) yield await answer(block, signal);
    }
    for (const block of blocks.end()) yield await answer(block, signal);
  } catch (thrown) {
    if (signal.aborted) return;
    if (!(thrown instanceof ApiError)) options.onFault(thrown);
    yield new TextEncoder().encode(`${refusal(thrown)}\n`);
  }
}

/**
 * The pieces of a body as they come. The time limit is for the next line, not for the next piece, so that a byte now and
 * then does not keep a stream open.
 *
 * @param linesSoFar counts the lines that have come
 */
async function* piecesOf(
  incoming: IncomingMessage,
  { limits, nextTurn }: Reading,
  linesSoFar: () => number,
): AsyncGenerator<Buffer, void> {
  const pieces = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const end = Date.now() + limits.stream;
  let [lines, waited] = [0, 0];
  for (;;) {
    const start = Date.now();
    const { done, value } = await within(Math.min(limits.milliseconds - waited, end - start), pieces.next());
    if (done) return;
    const time = Date.now() - start;
    yield value;
    waited = linesSoFar() > lines ? 0 : waited + time;
    lines = linesSoFar();
    await nextTurn();
  }
}

/** What was promised, unless the time is over first. */
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

function refusal(thrown: unknown): string {
  if (thrown instanceof ApiError) return errorBody(thrown.code, thrown.message);
  return errorBody("internal", "something went wrong in the server");
}
