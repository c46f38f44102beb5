// A thread that answers requests that may take long, so that the server stays awake and can end them.

import { parentPort, workerData } from "node:worker_threads";
import { loadModel } from "conformant";
import { answerRequest, type Route, type Service } from "./answer-request.ts";
import { ApiError } from "./api-error.ts";
import { requestSchemas } from "./request-schemas.ts";

/** What the thread is asked. */
export interface WorkerTask {
  readonly route: Route;
  readonly text: string;
}

/** What it answers: a body, a refusal, or a fault that nobody foresaw. */
export type WorkerReply =
  | { readonly body: string }
  | { readonly refusal: Pick<ApiError, "status" | "code" | "message"> }
  | { readonly fault: string };

const model = loadModel(workerData as string);
const { schema, label } = model.classifier;
const service: Service = { model, schemas: requestSchemas(schema, label) };

parentPort?.on("message", ({ route, text }: WorkerTask) => parentPort?.postMessage(reply(route, text)));

function reply(route: Route, text: string): WorkerReply {
  try {
    return { body: answerRequest(service, route, text) };
  } catch (thrown) {
    if (thrown instanceof ApiError) {
      const { status, code, message } = thrown;
      return { refusal: { status, code, message } };
    }
    return { fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
