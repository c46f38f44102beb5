import { spawn } from "node:child_process";
import { isRegression } from "conformant";
import { CliError, quoted } from "../errors.ts";
import { type Command, type Context, grouped, type Parsed } from "../options/command.ts";
import { readInteger, readNumber } from "../options/read-value.ts";
import { isLoopback } from "../server/guard.ts";
import type { RunningServer } from "../server/run-server.ts";
import type { ServiceOptions } from "../server/start-service.ts";
import { readTextFile } from "../sources/files/read-whole-file.ts";
import { pageOptions, readPageOptions } from "./page-options.ts";
import { readCalibration } from "./read-calibration.ts";
import { readAnyModel } from "./read-model.ts";

const LARGEST_PORT = 65_535;
const MEGABYTE = 1_000_000;
/** The largest time limit in seconds; timers of Node allow 24 days. */
const DAY = 86_400;
/** The largest body in MiB: a JavaScript string ends at 512 MiB, and each thread needs memory. */
const [MOST_MEGABYTES, MOST_REQUESTS, MOST_THREADS] = [500, 100_000, 256];

export const serve: Command = {
  name: "serve",
  summary: "serve a model as a web page and a JSON API, or the studio",
  arguments: ["MODEL?"],
  options: {
    port: { environment: true, takes: "N", help: "port to listen on; 0 for any free one", initially: "7421" },
    host: { environment: true, takes: "ADDRESS", help: "address to listen on", initially: "127.0.0.1" },
    open: { help: "open the page in the browser" },
    calibration: {
      takes: "FILE",
      requires: ["MODEL"],
      help: "calibration set, as conformant calibrate writes it; requests can then ask for prediction sets, or intervals of a number",
    },
    ...pageOptions(["MODEL"]),
    "share-calibration": {
      group: "Page options",
      requires: ["calibration"],
      help: "send the calibration set to the page too, which shows prediction sets; everyone who opens the page can read its rows",
    },
    ...grouped("Service options", {
      "token-file": {
        takes: "FILE",
        help: "ask for the bearer token in FILE, or in the environment variable CONFORMANT_TOKEN",
      },
      "behind-proxy": {
        help: "all requests come from a proxy that limits its clients: no limit per client address",
      },
      "max-body": {
        takes: "MB",
        help: "maximum size of a request body, or of a line of a stream",
        initially: "10",
      },
      "time-limit": {
        takes: "SECONDS",
        help: "time for a request body to arrive, and for an answer",
        initially: "10",
      },
      "stream-limit": {
        takes: "SECONDS",
        requires: ["MODEL"],
        help: "time for a whole stream of JSON lines",
        initially: "3600",
      },
      concurrency: {
        takes: "N",
        help: "maximum requests at a time, half of them for one client; others get 503 or 429",
        initially: "64",
      },
      threads: {
        environment: true,
        takes: "N",
        requires: ["MODEL"],
        help: "threads for long requests: explanations, plans and batches",
        initially: "2",
      },
    }),
  },
  example: "conformant serve penguins.json",
  staysOnMain: true,
  run: async (parsed, context) => {
    const [file] = parsed.positionals;
    if (file === undefined) return runStudio(parsed, context);
    const options = await readServiceOptions(parsed, logWriter(context));
    warnOfOthers(options, context);
    const model = readAnyModel(file);
    const sharesCalibration = parsed.flag("share-calibration");
    if (sharesCalibration && isRegression(model)) {
      const number = quoted(model.response.outputs[0]);
      throw new CliError(
        "usage",
        `--share-calibration is for models of classes; this one predicts the number ${number}`,
      );
    }
    const calibrationFile = parsed.text("calibration");
    const calibration = calibrationFile === undefined ? undefined : readCalibration(calibrationFile, model);
    const { startService } = await import("../server/start-service.ts");
    await keepServing(
      await startService(model, { ...options, calibration, sharesCalibration }),
      parsed,
      context,
    );
  },
};

/** Serves the studio until it is interrupted. */
export async function runStudio(parsed: Parsed, context: Context): Promise<void> {
  const options = await readServiceOptions(parsed, logWriter(context));
  warnOfOthers(options, context);
  const { startStudio } = await import("../server/start-service.ts");
  await keepServing(await startStudio(options), parsed, context);
}

function logWriter({ messages }: Context): ServiceOptions["writeLog"] {
  return (text) => void (messages.quiet || process.stderr.write(text));
}

function warnOfOthers({ token, host, isLocal }: ServiceOptions, { messages }: Context): void {
  if (token === undefined && !isLocal)
    messages.warn(`other machines can reach ${host}, and no token is asked for; see --token-file`);
}

async function keepServing(
  server: RunningServer,
  parsed: Parsed,
  { messages, onInterrupt }: Context,
): Promise<void> {
  messages.note(`listening on ${server.url}  (Ctrl+C ends it)`);
  if (parsed.flag("open")) openBrowser(server.url);
  await new Promise<void>((resolve) => onInterrupt(resolve));
  await server.stop();
}

/** The options of a service or the studio. */
export async function readServiceOptions(
  parsed: Parsed,
  writeLog: ServiceOptions["writeLog"],
): Promise<ServiceOptions> {
  const host = readHost(parsed.text("host") ?? "127.0.0.1");
  return {
    host,
    isLocal: await isLoopback(host),
    port: readInteger(parsed, "port", 7421, 0, LARGEST_PORT),
    token: readToken(parsed.text("token-file")),
    behindProxy: parsed.flag("behind-proxy"),
    limits: {
      bytes: MEGABYTE * readNumber(parsed, "max-body", 10, 0.001, MOST_MEGABYTES),
      milliseconds: 1000 * readNumber(parsed, "time-limit", 10, 0.01, DAY),
      stream: 1000 * readNumber(parsed, "stream-limit", 3600, 0.01, DAY),
    },
    concurrency: readInteger(parsed, "concurrency", 64, 1, MOST_REQUESTS),
    threads: readInteger(parsed, "threads", 2, 1, MOST_THREADS),
    page: readPageOptions(parsed),
    writeLog,
  };
}

function readHost(text: string): string {
  if (/^[\w.:%-]+$/.test(text)) return text;
  throw new CliError("usage", `--host must be the name or the address of this machine, got ${quoted(text)}`);
}

/** The token from a file or the environment: command lines are visible to all users of the machine. */
function readToken(path: string | undefined): string | undefined {
  const token = (path === undefined ? process.env.CONFORMANT_TOKEN : readTextFile(path))?.trim();
  if (token === undefined || (token === "" && path === undefined)) return undefined;
  if (/^[\x21-\x7e]{8,}$/.test(token)) return token;
  const where = path === undefined ? "CONFORMANT_TOKEN" : quoted(path);
  const need = "8 or more visible ASCII characters without blanks";
  throw new CliError("invalid-value", `the token in ${where} must be ${need}`);
}

/** Opens an address in the desktop's browser; without one the printed address has to do. */
function openBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
    darwin: ["open"],
    win32: ["cmd", "/c", "start", ""],
  };
  const [command, ...words] = openers[process.platform] ?? ["xdg-open"];
  spawn(command, [...words, url], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
