import type { Command } from "../options/command.ts";
import { runStudio, serve } from "./serve.ts";

const { port, host, open, "token-file": tokenFile, "behind-proxy": behindProxy } = serve.options;

export const studio: Command = {
  name: "studio",
  summary: "fit, evaluate and use models on a web page, in the browser",
  arguments: [],
  options: { port, host, open, "token-file": tokenFile, "behind-proxy": behindProxy },
  example: "conformant studio --open",
  staysOnMain: true,
  run: runStudio,
};
