import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { attacks } from "../packages/cli/test/support/attacks.ts";
import { quantile, standBy } from "../packages/cli/test/support/bystander.ts";
import { heapLeft, heapReporter, residentMemory, startServer } from "./load.ts";
import { type BenchRow, duration, markdownTable } from "./measure.ts";

const command =
  process.env.COMMAND ?? fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const digits = fileURLToPath(new URL("../packages/playground/demo/model.json", import.meta.url));
const attacker = fileURLToPath(new URL("../packages/cli/test/support/attacker.ts", import.meta.url));
/** Seconds of each attack; of the soak, 600 of them: `SECONDS=600 tsx bench/serve-attacks.ts "questions of every kind, left at random"`. */
const SECONDS = Number(process.env.SECONDS ?? 10);
const [ALONE_SECONDS, QUIET_MS] = [10, 2000];
/** What another client is promised, in milliseconds at the 99th percentile. */
const PROMISE_MS = 100;

/** What another client meets with during each attack on a service of the digits. */
export async function benchServeAttacks(names = Object.keys(attacks)): Promise<BenchRow[]> {
  const server = await startServer([...heapReporter, command, "serve", digits, "--port", "0"]);
  const rows: BenchRow[] = [];
  await fetch(`${server.url}/predict`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"row":{}}`,
  });
  const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
  try {
    await pause(QUIET_MS);
    const before = await memoryOf();
    rows.push(await measure("nobody else"));
    for (const name of names) rows.push(await measure(name));
    await pause(5 * QUIET_MS);
    const after = await memoryOf();
    rows.push({
      what: "memory of the server, before and after all attacks",
      ours: `${before} and ${after}`,
      peer: "–",
      ratio: "–",
      bar: "–",
      met: true,
    });
  } finally {
    await server.stop();
  }
  return rows;

  async function memoryOf(): Promise<string> {
    const heap = await heapLeft(server);
    return `${heap.toFixed(1)} MiB heap, ${residentMemory(server.pid).toFixed(0)} MiB resident`;
  }

  async function measure(name: string): Promise<BenchRow> {
    const { port } = new URL(server.url);
    const child = Object.hasOwn(attacks, name)
      ? spawn(process.execPath, ["--import", "tsx", attacker, port, name], {
          stdio: ["pipe", "ignore", "pipe"],
        })
      : undefined;
    if (child) await once(child.stderr, "data");
    const end = Date.now() + 1000 * (child ? SECONDS : ALONE_SECONDS);
    const { health, row } = await standBy(server.url, () => Date.now() < end);
    const resident = residentMemory(server.pid);
    if (child) {
      child.stdin.end();
      await once(child, "exit");
      await pause(QUIET_MS);
    }
    const say = (times: readonly number[]): string =>
      `p50 ${duration(quantile(times, 0.5))}, p99 ${duration(quantile(times, 0.99))}, most ${duration(quantile(times, 1))}`;
    const failures = [...health.failures, ...row.failures];
    const line = {
      what: name,
      ours: `health ${say(health.times)}; one row ${say(row.times)}; ${health.times.length + row.times.length} answers, ${failures.length} failures ${failures[0] ?? ""}; ${resident.toFixed(0)} MiB`,
      peer: "–",
      ratio: "–",
      bar: `p99 under ${PROMISE_MS} ms, no failure`,
      met:
        failures.length === 0 &&
        quantile(health.times, 0.99) < PROMISE_MS &&
        quantile(row.times, 0.99) < PROMISE_MS,
    };
    console.error(line.met ? "ok  " : "MISS", name, "|", line.ours);
    return line;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = process.argv.slice(2);
  console.log(markdownTable(await benchServeAttacks(chosen.length > 0 ? chosen : undefined)));
}
