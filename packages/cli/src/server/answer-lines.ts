import { ConformantError } from "conformant";
import { answerLine, type Service } from "./answer-request.ts";
import { ApiError, errorBody } from "./api-error.ts";
import { type BodyLimits, tooLarge, within } from "./read-body.ts";

/**
 * JSON lines in, JSON lines out, one for one: a line that cannot be answered gets an error in its place, and the others
 * go on. Nothing is held but the line that is being read; the client's pace in reading is the server's in answering.
 */
export function answerLines(
  service: Service,
  body: ReadableStream<Uint8Array>,
  limits: BodyLimits,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  const answered = (lines: readonly string[]): Uint8Array =>
    encoder.encode(
      lines.flatMap((line) => (line.trim() === "" ? [] : [`${answer(service, line)}\n`])).join(""),
    );
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await within(limits.milliseconds, reader.read());
        const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
        rest = done ? "" : (lines.pop() ?? "");
        if (rest.length > limits.bytes) throw tooLarge(limits.bytes);
        controller.enqueue(answered(lines)); // even if it is empty: otherwise pull is not called again
        if (done) controller.close();
      } catch (thrown) {
        controller.enqueue(encoder.encode(`${refusal(thrown)}\n`));
        controller.close();
        void reader.cancel().catch(() => undefined);
      }
    },
    cancel: () => void reader.cancel().catch(() => undefined),
  });
}

function answer(service: Service, line: string): string {
  try {
    return answerLine(service, line);
  } catch (thrown) {
    return refusal(thrown);
  }
}

function refusal(thrown: unknown): string {
  if (thrown instanceof ApiError || thrown instanceof ConformantError) {
    return errorBody(thrown.code, thrown.message);
  }
  return errorBody("internal", "something went wrong in the server");
}
