export { port } from "../questions/thread-program.ts";

/**
 * The program of a thread: whoever starts a worker with it, of Node or of a browser, may hand the worker to `createThreads`.
 *
 * @module
 */
