import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server in a process of its own, its log in a file. */
export interface LoadedServer {
  readonly url: string;
  readonly pid: number;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts a Node program and waits until it says where it listens. */
export async function startServer(words: readonly string[]): Promise<LoadedServer> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-bench-"));
  const path = join(folder, "log");
  const log = openSync(path, "w");
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", log] });
  closeSync(log);
  for (;;) {
    const url = /listening on (\S+)/.exec(readFileSync(path, "utf8"))?.[1];
    const stop = async (): Promise<void> => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    };
    if (url) return { url, pid: child.pid ?? 0, log: () => readFileSync(path, "utf8"), stop };
    if (child.exitCode !== null) throw new Error(`${words.join(" ")}: ${readFileSync(path, "utf8")}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A request as bytes, ready to be sent over and over. */
export function postRequest(path: string, body: string): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** What a run of requests came to. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds that 99 of 100 requests stayed below. */
  readonly p99: number;
}

/**
 * Sends requests for some seconds, one at a time on each of several kept connections; anything but a 200 ends the run.
 *
 * @param choose gives the request to send, by its number
 */
export async function load(
  url: string,
  seconds: number,
  connections: number,
  choose: (number: number) => Buffer,
): Promise<Load> {
  const taken: number[] = [];
  const start = performance.now();
  const end = start + 1000 * seconds;
  const { port } = new URL(url);
  let sent = 0;
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
      let [answer, since] = ["", 0];
      const next = (): void => {
        answer = "";
        since = performance.now();
        if (since >= end) {
          socket.end();
          resolve();
        } else socket.write(choose(sent++));
      };
      socket.setEncoding("latin1").on("connect", next).on("error", reject);
      socket.on("data", (piece) => {
        answer += piece;
        if (!isComplete(answer)) return;
        if (!answer.startsWith("HTTP/1.1 200")) reject(new Error(answer.slice(0, 400)));
        taken.push(performance.now() - since);
        next();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  const elapsed = (performance.now() - start) / 1000;
  taken.sort((a, b) => a - b);
  return {
    requests: taken.length,
    perSecond: taken.length / elapsed,
    p99: taken[Math.floor(0.99 * taken.length)],
  };
}

function isComplete(answer: string): boolean {
  const head = answer.indexOf("\r\n\r\n");
  if (head < 0) return false;
  const length = /content-length: (\d+)/i.exec(answer)?.[1];
  return length === undefined ? answer.endsWith("0\r\n\r\n") : answer.length >= head + 4 + Number(length);
}

/** Flags of Node with which a program collects its garbage and writes down what is left, in bytes, on SIGUSR2. */
export const heapReporter: readonly string[] = [
  "--expose-gc",
  "--import",
  `data:text/javascript,${encodeURIComponent(
    'process.on("SIGUSR2", () => { gc(); console.error("heap", process.memoryUsage().heapUsed, "left"); });',
  )}`,
];

/** What is left on the heap of a program started with {@link heapReporter}, in MiB. */
export async function heapLeft(server: LoadedServer): Promise<number> {
  const reports = (): string[] => server.log().match(/heap \d+ left/g) ?? [];
  const before = reports().length;
  process.kill(server.pid, "SIGUSR2");
  while (reports().length === before) await new Promise((resolve) => setTimeout(resolve, 20));
  return Number(reports()[before].split(" ")[1]) / 2 ** 20;
}

/** Memory of a process in MiB, as the system counts it. */
export function residentMemory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
