/** An option: a flag, or one that takes a word. The parser, the help, the man page and the completion scripts are made from it. */
export interface OptionSpec {
  /** The name of the word it takes, e.g. FILE; without it the option is a flag. */
  readonly takes?: string;
  readonly short?: string;
  /** A noun phrase or an imperative; completion shows it up to the first semicolon. */
  readonly help: string;
  /** The heading of the help it stands under; without one it is among the common options, which come first. */
  readonly group?: string;
  /** The words it accepts; the help lists those that its text does not name. */
  readonly choices?: readonly string[];
  /** A list: every use of the option adds to it. Of any other option the last use counts. */
  readonly list?: boolean;
  /** The word names a file that the command writes. */
  readonly writes?: boolean;
  /** The default, shown in the help. */
  readonly initially?: string;
  /** The command needs this option: always, or unless the named one is given. */
  readonly required?: true | string;
  /**
   * What the option needs to have an effect. Each word is an option ("interval"), an option with a value ("to=sql") or an argument in
   * capitals ("MODEL"); one of them must be given.
   */
  readonly requires?: readonly string[];
  /** Options that cannot be combined with this one. */
  readonly excludes?: readonly string[];
  /** Can be set by an environment variable, see `environmentName`. */
  readonly environment?: boolean;
  /** The name the option had in the release before, which is still accepted. */
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

/** The words of a command line after the check: what stood without an option, and the options by name. */
export interface Parsed {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
  /** The option as messages name it: `--seed`, or `CONFORMANT_SEED` where the value comes from the environment. */
  readonly nameOf: (option: string) => string;
}

/** One command: how it is called and what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The words it takes, in order; a question mark at the end makes one optional, dots after the last one allow several. */
  readonly arguments: readonly string[];
  /** The words that the first argument accepts, for completion. */
  readonly argumentChoices?: readonly string[];
  readonly options: OptionSpecs;
  /** Command lines that run as they stand in a folder with the named files. */
  readonly example: string;
  /**
   * Stays on the main thread: a service, which has threads of its own and takes signals itself, or what is done in no time. Any other
   * command runs in a thread, which a signal ends whatever it is doing.
   */
  readonly staysOnMain?: boolean;
  readonly run: (parsed: Parsed, context: Context) => Promise<void>;
}

/** What a command needs of the outside world. */
export interface Context {
  /** Messages and progress for people, on standard error. */
  readonly messages: Messages;
  /** Results, on standard output. */
  readonly print: (text: string) => void;
  /** Who answers questions; asked for when there are some, and dismissed at their end. */
  readonly person: () => Person;
  /** Takes over the first signal to stop, for a command on the main thread that has something to finish. */
  readonly onInterrupt: (handler: () => void) => void;
}

/** Somebody to talk to. */
export interface Person {
  readonly tell: (text: string) => void;
  /** The answer to a question; undefined when no more will come. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly close: () => void;
}

export interface Messages {
  readonly quiet: boolean;
  /** A sentence of information. */
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
  /** Shows that something is going on, on a terminal only; `done` of `total` where both are known, and what has come of it so far. */
  readonly progress: (what: string, done?: number, total?: number, detail?: string) => void;
  /** Takes the progress line away. */
  readonly clear: () => void;
}
