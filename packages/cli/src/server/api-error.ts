/** HTTP status codes of errors. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 422 | 429 | 500 | 503;

/** An error response: a status for programs and one line for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: ErrorStatus;
  readonly code: string;
  /** Additional headers, such as Retry-After. */
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

/** Headers of temporary errors. */
export const retryLater: Readonly<Record<string, string>> = { "Retry-After": "1" };

/** Headers of errors about an incomplete body: the rest is not read. */
export const closeConnection: Readonly<Record<string, string>> = { Connection: "close" };

/** The body of an error response; it never contains a stack trace. */
export function errorBody(code: string, message: string): string {
  return JSON.stringify({ error: { code, message } });
}
