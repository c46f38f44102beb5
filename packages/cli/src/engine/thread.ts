// The thread of the engine: answers one request after the other.

import { type MessagePort, parentPort } from "node:worker_threads";
import { usePortableMath } from "conformant-workbench";
import { describeError } from "../process/describe-error.ts";
import { answer } from "./answer.ts";
import type { Answer, Request, SentColumn, SentTable } from "./requests.ts";

const port = parentPort as MessagePort;
const utf8 = new TextDecoder();

usePortableMath();

/** The request that is being received, and the columns of its table that are still to come. */
let request: Request | undefined;
let columns: SentColumn[] = [];
let work = Promise.resolve();

port.on("message", (line: Uint8Array) => {
  try {
    const received: unknown = JSON.parse(utf8.decode(line));
    if (request) columns.push(received as SentColumn);
    else request = received as Request;
    const { table } = request as { readonly table?: SentTable };
    if (columns.length < (table?.columns ?? 0)) return;
    const [whole, own] = [request, columns];
    [request, columns] = [undefined, []];
    work = work.then(() => run(whole, own));
  } catch (thrown) {
    [request, columns] = [undefined, []];
    fail(thrown);
  }
});

async function run(request: Request, columns: readonly SentColumn[]): Promise<void> {
  try {
    tell({ result: await answer(request, columns, (warning) => tell({ warning })) });
  } catch (thrown) {
    fail(thrown);
  }
}

function fail(thrown: unknown): void {
  const { code, message, hint } = describeError(thrown);
  tell({ error: { code, message, hint } });
}

function tell(answer: Answer): void {
  port.postMessage(answer);
}
