// A thread for requests that may take long, so that the server stays responsive and can terminate them.

import { constants, setPriority } from "node:os";
import { platform } from "node:process";
import { workerData } from "node:worker_threads";
import { isRegression, loadAnyModel, loadCalibration, loadNumberCalibration } from "conformant";
import { move } from "piscina";
import { answerLines, answerRequest, parseJson, type Route, type Service } from "./answer-request.ts";
import { ApiError } from "./api-error.ts";
import { InputCounts } from "./input-counts.ts";
import { requestSchemas } from "./request-schemas.ts";

/** A task: a body, or lines of a stream. */
export interface QueryTask {
  readonly route: Route | "lines";
  readonly bytes: Uint8Array;
}

/** Its result: the bytes of a body, or an error. */
export type QueryReply = Uint8Array | Pick<ApiError, "status" | "code" | "message">;

/** What the thread receives when it starts. */
export interface QueryThreadData {
  /** The model file. */
  readonly modelText: string;
  /** The calibration file, where there is one. */
  readonly calibrationText?: string | undefined;
  /** The memory of the {@link InputCounts}. */
  readonly countsMemory: SharedArrayBuffer;
  /** The most bytes of a response. */
  readonly longestAnswer: number;
  /** Whether it runs at a lower priority than the other threads. */
  readonly inBackground: boolean;
}

const { modelText, calibrationText, countsMemory, longestAnswer, inBackground } =
  workerData as QueryThreadData;
// On Linux this sets the priority of the thread; elsewhere it would be that of the whole process.
if (inBackground && platform === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const model = loadAnyModel(modelText);
const readCalibration = isRegression(model) ? loadNumberCalibration : loadCalibration;
const calibration = calibrationText === undefined ? undefined : readCalibration(calibrationText);
const counts = new InputCounts(model, countsMemory);
const service: Service = { model, schemas: requestSchemas(model), calibration, counts };

/** Does nothing: its answer shows that the thread has started. */
export function wake(): void {}

/** Runs one task. */
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
