import { expect } from "vitest";
import { ConformantError, type ErrorCode } from "../../src/index.ts";

/** Runs what must be refused, and checks the code and that the message names the thing and the value. */
export function expectError(run: () => unknown, code: ErrorCode, message: RegExp): ConformantError {
  try {
    run();
  } catch (error) {
    if (!(error instanceof ConformantError)) throw error;
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
    return error;
  }
  return expect.fail(`nothing was thrown; expected ${code}`);
}
