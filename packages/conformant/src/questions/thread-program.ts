import type { HelperPort } from "../threads/serve-parts.ts";
import { helpThreads } from "./thread-tasks.ts";

/** A browser's worker hears messages itself, in Node the port to its parent does. */
interface WorkerScope extends HelperPort {
  readonly process?: {
    readonly getBuiltinModule?: (name: string) => { readonly parentPort?: HelperPort | null } | undefined;
  };
}

const scope = globalThis as WorkerScope;

/** Where this thread hears what it is to do; it has begun to listen. */
export const port: HelperPort = scope.process?.getBuiltinModule?.("node:worker_threads")?.parentPort ?? scope;
helpThreads(port);
