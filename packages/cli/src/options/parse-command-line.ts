import { parseArgs } from "node:util";
import { CliError, listed, quoted, showable } from "../errors.ts";
import { closest } from "./closest.ts";
import type { Command, OptionSpec, Parsed } from "./command.ts";
import { globalOptions } from "./global-options.ts";

/** Checks the words after the name of a command. */
export function parseCommandLine(command: Command, words: readonly string[]): Parsed {
  const options = { ...command.options, ...globalOptions };
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, nodeOption(spec)])),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const spec = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (!spec) throw unknownOption(command, token.rawName, Object.keys(options));
    checkOption(command, token.name, spec, token.value);
    const before = spec.list ? values.get(token.name) : undefined;
    values.set(token.name, before === undefined ? (token.value ?? "") : `${before},${token.value}`);
  }
  if (!values.has("help")) checkPositionals(command, positionals);
  return { positionals, text: (name) => values.get(name), flag: (name) => values.has(name) };
}

function nodeOption({ takes, short }: OptionSpec): { type: "string" | "boolean"; short?: string } {
  return { type: takes ? "string" : "boolean", ...(short && { short }) };
}

function checkOption(command: Command, name: string, spec: OptionSpec, value: string | undefined): void {
  if (spec.takes && value === undefined) throw usage(command, `--${name} needs ${spec.takes} after it`);
  if (!spec.takes && value !== undefined)
    throw usage(command, `--${name} takes no value, got ${quoted(value)}`);
  if (spec.choices && value !== undefined && !spec.choices.includes(value)) {
    throw usage(command, `--${name} must be one of ${spec.choices.join(", ")}, got ${quoted(value)}`);
  }
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const needed = command.arguments.filter((name) => !name.endsWith("?"));
  if (positionals.length < needed.length) {
    throw usage(
      command,
      `${command.name} needs ${needed.join(" and ")}, got ${listed(positionals) || "nothing"}`,
    );
  }
  if (positionals.length > command.arguments.length && !command.arguments.at(-1)?.endsWith("...")) {
    const extra = positionals[command.arguments.length];
    throw usage(
      command,
      `${command.name} takes ${command.arguments.join(" and ") || "no arguments"}, got also ${quoted(extra)}`,
    );
  }
}

function unknownOption(command: Command, raw: string, known: readonly string[]): CliError {
  const near = closest(raw.replace(/^-+/, ""), known);
  return usage(command, `${command.name} has no option ${showable(raw)}`, near && `did you mean --${near}?`);
}

/** A wrong command line, with the way to the help. */
export function usage(command: Command | undefined, message: string, hint?: string): CliError {
  const help = `conformant ${command ? `${command.name} ` : ""}--help shows how it is called`;
  return new CliError("usage", message, { hint: hint ?? help });
}
