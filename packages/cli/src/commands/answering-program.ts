import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CliError } from "../errors.ts";

/** The library's own program, built for modules that are exported (answering.ts). */
const bundle = fileURLToPath(new URL("./answering/answering.iife.js", import.meta.url));

/** The program that a module of trees carries. */
export function answeringProgram(): string {
  if (!existsSync(bundle))
    throw new CliError("not-available", "modules of trees are not part of this build of conformant-cli", {
      hint: "npm run build makes them",
    });
  return readFileSync(bundle, "utf8");
}
