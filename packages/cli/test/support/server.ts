import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { bin } from "./run.ts";

/** A running `conformant serve`. */
export interface Served {
  readonly url: string;
  readonly process: ChildProcess;
  /** What it wrote to standard error so far: messages and the log. */
  readonly log: () => string;
  /** Sends a signal and waits for the end; gives back the exit status. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Starts `conformant serve` on a free port and waits until it listens. */
export async function startServe(
  words: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<Served> {
  const child = spawn(process.execPath, [bin, "serve", ...words, "--port", "0"], {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log += text;
      const found = /listening on (\S+)/.exec(log)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", (status) => reject(new Error(`serve ended with ${status}: ${log}`)));
  });
  return {
    url,
    process: child,
    log: () => log,
    stop: async (signal = "SIGTERM") => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const ended = once(child, "close");
      child.kill(signal);
      const [status] = (await ended) as [number | null];
      return status;
    },
  };
}

/** Posts JSON and reads JSON. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; body: unknown }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
