import { rmSync } from "node:fs";
import { sep } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { CliError, quoted } from "../errors.ts";
import { Gate } from "./gate.ts";

/** Milliseconds between two looks at whether a database has answered. */
const LOOK_MS = 10;

/** Files and folders that must not outlive the run, whatever ends it. */
const leftovers = new Set<string>();
/** Results that are complete, by the names they were given. */
const results = new Set<string>();
/** Results in databases, by how messages call them. */
const commits = new Map<string, CommitState>();

/** A finished file or folder, and what gives it the name of the result. */
export interface Result {
  readonly path: string;
  readonly target: string;
  readonly rename: () => void;
}

/** What happened to a file (it is about to be made, it is gone, or it has become a result), or to a result in a database. */
type Event =
  | { readonly made: string }
  | { readonly gone: string; readonly result?: string }
  | { readonly commit: string; readonly state: CommitState };

/** Whether the step that makes a result in a database visible has been asked for, has been done, or has failed. */
type CommitState = "asked" | "done" | "failed";

/** What is in the places that the run writes to. */
export interface WrittenResults {
  /** Results that are complete. */
  readonly complete: readonly string[];
  /** Results of which it is not known: a database has been asked to make them visible, and has not answered yet. */
  readonly unknown: readonly string[];
}

/** What a thread needs so that the main thread can clean up after it; it goes over with `ports`. */
export interface CleanupLink {
  readonly gate: SharedArrayBuffer;
  readonly events: MessagePort;
}

/** What breaks off the work of engines. */
const interrupts = new Set<() => void>();
let gate = new Gate();
/** In a thread: where events are told. On the main thread: where those of its thread arrive. */
let [told, heard]: (MessagePort | undefined)[] = [];

/** On the main thread: a link for the thread that runs the command. */
export function linkThread(): CleanupLink {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  heard = port1;
  return { gate: gate.memory, events: port2 };
}

/** In a thread: everything from now on is told to the main thread before it is done. */
export function joinLink({ gate: memory, events }: CleanupLink): void {
  gate = new Gate(memory);
  told = events;
}

/** Makes a file or folder that is to be removed at the end of the run. */
export function makeForNow<Made>(path: string, make: () => Made): Made {
  return gate.pass(() => {
    note({ made: path });
    return make();
  });
}

/** Gives finished files their names; all of them, or none where the run has been stopped. */
export function keepResults(files: readonly Result[]): void {
  gate.pass(() => {
    for (const { path, target, rename } of files) {
      rename();
      note({ gone: path, result: target });
    }
  });
}

/**
 * Does the one step after which a result is in its database. Once the run has been stopped it is not begun; one that was begun before is told of.
 *
 * @param name how messages call the result
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

/** Leaves a file alone that turned out to be another's. */
export function forget(path: string): void {
  note({ gone: path });
}

/** Removes one now. */
export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
  note({ gone: path });
}

/** Removes everything that was remembered; safe to call twice and from a signal. */
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

/** From now on no file is made and no result is committed any more. */
export function stopMaking(patience: number): void {
  gate.close(patience);
}

/** The results that are there, once making has been stopped. A database that was asked for one has so many milliseconds to answer. */
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
 * Calls an engine, which may work outside of this thread; refused once the run is stopped. A thread that is ended inside such a call
 * brings the process down, so whatever touches the engine is in one.
 */
export function callEngine<Result>(work: () => Promise<Result>): Promise<Result> {
  return gate.call(work);
}

/** The same for what the engine does at once. */
export function touchEngine<Result>(work: () => Result): Result {
  return gate.pass(work);
}

/** In a thread whose run is stopped: breaks off what engines are doing. */
export function interruptEngines(): void {
  if (gate.isBusy) for (const interrupt of interrupts) interrupt();
}

/** Calls `interrupt` when the run is stopped while an engine works; gives back what takes it away again. */
export function onStop(interrupt: () => void): () => void {
  interrupts.add(interrupt);
  return () => void interrupts.delete(interrupt);
}

/** Whether, after at most so many milliseconds, no engine is at work. */
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

/** Takes in what the thread has told. */
function hear(): void {
  if (!heard) return;
  for (let event = receiveMessageOnPort(heard); event; event = receiveMessageOnPort(heard))
    note(event.message as Event);
}
