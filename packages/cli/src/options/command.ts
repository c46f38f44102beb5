/** An option: a flag, or one with a value. The parser, the help, the man page and the completion scripts are generated from it. */
export interface OptionSpec {
  /** The placeholder of its value, such as FILE; absent for a flag. */
  readonly takes?: string;
  readonly short?: string;
  /** A noun phrase or an imperative; completion shows it up to the first semicolon. */
  readonly help: string;
  /** The heading in the help; common options have none and come first. */
  readonly group?: string;
  /** The accepted values; the help lists those that its text does not name. */
  /** The option that a share between 0 and 1 right after this one is the value of. */
  readonly shareOf?: string;
  readonly choices?: readonly string[];
  /** A list: every use adds values. For other options the last use counts. */
  readonly list?: boolean;
  /** Its value is a file that the command writes. */
  readonly writes?: boolean;
  /** The default, shown in the help. */
  readonly initially?: string;
  /** The command needs this option: always, or unless the named one is given. */
  readonly required?: true | string;
  /**
   * What the option needs to have an effect: options ("interval"), options with a value ("to=sql") or arguments ("MODEL"), of which one
   * must be given.
   */
  readonly requires?: readonly string[];
  /** Options that cannot be combined with this one. */
  readonly excludes?: readonly string[];
  /** Can be set by an environment variable, see `environmentName`. */
  readonly environment?: boolean;
  /** Its name in the previous release, still accepted. */
  readonly formerly?: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** Options under one heading of the help. */
export function grouped<Specs extends OptionSpecs>(group: string, options: Specs): Specs {
  return Object.fromEntries(
    Object.entries(options).map(([name, spec]) => [name, { ...spec, group }]),
  ) as Specs;
}

/** The environment variable that sets an option: CONFORMANT_ and its name in capitals. */
export function environmentName(option: string): string {
  return `CONFORMANT_${option.toUpperCase().replaceAll("-", "_")}`;
}

/** Whether the value of an environment variable switches a flag on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false", "no", "off"].includes(value.toLowerCase());
}

/** A checked command line: arguments, and options by name. */
export interface Parsed {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  /** The option as messages name it: `--seed`, or `CONFORMANT_SEED` where the environment sets it. */
  readonly nameOf: (option: string) => string;
}

/** A command: its arguments, options and action. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Its arguments in order; "?" at the end makes one optional, "…" allows several. */
  readonly arguments: readonly string[];
  /** The accepted first arguments, for completion. */
  readonly argumentChoices?: readonly string[];
  readonly options: OptionSpecs;
  /** Example commands that run in a folder with the named files. */
  readonly example: string;
  /**
   * Runs on the main thread: a service, which has its own threads and handles signals, or a command that ends at once. Any other command
   * runs in a thread, so that a signal can end it at any time.
   */
  readonly staysOnMain?: boolean;
  readonly run: (parsed: Parsed, context: Context) => Promise<void>;
}

/** What a command uses of its environment. */
export interface Context {
  /** Messages and progress, on standard error. */
  readonly messages: Messages;
  /** Results, on standard output. */
  readonly print: (text: string) => void;
  /** The user who answers questions; opened on demand and closed at the end. */
  readonly person: () => Person;
  /** Handles the first stop signal, for a command on the main thread that has to finish something. */
  readonly onInterrupt: (handler: () => void) => void;
}

/** The user at the terminal. */
export interface Person {
  readonly tell: (text: string) => void;
  /** The answer to a question; undefined at the end of input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export interface Messages {
  readonly quiet: boolean;
  /** A sentence of information. */
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Shows progress, on a terminal only: `done` of `total` where both are known, and an intermediate result. */
  readonly progress: (what: string, done?: number, total?: number, detail?: string) => void;
  /** Clears the progress line. */
  readonly clear: () => void;
}
