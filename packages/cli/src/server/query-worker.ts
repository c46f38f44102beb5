// A thread that answers requests that may take long, so that the server stays awake and can end them.

import { constants, setPriority } from "node:os";
import { platform } from "node:process";
import { workerData } from "node:worker_threads";
import { loadCalibration, loadModel } from "conformant";
import { move } from "piscina";
import { answerLines, answerRequest, parseJson, type Route, type Service } from "./answer-request.ts";
import { ApiError } from "./api-error.ts";
import { requestSchemas } from "./request-schemas.ts";

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
  /** The calibration file, where there is one. */
  readonly calibrationText?: string | undefined;
  /** Bytes of the longest answer. */
  readonly longestAnswer: number;
  /** Whether the other threads go before it. */
  readonly inBackground: boolean;
}

const { modelText, calibrationText, longestAnswer, inBackground } = workerData as QueryThreadData;
// On Linux this is the priority of a thread; elsewhere it would be that of the whole process.
if (inBackground && platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const model = loadModel(modelText);
const {
  schema,
  predictor: { label },
} = model;
const calibration = calibrationText === undefined ? undefined : loadCalibration(calibrationText);
const service: Service = { model, schemas: requestSchemas(schema, label), calibration };

/** Does nothing: who calls it knows that the thread is there. */
export function wake(): void {}

/** Answers one task. */
export function answerTask({ route, bytes }: QueryTask): QueryReply {
  try {
    const body = route === "lines" ? answerLines(service, bytes) : answerBody(route, bytes);
    return move(new TextEncoder().encode(body)) as Uint8Array;
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const { status, code, message } = thrown;
    return { status, code, message };
  }
}

function answerBody(route: Route, bytes: Uint8Array): string {
  const body = answerRequest(service, route, parseJson(bytes));
  if (body.length <= longestAnswer) return body;
  throw new ApiError(413, "answer-too-large", "the answer is too long for one response; send JSON lines");
}
