import { rmSync } from "node:fs";
import { sep } from "node:path";
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { Gate } from "./gate.ts";

/** Files and folders that must not outlive the run, whatever ends it. */
const leftovers = new Set<string>();
/** Results that are complete, by the names they were given. */
const results = new Set<string>();

/** A finished file or folder, and what gives it the name of the result. */
export interface Result {
  readonly path: string;
  readonly target: string;
  readonly rename: () => void;
}

/** What happened to a file: it is about to be made, it is gone, or it has become a result. */
type Event = { readonly made: string } | { readonly gone: string; readonly result?: string };

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

/** From now on no file is made any more; gives back the results that are there already. */
export function stopMaking(patience: number): readonly string[] {
  gate.close(patience);
  hear();
  const temporary = (path: string): boolean => [...leftovers].some((folder) => path.startsWith(folder + sep));
  return [...results].filter((path) => !temporary(path));
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
  if ("made" in event) leftovers.add(event.made);
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
