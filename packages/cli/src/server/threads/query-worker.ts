// A thread that answers requests that may take long, so that the server stays awake and can end them.

import { workerData } from "node:worker_threads";
import { loadModel } from "conformant";
import { move } from "piscina";
import {
  answerLines,
  answerRequest,
  parseJson,
  type Route,
  type Service,
} from "../answers/answer-request.ts";
import { requestSchemas } from "../answers/request-schemas.ts";
import { ApiError } from "../api-error.ts";

/** What the thread is asked: a body, or lines of a stream. */
export interface QueryTask {
  readonly route: Route | "lines";
  readonly bytes: Uint8Array;
}

/** What it answers: the bytes of a body, or a refusal. */
export type QueryReply = Uint8Array | Pick<ApiError, "status" | "code" | "message">;

/** What the thread is given when it starts. */
export interface QueryThreadData {
  /** The model file. */
  readonly modelText: string;
  /** Bytes of the longest answer. */
  readonly longestAnswer: number;
}

const { modelText, longestAnswer } = workerData as QueryThreadData;
const model = loadModel(modelText);
const { schema, label } = model.classifier;
const service: Service = { model, schemas: requestSchemas(schema, label) };

/** Does nothing: who calls it knows that the thread is there. */
export function wake(): void {}

/** Answers one task. */
export function answerTask({ route, bytes }: QueryTask): QueryReply {
  try {
    const text = new TextDecoder().decode(bytes);
    const body = route === "lines" ? answerLines(service, text) : answerBody(route, text);
    return move(new TextEncoder().encode(body)) as Uint8Array;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const { status, code, message } = thrown;
    return { status, code, message };
  }
}

function answerBody(route: Route, text: string): string {
  const body = answerRequest(service, route, parseJson(text));
  if (body.length <= longestAnswer) return body;
  throw new ApiError(413, "answer-too-large", "the answer is too long for one response; send JSON lines");
}
