import type { Command, OptionSpec } from "./command.ts";
import { globalOptions } from "./global-options.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A completion script for a shell: commands, options, their values, and files. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands);
}

/** The options of a command by name, with the global ones. */
function optionsOf({ options }: Command): [string, OptionSpec][] {
  return Object.entries({ ...options, ...globalOptions });
}

/** The description of an option in completion: its help up to the first semicolon. */
function briefly(help: string): string {
  return help.split("; ")[0];
}

/** Whether the value of an option is a file. */
function takesFile({ takes = "" }: OptionSpec): boolean {
  return /^(FILE|DATA|TABLE\|FOLDER)/.test(takes);
}

/**
 * For bash 3.2 and later. Bash splits `--to=js` into three words. Replies are read line by line, so that a file name with spaces stays one
 * reply; without any the shell completes file names itself, which also finds those with escaped characters.
 */
function bashScript(commands: readonly Command[]): string {
  const choices = commands.flatMap((command) =>
    optionsOf(command).flatMap(([option, { choices: words }]) =>
      words ? [`    ${command.name}:--${option}) words="${words.join(" ")}"; is_value=1 ;;`] : [],
    ),
  );
  return [
    "_conformant() {",
    `  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" is_value="" word`,
    '  if [ "$current" = "=" ]; then current=""',
    `  elif [ "$before" = "=" ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi`,
    `  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do`,
    '    case "$word" in -*) ;; *) command="$word"; break ;; esac',
    "  done",
    '  case "$command" in',
    `    "") words="${[...commands.map(({ name }) => name), ...Object.keys(globalOptions).map((name) => `--${name}`)].join(" ")}" ;;`,
    ...commands.map((command) => {
      const words = [...optionsOf(command).map(([name]) => `--${name}`), ...(command.argumentChoices ?? [])];
      const isValue = command.argumentChoices ? "; is_value=1" : "";
      return `    ${command.name}) words="${words.join(" ")}"${isValue} ;;`;
    }),
    "  esac",
    '  case "$command:$before" in',
    ...choices,
    "  esac",
    "  COMPREPLY=()",
    '  if [ -z "$command" ] || [ -n "$is_value" ] || [[ "$current" == -* ]]; then',
    '    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$words" -- "$current")',
    "  else",
    '    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")',
    "  fi",
    "}",
    "complete -o filenames -o bashdefault -o default -F _conformant conformant",
  ].join("\n");
}

/** Works both with eval and as a file `_conformant` in a folder of `fpath`. */
function zshScript(commands: readonly Command[]): string {
  const global = Object.entries(globalOptions).flatMap(([name, spec]) => zshOption(name, spec));
  return [
    "#compdef conformant",
    "_conformant() {",
    "  local curcontext=$curcontext state line",
    "  typeset -A opt_args",
    `  _arguments -C ${[...global, "':command:->command'", "'*::argument:->argument'"].join(" ")}`,
    "  case $state in",
    "    command)",
    "      local -a commands=(",
    ...commands.map(({ name, summary }) => `        ${quote(`${name}:${summary}`)}`),
    "      )",
    "      _describe command commands ;;",
    "    argument)",
    "      case $line[1] in",
    ...commands.flatMap((command) => {
      const places = command.argumentChoices
        ? [`'1:${command.arguments[0].replace("?", "")}:(${command.argumentChoices.join(" ")})'`]
        : command.arguments.length > 0
          ? ["'*:file:_files'"]
          : [];
      const specs = [...optionsOf(command).flatMap(([name, spec]) => zshOption(name, spec)), ...places];
      return [
        `        ${command.name})`,
        "          _arguments \\",
        ...specs.map((spec, i) => `            ${spec}${i < specs.length - 1 ? " \\" : " ;;"}`),
      ];
    }),
    "      esac ;;",
    "  esac",
    "}",
    `if [ "$funcstack[1]" = "_conformant" ]; then _conformant "$@"; else compdef _conformant conformant; fi`,
  ].join("\n");
}

function zshOption(name: string, spec: OptionSpec): string[] {
  const { short, takes, choices, list, help } = spec;
  const text = briefly(help).replace(/[[\]\\:]/g, "\\$&");
  const values = choices ? `(${choices.join(" ")})` : takesFile(spec) ? "_files" : " ";
  const value = takes ? `:${takes.replaceAll(":", "\\:")}:${values}` : "";
  const own = [...(short ? [`-${short}`] : []), `--${name}`];
  // Offer an option once unless it is a list, and not under its other name.
  const once = list ? "*" : own.length > 1 ? `(${own.join(" ")})` : "";
  return own.map((word) => {
    const separator = takes ? (word.startsWith("--") ? "=" : "+") : "";
    return quote(`${once}${word}${separator}[${text}]${value}`);
  });
}

function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const none = `-n "not __fish_seen_subcommand_from ${names}"`;
  const option = (when: string, [name, spec]: [string, OptionSpec]): string => {
    const { short, takes, choices, help } = spec;
    const values = choices ? ` -x -a ${quote(choices.join(" "))}` : takesFile(spec) ? " -r -F" : " -x";
    return `complete -c conformant ${when} -l ${name}${short ? ` -s ${short}` : ""}${takes ? values : ""} -d ${quote(briefly(help))}`;
  };
  return [
    ...commands.map(
      ({ name, summary }) => `complete -c conformant ${none} -f -a ${name} -d ${quote(summary)}`,
    ),
    ...Object.entries(globalOptions).map((one) => option(none, one)),
    ...commands.flatMap((command) => {
      const when = `-n "__fish_seen_subcommand_from ${command.name}"`;
      return [
        ...(command.argumentChoices
          ? [`complete -c conformant ${when} -f -a ${quote(command.argumentChoices.join(" "))}`]
          : command.arguments.length === 0
            ? [`complete -c conformant ${when} -f`]
            : []),
        ...optionsOf(command).map((one) => option(when, one)),
      ];
    }),
  ].join("\n");
}

/** A text in single quotes, as zsh and fish both read it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\"'\"'")}'`;
}
