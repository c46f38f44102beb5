import type { Command, OptionSpec, OptionSpecs } from "./command.ts";
import { globalOptions } from "./global-options.ts";

/** The help of the program. */
export function programHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "conformant: what a classifier is expected to answer when some of its inputs are unknown",
    "",
    "Usage:",
    "  conformant COMMAND …",
    "",
    "Commands:",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "DATA is a file (.csv .tsv .parquet .json .jsonl, also .gz), - for standard input,",
    'duckdb:FILE#TABLE, postgres://…#TABLE or clickhouse://…#TABLE; --sql "SELECT …" reads the result of a query instead.',
    "",
    "Example:",
    "  conformant fit penguins.csv --label species -o penguins.json",
    "  conformant predict penguins.json new.csv",
    "",
    "conformant COMMAND --help tells more about a command, conformant --version the version.",
  ].join("\n");
}

/** The help of one command, with an example that runs. */
export function commandHelp(command: Command): string {
  const words = command.arguments.map((name) => (name.endsWith("?") ? `[${name.slice(0, -1)}]` : name));
  return [
    `conformant ${command.name}: ${command.summary}`,
    "",
    "Usage:",
    `  conformant ${[command.name, ...words, "[options]"].join(" ")}`,
    "",
    "Options:",
    ...optionLines({ ...command.options, ...globalOptions }),
    "",
    "Example:",
    ...command.example.split("\n").map((line) => `  ${line}`),
  ].join("\n");
}

function optionLines(options: OptionSpecs): string[] {
  const entries = Object.entries(options).map(([name, spec]) => ({ left: leftOf(name, spec), spec }));
  const width = Math.max(...entries.map(({ left }) => left.length));
  return entries.map(({ left, spec }) => {
    const initially = spec.initially === undefined ? "" : ` (default ${spec.initially})`;
    return `  ${left.padEnd(width)}  ${spec.help}${initially}`;
  });
}

function leftOf(name: string, { short, takes }: OptionSpec): string {
  return `${short ? `-${short}, ` : "    "}--${name}${takes ? ` ${takes}` : ""}`;
}
