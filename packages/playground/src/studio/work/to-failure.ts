import { TableError } from "conformant-workbench";
import { OF_TABLES } from "../texts.ts";
import type { Failure } from "./messages.ts";

/** Any thrown value in words for a person. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof TableError) return { message: thrown.message, hint: thrown.hint };
  if (thrown instanceof RangeError && /alloc|memory|length/i.test(thrown.message))
    return { message: OF_TABLES.noMemory, hint: OF_TABLES.tooLarge };
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  if (name === "NotReadableError" || name === "NotFoundError") return { message: OF_TABLES.fileGone };
  return { message };
}

/** What went wrong and what may help, as sentences. */
export function sentencesOf({ message, hint }: Failure): string {
  return [message, hint ?? ""].map((text) => text && `${text.replace(/\.$/, "")}.`).join(" ");
}
