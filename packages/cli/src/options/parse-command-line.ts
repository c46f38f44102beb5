import { parseArgs } from "node:util";
import { CliError, listed, quoted, showable } from "../errors.ts";
import { closest } from "./closest.ts";
import {
  type Command,
  environmentName,
  isOn,
  type OptionSpec,
  type OptionSpecs,
  type Parsed,
} from "./command.ts";
import { globalOptions } from "./global-options.ts";

/** Where options are set besides the command line. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Parses and checks a command line. */
export function parseCommandLine(
  command: Command,
  words: readonly string[],
  environment: Environment = process.env,
): Parsed {
  const options = { ...command.options, ...globalOptions };
  const names = new Map(Object.entries(options).map(([name, { formerly = name }]) => [formerly, name]));
  const { tokens, positionals } = parseArgs({
    args: expandShares(words, options),
    options: Object.fromEntries(
      Object.entries(options).flatMap(([name, spec]) => [
        [name, nodeOption(spec)],
        ...(spec.formerly ? [[spec.formerly, nodeOption({ ...spec, short: "" })]] : []),
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const name = names.get(token.name) ?? token.name;
    const spec = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!spec) throw unknownOption(command, token.rawName, Object.keys(options));
    checkOption(command, `--${name}`, spec, token.value);
    const before = spec.list ? values.get(name) : undefined;
    values.set(name, before === undefined ? (token.value ?? "") : `${before},${token.value}`);
  }
  if (!values.has("help") && !values.has("version")) {
    checkPositionals(command, positionals);
    checkTogether(command, values, positionals);
  }
  const defaults = readEnvironment(command, options, environment);
  return {
    positionals,
    text: (name) => values.get(name) ?? defaults.get(name),
    flag: (name) => values.has(name) || defaults.has(name),
    nameOf: (name) => (!values.has(name) && defaults.has(name) ? environmentName(name) : `--${name}`),
  };
}

/** Turns "--interval 0.9" into "--interval --level 0.9", where an option says that a share after it is the value of another. */
function expandShares(words: readonly string[], options: OptionSpecs): string[] {
  const isShare = (word: string | undefined): boolean => /^0?\.\d+$/.test(word ?? "");
  const end = words.indexOf("--");
  return words.flatMap((word, i) => {
    const [name, value] = word.startsWith("--") ? word.slice(2).split("=", 2) : [];
    const other = name !== undefined && Object.hasOwn(options, name) ? options[name].shareOf : undefined;
    if (other === undefined || (end >= 0 && i > end)) return [word];
    if (value !== undefined) return [`--${name}`, `--${other}=${value}`];
    return isShare(words[i + 1]) ? [word, `--${other}`] : [word];
  });
}

function nodeOption({ takes, short }: OptionSpec): { type: "string" | "boolean"; short?: string } {
  return { type: takes ? "string" : "boolean", ...(short && { short }) };
}

function checkOption(command: Command, name: string, spec: OptionSpec, value: string | undefined): void {
  if (spec.takes && value === undefined) throw usage(command, `${name} requires ${spec.takes} after it`);
  if (!spec.takes && value !== undefined)
    throw usage(command, `${name} takes no value, got ${quoted(value)}`);
  if (spec.choices && value !== undefined && !spec.choices.includes(value)) {
    const near = closest(value, spec.choices);
    throw usage(
      command,
      `${name} must be one of ${spec.choices.join(", ")}, got ${quoted(value)}`,
      near && `did you mean ${near}?`,
    );
  }
}

/** Options from environment variables; an empty value counts as unset, except for lists, where it is the empty list. */
function readEnvironment(
  command: Command,
  options: OptionSpecs,
  environment: Environment,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, spec] of Object.entries(options)) {
    const value = spec.environment ? environment[environmentName(name)] : undefined;
    if (value === undefined || (value === "" && !spec.list)) continue;
    if (!spec.takes && !isOn(value)) continue;
    if (spec.takes) checkOption(command, environmentName(name), spec, value);
    values.set(name, value);
  }
  return values;
}

/** Throws for an option that is missing, has no effect, or contradicts another one. */
function checkTogether(
  command: Command,
  values: ReadonlyMap<string, string>,
  positionals: readonly string[],
): void {
  const { options } = command;
  const written = (name: string): string => {
    const { takes, choices } = options[name];
    return `--${name}${takes ? ` ${choices?.join("|") ?? takes}` : ""}`;
  };
  const isGiven = (word: string): boolean => {
    const [name, value] = word.split("=");
    const at = command.arguments.findIndex((argument) => argument.replace("?", "") === name);
    if (at >= 0) return positionals.length > at;
    return values.has(name) && (value === undefined || values.get(name) === value);
  };
  for (const [name, { required, requires, excludes }] of Object.entries(options)) {
    if (required && !values.has(name) && (required === true || !values.has(required))) {
      const either = required === true ? "" : ` or ${written(required)}`;
      throw usage(command, `${command.name} requires ${written(name)}${either}`);
    }
    if (!values.has(name)) continue;
    if (requires && !requires.some(isGiven)) {
      const needed = requires.map((word) => {
        const [option, value] = word.split("=");
        return value ? `--${option} ${value}` : options[option] ? written(option) : option;
      });
      const only = requires.length === 1 ? options[requires[0]] : undefined;
      const hint = only && `${needed[0]}: ${only.help}`;
      throw usage(command, `--${name} requires ${needed.join(" or ")}`, hint);
    }
    const other = excludes?.find((word) => values.has(word));
    if (other) throw usage(command, `--${name} cannot be combined with --${other}`);
  }
}

function checkPositionals(command: Command, positionals: readonly string[]): void {
  const needed = command.arguments.filter((name) => !name.endsWith("?"));
  if (positionals.length < needed.length) {
    throw usage(
      command,
      `${command.name} requires ${needed.join(" and ")}, got ${listed(positionals) || "nothing"}`,
    );
  }
  if (positionals.length > command.arguments.length && !command.arguments.at(-1)?.endsWith("...")) {
    const extra = positionals[command.arguments.length];
    throw usage(
      command,
      `${command.name} takes ${command.arguments.map((name) => name.replace("?", "")).join(" and ") || "no arguments"}, got also ${quoted(extra)}`,
    );
  }
}

function unknownOption(command: Command, raw: string, known: readonly string[]): CliError {
  const near = closest(raw.replace(/^-+/, ""), known);
  return usage(command, `${command.name} has no option ${showable(raw)}`, near && `did you mean --${near}?`);
}

/** An error about the command line, with a pointer to the help. */
export function usage(command: Command, message: string, hint?: string): CliError {
  return new CliError("usage", message, { hint: hint || `see conformant ${command.name} --help` });
}
