/** The statuses of answers that refuse a request. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 500 | 503;

/** A request that cannot be answered: the status for programs, one line for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ErrorStatus;
  readonly code: string;
  /** Headers that belong to the refusal, such as Retry-After. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ErrorStatus,
    code: string,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Sent with refusals that will not last. */
export const retryLater: Readonly<Record<string, string>> = { "Retry-After": "1" };

/** Sent with refusals of a body that has not arrived whole: what is left of it is not waited for. */
export const closeConnection: Readonly<Record<string, string>> = { Connection: "close" };

/** The body of a refusal; it never holds a stack. */
export function errorBody(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } });
}
