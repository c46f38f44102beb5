// An import of a program in another language is its text, as in builds (packages/workbench/program-texts.ts).
import { readFile } from "node:fs/promises";

export async function load(url, context, next) {
  if (!/[.](?:py|R)$/.test(url)) return next(url, context);
  const text = await readFile(new URL(url), "utf8");
  return { format: "module", shortCircuit: true, source: `export const text = ${JSON.stringify(text)};` };
}
