export { helpThreads } from "../questions/thread-tasks.ts";
export { createThreads, type ThreadPort } from "../threads/create-threads.ts";
export type { HelperPort } from "../threads/serve-parts.ts";
export type { PartedWork, Parts, ThreadOptions, Threads } from "../threads/threads.ts";

/**
 * Work on several threads, which belong to the caller: workers of Node or of a browser.
 *
 * @module
 */
