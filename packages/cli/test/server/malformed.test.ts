import { Agent, request } from "node:http";
import { random } from "conformant";
import { afterAll, beforeAll, expect, test } from "vitest";
import { howMany } from "../../../../test/how-many.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const REQUESTS = howMany(2000, 10_000);
const AT_A_TIME = 16;

const place = new Workplace();
const { folder: cwd } = place;
const agent = new Agent({ keepAlive: true, maxSockets: AT_A_TIME });
const g = random(10);
let served: Served;

beforeAll(async () => {
  writePenguins(place, "penguins.json");
  served = await startServe(["penguins.json", "--max-body", "0.05"], { cwd });
});
afterAll(async () => {
  agent.destroy();
  await served?.stop();
});

interface Malformed {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string | Buffer;
}

const pick = <T>(list: readonly T[]): T => list[g.integer(list.length)];
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(32 + g.integer(0x2000))).join("");
const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => g.integer(256)));
const route = (): string => pick(["/predict", "/explain", "/ask"]);
const json = (body: unknown): Malformed => ({
  method: "POST",
  path: route(),
  type: "application/json",
  body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

/** Every kind is wrong by construction. */
const kinds: readonly (() => Malformed)[] = [
  () => json(`{"row":{${noise(1 + g.integer(40))}`),
  () => json(bytes(1 + g.integer(200)).fill(0xff, 0, 1)),
  () => json(""),
  () =>
    json(pick([null, true, 7, "text", [], [[]], {}, { rows: [] }, { rows: {} }, { row: [] }, { row: null }])),
  () => json({ row: { [`x${noise(8)}`]: 1 } }),
  () => json({ row: { bill_length: pick<unknown>(["12", true, [1], {}, "NaN", [[]]]) } }),
  () => json({ row: { sex: pick<unknown>([[], {}, ["male"], { a: 1 }]) } }),
  () => json(`{"row":{"bill_length":${pick(["1e999", "-1e999"])}}}`),
  () => json({ row: {}, [noise(5)]: g.uniform() }),
  () => json(`${"[".repeat(20_000)}`),
  () => json(`{"row":${'{"row":'.repeat(2000)}1${"}".repeat(2001)}`),
  () => json({ row: { __proto__: null, constructor: { prototype: 1 } } }),
  () => json('{"__proto__":{"row":{}}}'),
  () => json({ row: { island: "x".repeat(60_000) } }),
  () => ({
    ...json({ row: {} }),
    path: "/explain",
    body: JSON.stringify({ row: {}, threshold: pick([-1, 0, 1, 2]) }),
  }),
  () => ({ ...json({ row: {} }), path: "/explain", body: JSON.stringify({ row: {}, use: [noise(6)] }) }),
  () => ({
    ...json({ row: {} }),
    path: "/ask",
    body: JSON.stringify({ row: {}, costs: { sex: -g.uniform() } }),
  }),
  () => ({ ...json({ row: {} }), path: "/ask", body: JSON.stringify({ row: {}, plan: { most: 0.5 } }) }),
  () => ({
    ...json({ row: {} }),
    type: pick(["text/plain", "application/xml", "", "json", "application/json;v=2"]),
  }),
  () => ({ ...json({ row: {} }), path: `/${encodeURIComponent(noise(1 + g.integer(20)))}` }),
  () => ({ ...json({ row: {} }), method: pick(["PUT", "DELETE", "PATCH", "OPTIONS"]) }),
  () => ({ method: "GET", path: route(), type: "", body: "" }),
];

function send({ method, path, type, body }: Malformed): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(type !== "" && { "Content-Type": type }),
      "Content-Length": Buffer.byteLength(body),
    };
    const sender = request(served.url + path, { method, agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sender.on("error", reject);
    sender.end(body);
  });
}

test("malformed requests get 4xx answers and leave a healthy server", {
  timeout: 60_000,
}, async () => {
  const wrong: string[] = [];
  let left = REQUESTS;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      const malformed = kinds[left-- % kinds.length]();
      const status = await send(malformed).catch((error: NodeJS.ErrnoException) => error.code ?? "failed");
      // A body that is cut off for its length may end the connection while it is being sent.
      const cut = typeof status === "string" && malformed.body.length > 50_000;
      if (!cut && !(Number(status) >= 400 && Number(status) < 500))
        wrong.push(`${status}: ${malformed.method} ${malformed.path} ${String(malformed.body).slice(0, 80)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  expect(wrong).toEqual([]);
  expect((await fetch(`${served.url}/health`)).status).toBe(200);
  expect((await post(`${served.url}/predict`, { row: { island: "dream" } })).status).toBe(200);
  expect(await served.stop()).toBe(0);
  expect(served.log()).not.toMatch(/"level":"error"|\n\s+at /);
});
