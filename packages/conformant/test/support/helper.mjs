// A thread starts without the loader of TypeScript, which the tests themselves are run by.
import { parentPort } from "node:worker_threads";
import { register } from "tsx/esm/api";

register();
await import("../../src/entries/thread.ts");
parentPort.postMessage("ready");
