import { TableError } from "conformant-workbench";
import { OF_TABLES } from "../frame/studio-texts.ts";
import type { Failure } from "./study-messages.ts";

/** Any thrown value in words for a person. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof TableError) return { message: thrown.message, hint: thrown.hint };
  if (thrown instanceof RangeError && /alloc|memory|length/i.test(thrown.message))
    return { message: OF_TABLES.noMemory, hint: OF_TABLES.tooLarge };
  const { name, message } = thrown instanceof Error ? thrown : { name: "", message: String(thrown) };
  if (name === "NotReadableError" || name === "NotFoundError") return { message: OF_TABLES.fileGone };
  return { message };
}

/** What went wrong and what may help, as sentences; what does not begin as one goes on with the other. */
export function sentencesOf({ message, hint = "" }: Failure): string {
  const [what, help] = [message, hint].map((text) => text.replace(/\.$/, ""));
  if (help === "") return `${what}.`;
  return `${what}${/^\p{Ll}/u.test(help) ? ";" : "."} ${help}.`;
}
