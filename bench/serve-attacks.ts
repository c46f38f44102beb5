import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { attacks, MUTATED } from "../packages/cli/test/support/attacks.ts";
import { type Experience, quantile, standBy } from "../packages/cli/test/support/bystander.ts";
import { heapLeft, heapReporter, type LoadedServer, residentMemory, startServer } from "./support/load.ts";
import { type BenchRow, duration, markdownTable } from "./support/measure.ts";

const command = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const digits = fileURLToPath(new URL("../paper/digits/model.json", import.meta.url));
const attacker = fileURLToPath(new URL("../packages/cli/test/support/attacker.ts", import.meta.url));
/**
 * Seconds of each attack, and of its first turn, which brings the server to its level. Ten minutes of all kinds of questions:
 * `SECONDS=600 tsx bench/serve-attacks.ts "questions of every kind, left at random"`.
 */
const [SECONDS, FIRST_SECONDS] = [Number(process.env.SECONDS ?? 10), 2];
const ALONE_SECONDS = 10;
/** Milliseconds until what an attacker left behind is cleared away, and until the memory is looked at. */
const [QUIET_MS, IDLE_MS] = [2000, 10_000];
/** What another client is promised, in milliseconds at the 99th percentile. */
const PROMISE_MS = 100;
/** How many times its level the memory may be in the end: how full the heaps are differs from look to look. */
const MEMORY_RATIO = 1.15;

/** What another client meets with during each attack on a service of the digits, and what is left of the attacks. */
export async function benchServeAttacks(names = Object.keys(attacks)): Promise<BenchRow[]> {
  const server = await startServer([...heapReporter, command, "serve", digits, "--port", "0"]);
  try {
    for (const name of names) await attackFor(server, name, () => pause(1000 * FIRST_SECONDS));
    const before = await memoryOf(server);
    const rows = [await experience(server)];
    for (const name of names) rows.push(await experience(server, name));
    return [...rows, memoryRow(before, await memoryOf(server))];
  } finally {
    await server.stop();
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Does something while a process of its own attacks. */
async function attackFor<T>(
  server: LoadedServer,
  name: string,
  meanwhile: (child: ChildProcess) => Promise<T>,
): Promise<T> {
  const { port } = new URL(server.url);
  const words = ["--import", "tsx", attacker, port, name];
  const child = spawn(process.execPath, words, { stdio: ["pipe", "ignore", "pipe"] });
  await once(child.stderr, "data");
  const result = await meanwhile(child);
  child.stdin.on("error", () => undefined).end(); // it may have ended by itself
  if (child.exitCode === null) await once(child, "exit");
  await pause(QUIET_MS);
  return result;
}

async function experience(server: LoadedServer, name?: string): Promise<BenchRow> {
  const end = Date.now() + 1000 * (name === undefined ? ALONE_SECONDS : SECONDS);
  const stand = (child?: ChildProcess): ReturnType<typeof standBy> =>
    standBy(server.url, () => (name === MUTATED ? child?.exitCode === null : Date.now() < end));
  const { health, row } = name === undefined ? await stand() : await attackFor(server, name, stand);
  const failures = [...health.failures, ...row.failures];
  const met = failures.length === 0 && [health, row].every(({ times }) => quantile(times, 0.99) < PROMISE_MS);
  const answers = `${health.times.length + row.times.length} answers`;
  const failed = failures.length === 0 ? "none failed" : `${failures.length} failed: ${failures[0]}`;
  const result = {
    what: `another client during the attack: ${name ?? "nobody else"}`,
    ours: `health ${say(health)}; one row ${say(row)}; ${answers}, ${failed}`,
    peer: "–",
    ratio: "–",
    bar: `p99 under ${PROMISE_MS} ms, none failed`,
    met,
  };
  console.error(met ? "ok  " : "MISS", name ?? "nobody else", "|", result.ours);
  return result;
}

function say({ times }: Experience): string {
  const [median, most, longest] = [0.5, 0.99, 1].map((share) => duration(quantile(times, share)));
  return `p50 ${median}, p99 ${most}, longest ${longest}`;
}

interface Memory {
  /** MiB. */
  readonly heap: number;
  readonly resident: number;
}

async function memoryOf(server: LoadedServer): Promise<Memory> {
  await pause(IDLE_MS);
  const heap = await heapLeft(server);
  return { heap, resident: residentMemory(server.pid) };
}

function memoryRow(before: Memory, after: Memory): BenchRow {
  const write = ({ heap, resident }: Memory): string =>
    `${heap.toFixed(1)} MiB on the heap, ${resident.toFixed(0)} MiB resident`;
  const ratios = [after.heap / before.heap, after.resident / before.resident];
  return {
    what: "memory of the server that has met all attacks once, before and after the others",
    ours: `${write(before)}; ${write(after)}`,
    peer: "–",
    ratio: ratios.map((ratio) => `${ratio.toFixed(2)}×`).join(" and "),
    bar: `${MEMORY_RATIO}× or less`,
    met: ratios.every((ratio) => ratio <= MEMORY_RATIO),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = process.argv.slice(2);
  console.log(markdownTable(await benchServeAttacks(chosen.length > 0 ? chosen : undefined)));
}
