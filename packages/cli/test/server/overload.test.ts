import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attacks, MUTATED } from "../support/attacks.ts";
import { standBy } from "../support/bystander.ts";
import { type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const { folder: cwd } = new Workplace();
const digits = fileURLToPath(new URL("../../../../paper/digits/model.json", import.meta.url));
const ATTACK_MS = 700;
const PATIENT = { timeout: 30_000 };
let served: Served;

beforeAll(async () => {
  served = await startServe([digits, "--time-limit", "60"], { cwd });
});
afterAll(() => served?.stop("SIGKILL"));

/** The gauges of the server, by name. */
async function gauges(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${served.url}/metrics`)).text();
  return new Map(
    Array.from(text.matchAll(/^conformant_(\S+) (\S+)$/gm), ([, name, value]) => [name, Number(value)]),
  );
}

// The slow tests run all of them for longer, and measure.
test.each([
  "60 kB of {} lines",
  "5,000 rows in a body",
  "an 8 MB line, then single bytes",
  "64 streams with a newline now and then",
  "200 abandoned requests",
  "abandoned batches",
  "\\u0073ure",
  "a chunk per byte",
  "answers that nobody reads",
  "requests in a row on one connection",
  MUTATED,
])("another client is answered during the attack: %s", { timeout: 120_000 }, async (name) => {
  const stop = new AbortController();
  const attack = attacks[name](Number(new URL(served.url).port), stop.signal);
  const end = Date.now() + ATTACK_MS;
  const { health, row } = await standBy(served.url, () => Date.now() < end);
  stop.abort();
  await attack;
  expect([...health.failures, ...row.failures]).toEqual([]);
  expect(Math.min(health.times.length, row.times.length)).toBeGreaterThan(0);
});

test("when the attackers have left, nothing is held for them", { timeout: 60_000 }, async () => {
  const held = [
    "requests_running",
    "streams_running",
    "body_bytes",
    "threads_busy",
    'queue_length{pace="long"}',
  ];
  await expect
    .poll(async () => {
      const now = await gauges();
      return held.map((name) => now.get(name));
    }, PATIENT)
    .toEqual(held.map(() => 0));
  expect((await fetch(`${served.url}/ready`)).status).toBe(200);
});

test("refusals and departures are counted", async () => {
  const text = await (await fetch(`${served.url}/metrics`)).text();
  expect(text).toMatch(/^conformant_refused_total\{reason="too-many-requests"\} [1-9]/m);
  expect(text).toMatch(/^conformant_aborted_total [1-9]/m);
  expect(text).toMatch(/^conformant_requests_total\{route="\/explain",status="499"\} [1-9]/m);
  expect(text).toMatch(/^conformant_request_seconds_bucket\{le="\+Inf"\} \d+$/m);
  expect(text).toMatch(/^conformant_memory_bytes\{kind="resident"\} \d+$/m);
});
