import { type Command, environmentName, type OptionSpec, type OptionSpecs } from "./command.ts";
import { globalOptions } from "./global-options.ts";

/** Width of a help line, and the column where descriptions of options begin. */
const [WIDTH, TEXT_AT] = [80, 28];

const TAGLINE = "Predictions from your classifier when some of its inputs are missing";

const DATA = [
  "DATA is a file (.csv .tsv .parquet .json .jsonl .xlsx), - for standard input, or a table in a database: duckdb:FILE#TABLE, sqlite:FILE#TABLE,",
  "postgres://HOST/DATABASE#TABLE or clickhouse://HOST/DATABASE#TABLE.",
].join(" ");

const EXIT_STATUSES: readonly (readonly [string, string])[] = [
  ["0", "success"],
  ["1", "invalid data or model, or a failure of the environment"],
  ["2", "invalid command line"],
  ["130, 143, 129", "stopped by Ctrl-C (SIGINT), SIGTERM or SIGHUP"],
];

/** Environment variables that do not set an option. */
const VARIABLES: readonly (readonly [string, string])[] = [
  [
    "CONFORMANT_MEMORY",
    "memory limit of the database engine, e.g. 2GB (default: a quarter of the machine's)",
  ],
  ["CONFORMANT_TOKEN", "bearer token that serve and studio ask for"],
  ["NO_COLOR", "print without color"],
];

/** The help of the program. */
export function programHelp(commands: readonly Command[]): string {
  const names = variables(commands).map(({ option }) => option);
  return [
    ...wrap(TAGLINE),
    "",
    "Usage:",
    "  conformant COMMAND [arguments] [options]",
    "",
    "Commands:",
    ...commands.flatMap(({ name, summary }) => item(name, summary, 14)),
    "",
    ...wrap(DATA),
    "",
    "Global options:",
    ...optionLines(globalOptions),
    "",
    "Environment:",
    ...item("CONFORMANT_OPTION", `default of an option, e.g. CONFORMANT_SEED=1: ${names.join(", ")}`),
    ...VARIABLES.flatMap(([name, text]) => item(name, text)),
    "",
    "Exit status:",
    ...EXIT_STATUSES.flatMap(([status, text]) => item(status, text)),
    "",
    "Examples:",
    "  conformant fit penguins.csv --label species -o penguins.json",
    "  conformant predict penguins.json new.csv",
    "",
    "Run conformant help COMMAND for the options of a command.",
  ].join("\n");
}

/** The help of one command, with a runnable example. */
export function commandHelp(command: Command): string {
  const data = command.arguments.some((name) => name.startsWith("DATA")) ? ["", ...wrap(DATA)] : [];
  return [
    ...wrap(sentence(command.summary)),
    "",
    "Usage:",
    ...wrap(usageLine(command), 2, 6),
    ...data,
    ...groupsOf({ ...command.options, ...globalOptions }).flatMap(({ group, options }) => [
      "",
      `${group}:`,
      ...optionLines(options),
    ]),
    "",
    command.example.includes("\n") ? "Examples:" : "Example:",
    ...command.example.split("\n").map((line) => `  ${line}`),
  ].join("\n");
}

/** The manual page of the program and all its commands, as man(7) source. */
export function manualPage(commands: readonly Command[], version: string): string {
  const entry = (left: string, text: string): string[] => [".TP", left, roff(text)];
  const option = ([name, spec]: [string, OptionSpec]): string[] => {
    const short = spec.short ? `\\fB\\-${spec.short}\\fR, ` : "";
    const takes = spec.takes ? ` \\fI${roff(spec.takes)}\\fR` : "";
    return entry(`${short}\\fB\\-\\-${roff(name)}\\fR${takes}`, describe(name, spec));
  };
  return [
    `.TH CONFORMANT 1 "" "conformant ${version}" "User Commands"`,
    ".nh",
    ".ad l",
    ".SH NAME",
    roff(`conformant - ${lowerFirst(TAGLINE)}`),
    ".SH SYNOPSIS",
    ".B conformant",
    "\\fICOMMAND\\fR [arguments] [options]",
    ".SH DESCRIPTION",
    roff(DATA),
    ".SH COMMANDS",
    ...commands.flatMap((command) => [
      `.SS ${roff(command.name)}`,
      roff(`${sentence(command.summary)}.`),
      ".PP",
      roff(usageLine(command)),
      ...Object.entries(command.options).flatMap(option),
      ".PP",
      "Example:",
      ".PP",
      ".nf",
      ".RS",
      ...command.example.split("\n").map(roff),
      ".RE",
      ".fi",
    ]),
    ".SH GLOBAL OPTIONS",
    ...Object.entries(globalOptions).flatMap(option),
    ".SH ENVIRONMENT",
    ...variables(commands).flatMap(({ option: name, used }) =>
      entry(`\\fB${environmentName(name)}\\fR`, `sets --${name} (${used.join(", ")})`),
    ),
    ...VARIABLES.flatMap(([name, text]) => entry(`\\fB${name}\\fR`, text)),
    ".SH EXIT STATUS",
    ...EXIT_STATUSES.flatMap(([status, text]) => entry(`\\fB${status}\\fR`, text)),
    "",
  ].join("\n");
}

/** The option reference of the documentation, in Markdown; `npm run options` writes it. */
export function referencePage(commands: readonly Command[]): string {
  const escaped = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
  const row = (left: string, text: string): string => `| ${left} | ${escaped(text)} |`;
  const table = (head: string, rows: readonly string[]): string[] => [
    `| ${head} | |`,
    "| --- | --- |",
    ...rows,
    "",
  ];
  const option = ([name, spec]: [string, OptionSpec]): string => {
    const words = [`--${name}`, ...(spec.takes ? [spec.takes] : [])].join(" ");
    return row(`${spec.short ? `\`-${spec.short}\`, ` : ""}\`${escaped(words)}\``, describe(name, spec));
  };
  return [
    "# Option reference",
    "",
    "Every command with its options. Generated from the option definitions by `npm run options`; the same text as `conformant help COMMAND`. [The guide](cli.md) shows what to use when.",
    "",
    ...commands.flatMap((command) => [
      `## ${command.name}`,
      "",
      `${sentence(command.summary)}.`,
      "",
      `    ${usageLine(command)}`,
      "",
      ...groupsOf(command.options).flatMap(({ group, options }) =>
        table(group, Object.entries(options).map(option)),
      ),
    ]),
    "## Global options",
    "",
    ...table("Options", Object.entries(globalOptions).map(option)),
    "## Environment",
    "",
    ...table("Variables", [
      ...variables(commands).map(({ option: name, used }) =>
        row(`\`${environmentName(name)}\``, `sets --${name} (${used.join(", ")})`),
      ),
      ...VARIABLES.map(([name, text]) => row(`\`${name}\``, text)),
    ]),
    "## Exit status",
    "",
    ...table(
      "Status",
      EXIT_STATUSES.map(([status, text]) => row(status, text)),
    ),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n")
    .replaceAll("\u00a0", " ");
}

/** Options that environment variables set, with their commands. */
function variables(
  commands: readonly Command[],
): { readonly option: string; readonly used: readonly string[] }[] {
  const own = commands.flatMap(({ name, options }) =>
    Object.entries(options).flatMap(([option, { environment }]) => (environment ? [{ option, name }] : [])),
  );
  const all = [
    ...Object.entries(globalOptions).flatMap(([option, { environment }]) =>
      environment ? [{ option, name: "all commands" }] : [],
    ),
    ...own,
  ];
  return [...new Set(all.map(({ option }) => option))].map((option) => ({
    option,
    used: all.filter((one) => one.option === option).map(({ name }) => name),
  }));
}

/** Options by heading; the common ones, which have none, come first. */
function groupsOf(options: OptionSpecs): { readonly group: string; readonly options: OptionSpecs }[] {
  const groups = new Map<string, Record<string, OptionSpec>>([["Options", {}]]);
  for (const [name, spec] of Object.entries(options)) {
    const group = spec.group ?? "Options";
    groups.set(group, { ...groups.get(group), [name]: spec });
  }
  return Array.from(groups, ([group, own]) => ({ group, options: own })).filter(
    ({ options: own }) => Object.keys(own).length > 0,
  );
}

function usageLine({ name, arguments: words, options }: Command): string {
  const written = (option: string): string => `--${option} ${options[option].takes}`;
  const required = Object.entries(options).flatMap(([option, { required: how }]) =>
    how === true ? [written(option)] : how ? [`(${written(option)} | ${written(how)})`] : [],
  );
  const places = words.map((word) => (word.endsWith("?") ? `[${word.slice(0, -1)}]` : word));
  const rest = Object.keys(options).length > 0 ? ["[options]"] : [];
  return ["conformant", name, ...places, ...required, ...rest].join(" ");
}

function optionLines(options: OptionSpecs): string[] {
  return Object.entries(options).flatMap(([name, spec]) => {
    const { short, takes } = spec;
    return item(
      `${short ? `-${short}, ` : "    "}--${name}${takes ? ` ${takes}` : ""}`,
      describe(name, spec),
    );
  });
}

/** The text of an option: its help, accepted values, variable and default. */
function describe(
  name: string,
  { help, takes = "", choices = [], initially, environment }: OptionSpec,
): string {
  const isListed = choices.every((choice) => help.includes(choice) || takes.split("|").includes(choice));
  return [
    isListed ? help : `${help}: ${choices.join(", ")}`,
    ...(environment ? [unbroken(`[env: ${environmentName(name)}]`)] : []),
    ...(initially === undefined ? [] : [unbroken(`(default: ${initially})`)]),
  ].join(" ");
}

/** Replaces spaces by ones that do not break, in texts that fit in a line. */
const BOUND = "\u00a0";

function unbroken(text: string): string {
  return text.length > 40 ? text : text.replaceAll(" ", BOUND);
}

/** A name with its text beside it, or below it where the name is long. */
function item(left: string, text: string, at = TEXT_AT): string[] {
  const lines = wrap(text, at);
  if (left.length + 3 <= at) return [`  ${left}`.padEnd(at) + lines[0].trimStart(), ...lines.slice(1)];
  return [...wrap(left, 2), ...lines];
}

/** Wraps a text at 80 characters; longer words stay whole. */
function wrap(text: string, indent = 0, further = indent): string[] {
  const lines: string[] = [];
  let line = " ".repeat(indent);
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      [line, isEmpty] = [" ".repeat(further), true];
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line].map((one) => one.replaceAll(BOUND, " "));
}

function sentence(summary: string): string {
  return `${summary[0].toUpperCase()}${summary.slice(1)}`;
}

function lowerFirst(text: string): string {
  return `${text[0].toLowerCase()}${text.slice(1)}`;
}

/** Escapes a text for roff, with hyphens that can be searched and copied. */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(BOUND, " ")
    .replaceAll("½", "\\[12]")
    .replaceAll("…", "...")
    .replace(/^(?=[.'])/, "\\&");
}
