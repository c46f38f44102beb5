import { TableError } from "conformant-workbench";
import { CliError, quoted, systemError, toCliError } from "../../errors.ts";
import { callEngine } from "../../output/cleanup.ts";

/** DuckDB's error about a source as an error of the command: one line that names file, row and column if known. */
function duckdbError(thrown: unknown, name: string, headerLines: number): CliError {
  if (thrown instanceof CliError || thrown instanceof TableError) return toCliError(thrown);
  const { message } = systemError(thrown);
  const csv = /CSV Error on Line: (\d+)/.exec(message);
  if (csv) return csvError(message, Number(csv[1]), name, headerLines, thrown);
  if (/No space left/i.test(message)) {
    return new CliError("disk-full", `no space left on the device while reading ${quoted(name)}`, {
      hint: "set TMPDIR to a folder with more room",
      cause: thrown,
    });
  }
  if (/^Out of Memory/i.test(message)) {
    return new CliError("out-of-memory", `${quoted(name)} needs more memory than the engine may take`, {
      hint: "set CONFORMANT_MEMORY to a larger size, for example 4GB",
      cause: thrown,
    });
  }
  if (/state machine reached an invalid state/.test(message))
    return new CliError("csv", `${quoted(name)}: a quote or a line end is not as in the lines before`, {
      hint: "expected a quote at both ends of a field, doubled inside of it, and line ends of one kind",
      cause: thrown,
    });
  const code = /^(Parser|Binder|Catalog) Error/.test(message) ? "source" : "unreadable-file";
  return new CliError(code, `${quoted(name)}: ${countedFromOne(firstSentence(message))}`, { cause: thrown });
}

/** The engine counts the first line of JSON as the second. */
function countedFromOne(message: string): string {
  return message.replace(
    /(?<=^Malformed JSON .* in (?:line|record\/value) )\d+(?=: )/,
    (line) => `${Number(line) - 1}`,
  );
}

function csvError(
  message: string,
  line: number,
  name: string,
  headerLines: number,
  cause: unknown,
): CliError {
  const where = `${quoted(name)}, row ${line - headerLines} (line ${line})`;
  const fields = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(message);
  if (fields)
    return new CliError("csv", `${where}: expected ${fields[1]} fields, found ${fields[2]}`, { cause });
  if (/not utf-8|unicode/i.test(message)) {
    return new CliError("csv", `${where}: the file is not in UTF-8`, {
      hint: "say its encoding, for example --encoding latin-1",
      cause,
    });
  }
  if (/quote should be followed by|unterminated quote|value with unterminated/i.test(message))
    return new CliError("csv", `${where}: a quote is not closed, or is followed by text`, { cause });
  const [, reason = message] = /Original Line:.*\n([^\n]+)/.exec(message) ?? [];
  return new CliError("csv", `${where}: ${firstSentence(reason)}`, { cause });
}

/** The first line of an engine's message, without its error type. */
function firstSentence(message: string): string {
  const [line] = message.split("\n");
  return line.replace(/^[A-Z][\w ]* Error: /, "").trim();
}

/** Calls the engine and converts its errors. */
export type Guard = <T>(action: () => Promise<T>) => Promise<T>;

/** For a source of this name; the number of lines before the first row is computed only if an error needs it. */
export function guard(name: string, headerLines: () => number): Guard {
  return async (action) => {
    try {
      return await callEngine(action);
    } catch (thrown) {
      throw duckdbError(thrown, name, headerLines());
    }
  };
}
