import type { Command } from "../options/command.ts";
import { runStudio, serve } from "./serve.ts";

const { port, host, open, "token-file": tokenFile, "behind-proxy": behindProxy } = serve.options;

export const studio: Command = {
  name: "studio",
  summary: "a page to make a model from a file, see what it is worth, and use it; all in the browser",
  arguments: [],
  options: { port, host, open, "token-file": tokenFile, "behind-proxy": behindProxy },
  example: "conformant studio --open",
  staysOnMain: true,
  run: runStudio,
};
