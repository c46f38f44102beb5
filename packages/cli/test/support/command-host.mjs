// A process starts without the loaders of TypeScript and of programs in other languages, which the tests themselves are run by.
import { register as registerLoader } from "node:module";
import { register } from "tsx/esm/api";

register();
registerLoader("./program-text-loader.mjs", import.meta.url);
await import("./command-host.ts");
