import type { Messages } from "../options/command.ts";
import type { CleanupLink } from "../output/cleanup.ts";

/** What a thread receives when it starts. */
export interface ThreadStart {
  /** The command line without the name of the program. */
  readonly words: readonly string[];
  readonly cleanup: CleanupLink;
}

/** An error as it is printed. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** The stack trace, for --debug. */
  readonly stack: string;
}

/** Messages from the thread of a command to the main thread, in the order in which they take effect. */
export type FromThread =
  | { readonly kind: "note" | "warn"; readonly text: string }
  | { readonly kind: "progress"; readonly stage: Parameters<Messages["progress"]> }
  | { readonly kind: "clear" }
  /** Results for standard output; answered with "written" when there is room for more. */
  | { readonly kind: "write"; readonly text: string | Uint8Array }
  /** A request to read standard input. */
  | { readonly kind: "read" }
  | { readonly kind: "tell"; readonly text: string }
  /** A question to the user; answered with "answer". */
  | { readonly kind: "ask"; readonly question: string }
  | { readonly kind: "dismiss" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: ErrorReport };

export type ToThread =
  | { readonly kind: "written" }
  | { readonly kind: "answer"; readonly text: string | undefined }
  /** The run was stopped: interrupt the running query. */
  | { readonly kind: "stop" };
