import { Agent, request } from "node:http";

/** What someone who asks one thing at a time met with. */
export interface Experience {
  /** Milliseconds of every answer. */
  readonly times: readonly number[];
  /** What went wrong, if anything. */
  readonly failures: readonly string[];
}

/** Milliseconds between two questions. */
const EVERY_MS = 20;

/** Asks for the health and a one-row prediction in turns until the condition is no longer met. */
export async function standBy(
  url: string,
  goOn: () => boolean,
): Promise<{ health: Experience; row: Experience }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const ask = async (path: string, body?: string): Promise<number> => {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      const headers = body === undefined ? {} : { "Content-Type": "application/json" };
      const sender = request(url + path, {
        agent,
        headers,
        method: body === undefined ? "GET" : "POST",
        timeout: 60_000,
      });
      sender.on("timeout", () => sender.destroy(new Error("no answer within a minute")));
      sender.on("error", reject).on("response", (response) => {
        response.resume().on("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`status ${response.statusCode}`));
        });
      });
      sender.end(body);
    });
    return performance.now() - start;
  };
  const repeat = async (path: string, body?: string): Promise<Experience> => {
    const [times, failures]: [number[], string[]] = [[], []];
    while (goOn()) {
      try {
        times.push(await ask(path, body));
      } catch (thrown) {
        failures.push(`${path}: ${thrown}`);
      }
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
    return { times, failures };
  };
  const [health, row] = await Promise.all([repeat("/health"), repeat("/predict", '{"row":{}}')]);
  agent.destroy();
  return { health, row };
}

/** The time that a share of the answers stayed below. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
