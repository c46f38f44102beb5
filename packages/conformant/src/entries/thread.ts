/**
 * The program of a thread: whoever starts a worker with it, of Node or of a browser, may hand the worker to `createThreads`.
 *
 * @module
 */

import { helpThreads } from "../answers/help-threads.ts";
import type { HelperPort } from "../threads/help-with.ts";

/** A browser's worker hears messages itself, in Node the port to its parent does. */
interface WorkerScope extends HelperPort {
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => { readonly parentPort?: HelperPort | null } | undefined;
  };
}

const scope = globalThis as WorkerScope;
helpThreads(scope.process?.getBuiltinModule?.("node:worker_threads")?.parentPort ?? scope);
