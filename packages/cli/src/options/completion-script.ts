import type { Command } from "./command.ts";
import { globalOptions } from "./global-options.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** A script that makes a shell complete commands, options, the words options take, and files. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  if (shell === "fish") return fishScript(commands);
  const bash = bashScript(commands);
  return shell === "bash" ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}

function bashScript(commands: readonly Command[]): string {
  const cases = commands.map(
    ({ name, options }) =>
      `    ${name}) words="${Object.keys({ ...options, ...globalOptions })
        .map((option) => `--${option}`)
        .join(" ")}" ;;`,
  );
  const choices = commands.flatMap(({ options }) =>
    Object.entries(options).flatMap(([option, { choices: list }]) =>
      list ? [`    --${option}) words="${list.join(" ")}"; current_is_value=1 ;;`] : [],
    ),
  );
  return [
    "_conformant() {",
    `  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words="" current_is_value=""`,
    `  case "\${COMP_WORDS[1]}" in`,
    ...cases,
    "  esac",
    '  case "$before" in',
    ...new Set(choices),
    "  esac",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${[...commands.map(({ name }) => name), "--help", "--version"].join(" ")}" -- "$current"))`,
    '  elif [ -n "$current_is_value" ] || [[ "$current" == -* ]]; then',
    '    COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "  else",
    '    COMPREPLY=($(compgen -f -- "$current"))',
    "  fi",
    "}",
    "complete -o filenames -F _conformant conformant",
  ].join("\n");
}

function fishScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c conformant -n "not __fish_seen_subcommand_from ${names}" -f -a ${name} -d ${quote(summary)}`,
    ...Object.entries({ ...options, ...globalOptions }).map(([option, { short, takes, choices, help }]) =>
      [
        `complete -c conformant -n "__fish_seen_subcommand_from ${name}" -l ${option}`,
        short ? `-s ${short}` : "",
        takes ? "-r" : "",
        choices ? `-f -a ${quote(choices.join(" "))}` : "",
        `-d ${quote(help)}`,
      ]
        .filter((part) => part !== "")
        .join(" "),
    ),
  ]);
  return lines.join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
