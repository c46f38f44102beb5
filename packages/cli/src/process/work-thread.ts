// A thread that computes parts of the library's work.

import { parentPort, workerData } from "node:worker_threads";
import { type HelperPort, helpThreads } from "conformant/threads";
import { usePortableMath } from "conformant-workbench";
import type { ThreadStart } from "./work-threads.ts";

if ((workerData as ThreadStart).portable) usePortableMath();
helpThreads(parentPort as HelperPort);
