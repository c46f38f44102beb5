/** What an option takes: nothing (a flag) or one word, named as in the help. */
export interface OptionSpec {
  /** The name of the word it takes, e.g. FILE; without it the option is a flag. */
  readonly takes?: string;
  readonly short?: string;
  readonly help: string;
  /** The words it can take, for completion and for the check. */
  readonly choices?: readonly string[];
  /** A list: given again, it goes on; of any other option the last one counts. */
  readonly list?: boolean;
  /** The word names a file that the command makes. */
  readonly writes?: boolean;
  /** Shown in the help. */
  readonly initially?: string;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The words of a command line after the check: what stood without an option, and the options by name. */
export interface Parsed {
  readonly positionals: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly flag: (option: string) => boolean;
}

/** One command: how it is called and what it does. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The words it takes, in order; a question mark at the end makes one optional, dots after the last one allow several. */
  readonly arguments: readonly string[];
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
