import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attacks } from "../support/attacks.ts";
import { quantile, standBy } from "../support/bystander.ts";
import { type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const { folder: cwd } = new Workplace();
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SECONDS = 6;
/** What another client is promised, in milliseconds at the 99th percentile, beyond what it has to wait with nobody else there. */
const PROMISE_MS = 100;
/** MiB by which the memory of the process may differ after all attacks: what the system has not been given back. */
const LEFT_OVER = 400;
let served: Served;
let alone: { health: number; row: number };
let before: number;

beforeAll(async () => {
  served = await startServe([at("../../../playground/demo/model.json")], { cwd });
  await meet(2);
  alone = await meet(5);
  before = resident();
});
afterAll(() => served?.stop("SIGKILL"));

function resident(): number {
  const status = readFileSync(`/proc/${served.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The 99th percentiles of what another client meets with; it must always be answered. */
async function meet(seconds: number): Promise<{ health: number; row: number }> {
  const end = Date.now() + 1000 * seconds;
  const { health, row } = await standBy(served.url, () => Date.now() < end);
  expect([...health.failures, ...row.failures]).toEqual([]);
  return { health: quantile(health.times, 0.99), row: quantile(row.times, 0.99) };
}

test.each(Object.keys(attacks))("another client is answered in time during the attack: %s", async (name) => {
  const { port } = new URL(served.url);
  const attacker = spawn(process.execPath, ["--import", "tsx", at("../support/attacker.ts"), port, name], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  await once(attacker.stderr, "data");
  const met = await meet(SECONDS);
  attacker.stdin.end();
  await once(attacker, "exit");
  expect(met.health).toBeLessThan(PROMISE_MS + alone.health);
  expect(met.row).toBeLessThan(PROMISE_MS + alone.row);
});

test("memory returns to its level", async () => {
  await expect.poll(resident, { timeout: 60_000, interval: 1000 }).toBeLessThan(before + LEFT_OVER);
});
