import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { saveModel } from "conformant";
import { type Browser, chromium } from "playwright-core";
import { model50, row50 } from "./support/fifty-columns.ts";
import {
  heapLeft,
  heapReporter,
  type Load,
  type LoadedServer,
  load,
  postRequest,
  residentMemory,
  startServer,
} from "./support/load.ts";
import { type BenchRow, duration } from "./support/measure.ts";

const command = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const echo = fileURLToPath(new URL("peers/hono-echo.mjs", import.meta.url));
const CONNECTIONS = 16;
const [ROUNDS, SECONDS, LONG_SECONDS] = [15, 1, 60];
const KEYSTROKES = 60;
/** The share of the rate of a bare server that a prediction leaves. */
const RATE = 0.56;

/** The service under load, and the page at the keyboard: a model of 50 columns and three classes. */
export async function benchServe(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  const file = join(folder, "model.json");
  writeFileSync(file, saveModel(model50()));
  try {
    return [...(await againstEcho(file)), await memory(file), ...(await keystrokes(file))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Single-row predictions, in many short turns with a bare hono server that sends the same body back. */
async function againstEcho(file: string): Promise<BenchRow[]> {
  const request = postRequest("/predict", JSON.stringify({ row: row50() }));
  const [ours, bare] = await Promise.all([serveModel(file), startServer([echo])]);
  const rounds: { ours: Load; bare: Load }[] = [];
  await load(ours.url, 6, CONNECTIONS, () => request);
  await load(bare.url, 2, CONNECTIONS, () => request);
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      bare: await load(bare.url, SECONDS, CONNECTIONS, () => request),
      ours: await load(ours.url, SECONDS, CONNECTIONS, () => request),
    });
  }
  await Promise.all([ours.stop(), bare.stop()]);
  const say = (which: "ours" | "bare"): string => {
    const { perSecond, p99 } = middle(rounds.map((round) => round[which]));
    return `${Math.round(perSecond)} requests/s, p99 ${duration(p99)}`;
  };
  const ratios = rounds.map((round) => round.ours.perSecond / round.bare.perSecond).sort((a, b) => a - b);
  return [
    {
      what: `POST /predict, one row of 50 columns, ${CONNECTIONS} connections, against a bare hono echo`,
      ours: say("ours"),
      peer: say("bare"),
      ratio: `${ratios[ROUNDS >> 1].toFixed(2)}× its rate (${ratios[0].toFixed(2)} to ${ratios[ROUNDS - 1].toFixed(2)})`,
      bar: `${RATE}× its rate`,
      met: ratios[ROUNDS >> 1] >= RATE,
    },
  ];
}

function middle(loads: readonly Load[]): Load {
  return [...loads].sort((a, b) => a.perSecond - b.perSecond)[loads.length >> 1];
}

/** A minute at full speed, every fiftieth request an explanation; what is left on the heap after a third and at the end. */
async function memory(file: string): Promise<BenchRow> {
  const server = await startServer([...heapReporter, command, "serve", file, "--port", "0"]);
  const predict = postRequest("/predict", JSON.stringify({ row: row50() }));
  const explain = postRequest("/explain", JSON.stringify({ row: row50() }));
  const run = (seconds: number): Promise<Load> =>
    load(server.url, seconds, CONNECTIONS, (n) => (n % 50 === 0 ? explain : predict));
  const first = await run(LONG_SECONDS / 3);
  const early = { heap: await heapLeft(server), resident: residentMemory(server.pid) };
  const second = await run((2 * LONG_SECONDS) / 3);
  const late = { heap: await heapLeft(server), resident: residentMemory(server.pid) };
  await server.stop();
  const requests = first.requests + second.requests;
  const say = ({ heap, resident }: typeof early): string =>
    `${heap.toFixed(1)} MiB on the heap, ${resident.toFixed(0)} MiB resident`;
  return {
    what: `memory of the server in a minute of ${requests} requests (${Math.round(requests / 3600)} a second for an hour)`,
    ours: `after ${first.requests}: ${say(early)}; at the end: ${say(late)}`,
    peer: "–",
    ratio: `${(late.heap / early.heap).toFixed(2)}× the heap`,
    bar: "no growth: 1.02× or less",
    met: late.heap <= 1.02 * early.heap,
  };
}

function serveModel(file: string): Promise<LoadedServer> {
  return startServer([command, "serve", file, "--port", "0"]);
}

/** From the event of a keystroke to the new probabilities in the laid-out page, and to the last part of the answer. */
async function keystrokes(file: string): Promise<BenchRow[]> {
  const executablePath = "/usr/bin/chromium";
  if (!existsSync(executablePath)) return [];
  const server = await serveModel(file);
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const taken = await measureKeystrokes(browser, server.url);
  await browser.close();
  await server.stop();
  const at = (part: "shown" | "complete", share: number): number =>
    taken.map((one) => one[part]).sort((a, b) => a - b)[Math.floor(share * taken.length)];
  return [
    {
      what: "the page, 50 columns: from a keystroke to the new probabilities",
      ours: `${duration(at("shown", 0.5))} (95 % under ${duration(at("shown", 0.95))})`,
      peer: "–",
      ratio: "–",
      bar: "16 ms",
      met: at("shown", 0.5) < 16,
    },
    {
      what: "the same, to explanation, next question, interval and same-decision probability (in a worker)",
      ours: `${duration(at("complete", 0.5))} (95 % under ${duration(at("complete", 0.95))})`,
      peer: "–",
      ratio: "–",
      bar: "–",
      met: true,
    },
  ];
}

/** Types into the fields in turn; every time is taken inside the page. */
const TYPE = `async (keystrokes) => {
  const fields = [...document.querySelectorAll(".field input[type=text]")];
  const taken = [];
  for (let i = 0; i < keystrokes; i++) {
    const field = fields[i % fields.length];
    const before = document.querySelector("#result .probability").value;
    const start = performance.now();
    field.value = String((i % 7) / 4 - 0.8);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (document.querySelector("#result .probability").value === before) await Promise.resolve().then(() => new Promise((r) => { const c = new MessageChannel(); c.port1.onmessage = r; c.port2.postMessage(0); }));
    document.body.getBoundingClientRect();
    const shown = performance.now() - start;
    while (!document.querySelector('[data-complete="true"]')) await new Promise((r) => setTimeout(r, 1));
    taken.push({ shown, complete: performance.now() - start });
    await new Promise((r) => setTimeout(r, 50));
  }
  return taken;
}`;

async function measureKeystrokes(
  browser: Browser,
  url: string,
): Promise<readonly { shown: number; complete: number }[]> {
  const page = await browser.newPage();
  await page.goto(url);
  await page.waitForSelector('[data-complete="true"]');
  return (await page.evaluate(`(${TYPE})(${KEYSTROKES})`)) as { shown: number; complete: number }[];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.table(await benchServe());
