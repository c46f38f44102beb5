import { rmSync } from "node:fs";
import { sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { CliError, quoted } from "../errors.ts";
import { Gate } from "./gate.ts";

/** Milliseconds between two checks whether a database has answered. */
const LOOK_MS = 10;

/** Temporary files and folders, which are removed however the run ends. */
const leftovers = new Set<string>();
/** Complete result files, by name. */
const results = new Set<string>();
/** Results in databases, by the name that messages use. */
const commits = new Map<string, CommitState>();

/** A finished file or folder, and the function that renames it to its final name. */
export interface Result {
  readonly path: string;
  readonly target: string;
  readonly rename: () => void;
}

/** What happened to a file (about to be created, removed, or renamed to a result), or to a result in a database. */
type Event =
  | { readonly made: string }
  | { readonly gone: string; readonly result?: string }
  | { readonly commit: string; readonly state: CommitState };

/** Whether the commit of a result in a database has been requested, is done, or has failed. */
type CommitState = "asked" | "done" | "failed";

/** The state of everything that the run writes. */
export interface WrittenResults {
  /** Complete results. */
  readonly complete: readonly string[];
  /** Results in an unknown state: the database was asked to commit and has not answered yet. */
  readonly unknown: readonly string[];
}

/** What a thread needs so that the main thread can clean up after it. `ports` are transferred with it. */
export interface CleanupLink {
  readonly gate: SharedArrayBuffer;
  readonly events: MessagePort;
}

/** Functions that interrupt running queries. */
const interrupts = new Set<() => void>();
let gate = new Gate();
/** In a thread: where events are reported. On the main thread: where the events of its thread arrive. */
let [told, heard]: (MessagePort | undefined)[] = [];

/** On the main thread: creates the connection to the thread that runs the command. */
export function linkThread(): CleanupLink {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  heard = port1;
  return { gate: gate.memory, events: port2 };
}

/** In a thread: from now on every event is reported to the main thread before it happens. */
export function joinLink({ gate: memory, events }: CleanupLink): void {
  gate = new Gate(memory);
  told = events;
}

/** Creates a file or folder that is removed at the end of the run. */
export function makeForNow<Made>(path: string, make: () => Made): Made {
  return gate.pass(() => {
    note({ made: path });
    return make();
  });
}

/** Renames finished files to their final names: all of them, or none where the run was stopped. */
export function keepResults(files: readonly Result[]): void {
  gate.pass(() => {
    for (const { path, target, rename } of files) {
      rename();
      note({ gone: path, result: target });
    }
  });
}

/**
 * Commits a result in its database. After the run was stopped no commit starts; one that had started is reported.
 *
 * @param name the result as messages call it
 */
export async function commitResult(name: string, commit: () => Promise<unknown>): Promise<void> {
  gate.pass(() => note({ commit: name, state: "asked" }));
  try {
    await commit();
  } catch (thrown) {
    note({ commit: name, state: "failed" });
    if (!(thrown instanceof CliError && thrown.code === "connection")) throw thrown;
    throw new CliError(thrown.code, `${thrown.message}; ${name} may have been written`, {
      hint: "run it again to be sure",
      cause: thrown,
    });
  }
  note({ commit: name, state: "done" });
}

/** Forgets a file that belongs to another process. */
export function forget(path: string): void {
  note({ gone: path });
}

/** Removes a file or folder now. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  note({ gone: path });
}

/** Removes all temporary files and folders. Safe to call twice and from a signal handler. */
export function removeLeftovers(): void {
  hear();
  for (const path of leftovers) {
    try {
      remove(path);
    } catch {
      leftovers.delete(path); // nothing more can be done at the end of the run
    }
  }
}

/** From now on no file is created and no result is committed. */
export function stopMaking(patience: number): void {
  gate.close(patience);
}

/** The results that exist once the run was stopped. A database that was asked to commit has this many milliseconds to answer. */
export async function writtenResults(patience: number): Promise<WrittenResults> {
  const named = (state: CommitState): string[] =>
    Array.from(commits).flatMap(([name, own]) => (own === state ? [name] : []));
  for (const end = performance.now() + patience; ; await wait(LOOK_MS)) {
    hear();
    if (named("asked").length === 0 || performance.now() > end) break;
  }
  const temporary = (path: string): boolean => [...leftovers].some((folder) => path.startsWith(folder + sep));
  const files = [...results].filter((path) => !temporary(path)).map(quoted);
  return { complete: [...files, ...named("done")], unknown: named("asked") };
}

/**
 * Calls an engine, which may work outside this thread; refused once the run was stopped. Ending a thread inside such a call crashes the
 * process, so every use of the engine goes through this function.
 */
export function callEngine<Result>(work: () => Promise<Result>): Promise<Result> {
  return gate.call(work);
}

/** The same for synchronous calls. */
export function touchEngine<Result>(work: () => Result): Result {
  return gate.pass(work);
}

/** In a thread whose run was stopped: interrupts running queries. */
export function interruptEngines(): void {
  if (gate.isBusy) for (const interrupt of interrupts) interrupt();
}

/** Calls `interrupt` if the run is stopped while an engine works. Returns a function that removes the callback. */
export function onStop(interrupt: () => void): () => void {
  interrupts.add(interrupt);
  return () => void interrupts.delete(interrupt);
}

/** Whether all engines are idle within this many milliseconds. */
export function enginesRest(patience: number): Promise<boolean> {
  return gate.isQuiet(patience);
}

function note(event: Event): void {
  if ("commit" in event) commits.set(event.commit, event.state);
  else if ("made" in event) leftovers.add(event.made);
  else {
    leftovers.delete(event.gone);
    if (event.result !== undefined) results.add(event.result);
  }
  told?.postMessage(event);
}

/** Processes the events that the thread has reported. */
function hear(): void {
  if (!heard) return;
  for (let event = receiveMessageOnPort(heard); event; event = receiveMessageOnPort(heard))
    note(event.message as Event);
}
