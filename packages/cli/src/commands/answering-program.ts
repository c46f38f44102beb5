import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CliError } from "../errors.ts";

/** The library's own code, built for exported modules (answering.ts). */
const bundle = fileURLToPath(new URL("./answering/answering.iife.js", import.meta.url));

/** The code that an exported module of trees contains. */
export function answeringProgram(): string {
  if (!existsSync(bundle))
    throw new CliError("not-available", "modules of trees are not part of this build of conformant-cli", {
      hint: "run npm run build",
    });
  return readFileSync(bundle, "utf8");
}
