import { AbuseError, ApiError, closeConnection } from "./api-error.ts";

/** Limits of one request. */
export interface BodyLimits {
  /** Bytes of a body, or of a line of a stream. */
  readonly bytes: number;
  /** Milliseconds until the body must be there, or the next line of a stream; the same for an answer. */
  readonly milliseconds: number;
  /** Milliseconds for all of a stream. */
  readonly stream: number;
}

/** So many pieces may be short, and from then on they must be this long on average. */
const [FREE_PIECES, AVERAGE_PIECE] = [256, 16];

/**
 * Watches the pieces of a body. A chunk per byte costs a call of the parser for each, all of them in the thread that
 * everyone waits for: it is refused.
 */
export function watchPieces(): (length: number) => void {
  let [pieces, bytes] = [0, 0];
  return (length) => {
    pieces++;
    bytes += length;
    if (pieces <= FREE_PIECES || bytes >= AVERAGE_PIECE * pieces) return;
    throw new AbuseError(400, "small-chunks", "the chunks of the body are too small", closeConnection);
  };
}

/** The refusal of a body, or of a line, that is too long. */
export function tooLarge(most: number): ApiError {
  return new ApiError(
    413,
    "body-too-large",
    `the body must not be longer than ${most} bytes`,
    closeConnection,
  );
}

/** The refusal of a body, or of a line, that does not come. */
export function tooSlow(): ApiError {
  return new ApiError(408, "slow-request", "the body did not arrive within the time limit", closeConnection);
}

/** The end of a request whose client is gone; nobody reads it. */
export function clientLeft(): ApiError {
  return new ApiError(400, "incomplete-body", "the client left");
}
