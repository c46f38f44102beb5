// A worker that shares the library's work on a fit with the one that asks.

import { type HelperPort, helpThreads } from "conformant/threads";
import { usePortableMath } from "conformant-workbench";

usePortableMath(); // as who asks does
helpThreads(globalThis as HelperPort);
postMessage("ready");
