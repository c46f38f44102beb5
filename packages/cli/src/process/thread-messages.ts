import type { Messages } from "../options/command.ts";
import type { CleanupLink } from "../output/cleanup.ts";

/** What a thread starts from. */
export interface ThreadStart {
  /** The command line after the name of the program. */
  readonly words: readonly string[];
  readonly cleanup: CleanupLink;
}

/** An error as it is printed. */
export interface ErrorReport {
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
  /** For --debug. */
  readonly stack: string;
}

/** What the thread of a command tells the main thread, in the order in which it is to happen. */
export type FromThread =
  | { readonly kind: "note" | "warn"; readonly text: string }
  | { readonly kind: "progress"; readonly stage: Parameters<Messages["progress"]> }
  | { readonly kind: "clear" }
  /** Results for standard output; answered with "written" when there is room for more. */
  | { readonly kind: "write"; readonly text: string | Uint8Array }
  /** Standard input is to be read. */
  | { readonly kind: "read" }
  | { readonly kind: "tell"; readonly text: string }
  /** A question to the person; answered with "answer". */
  | { readonly kind: "ask"; readonly question: string }
  | { readonly kind: "dismiss" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: ErrorReport };

export type ToThread =
  | { readonly kind: "written" }
  | { readonly kind: "answer"; readonly text: string | undefined }
  /** The run is being stopped: interrupt the query that the engine runs. */
  | { readonly kind: "stop" };
