import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { attacks, MUTATED } from "../support/attacks.ts";
import { standBy } from "../support/bystander.ts";
import { type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const { folder: cwd } = new Workplace();
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Of an attack, and of each when all of them come once more. */
const [SECONDS, AGAIN_SECONDS] = [6, 2];
/** How many times its level the memory may be when all is over: how full the heaps are differs from look to look. */
const MEMORY_RATIO = 1.15;
let served: Served;

beforeAll(async () => {
  served = await startServe([at("../../../../paper/digits/model.json")], { cwd });
});
afterAll(() => served?.stop("SIGKILL"));

/** MiB. */
function resident(): number {
  const status = readFileSync(`/proc/${served.process.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Attacks from another process and address; another client must be answered all the time. `bench/serve-attacks.ts` takes the times. */
async function attack(name: string, seconds: number): Promise<void> {
  const { port } = new URL(served.url);
  const words = ["--import", "tsx", at("../support/attacker.ts"), port, name];
  const attacker = spawn(process.execPath, words, { stdio: ["pipe", "ignore", "pipe"] });
  await once(attacker.stderr, "data");
  const end = Date.now() + 1000 * seconds;
  const { health, row } = await standBy(served.url, () =>
    name === MUTATED ? attacker.exitCode === null : Date.now() < end,
  );
  attacker.stdin.on("error", () => undefined).end(); // it may have ended by itself
  if (attacker.exitCode === null) await once(attacker, "exit");
  expect([...health.failures, ...row.failures]).toEqual([]);
  expect(Math.min(health.times.length, row.times.length)).toBeGreaterThan(0);
}

test.each(Object.keys(attacks))("another client is answered during the attack: %s", (name) =>
  attack(name, SECONDS),
);

test("memory returns to the level that the attacks brought it to when they came first", async () => {
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const level = resident();
  for (const name of Object.keys(attacks)) await attack(name, AGAIN_SECONDS);
  await expect.poll(resident, { timeout: 60_000, interval: 1000 }).toBeLessThan(MEMORY_RATIO * level);
});
