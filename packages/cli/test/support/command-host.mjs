// A process starts without the loader of TypeScript, which the tests themselves are run by.
import { register } from "tsx/esm/api";

register();
await import("./command-host.ts");
