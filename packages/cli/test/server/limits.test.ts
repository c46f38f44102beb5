import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { afterEach, beforeAll, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { succeed } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
/** A busy machine may take its time. */
const PATIENT = { timeout: 15_000 };
let served: Served | undefined;

beforeAll(() => {
  writePenguins(place, "penguins.json");
});
afterEach(async () => {
  await served?.stop("SIGKILL");
  served = undefined;
});

/** A request whose body is sent in pieces; the answer is promised. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly connection: string | undefined;
}

function inPieces(url: string): { sender: ClientRequest; answer: Promise<Answer> } {
  const sender = request(`${url}/predict`, {
    method: "POST",
    agent: new Agent({ keepAlive: true }),
    headers: { "Content-Type": "application/json" },
  });
  const answer = new Promise<Answer>((resolve, reject) => {
    sender.on("error", reject);
    sender.on("response", (response: IncomingMessage) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      const { statusCode: status = 0, headers } = response;
      response.on("end", () => resolve({ status, text, connection: headers.connection }));
    });
  });
  return { sender, answer };
}

test("more requests than allowed at a time are told to come back; the health is told all the same", async () => {
  served = await startServe(["penguins.json", "--concurrency", "1"], { cwd });
  const slow = inPieces(served.url);
  slow.sender.write('{"row":');
  const status = async (path: string): Promise<number> => (await fetch(served?.url + path)).status;
  await expect.poll(() => status("/ready"), PATIENT).toBe(503);
  const refused = await fetch(`${served.url}/model`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect([await status("/health"), await status("/metrics")]).toEqual([200, 200]);
  slow.sender.end("{}}");
  expect((await slow.answer).status).toBe(200);
  await expect.poll(() => status("/model"), PATIENT).toBe(200);
  expect(await status("/ready")).toBe(200);
});

test("a body that does not come in time is given up", async () => {
  served = await startServe(["penguins.json", "--time-limit", "0.2"], { cwd });
  const slow = inPieces(served.url);
  slow.sender.write('{"row":');
  const { status, text } = await slow.answer;
  expect([status, JSON.parse(text).error.code]).toEqual([408, "slow-request"]);
});

test("an answer that takes too long is given up, and the next one is given", {
  timeout: 60_000,
}, async () => {
  const columns = Array.from({ length: 60 }, (_, i) => `x${i}`);
  const line = (i: number): string =>
    `${columns.map((_, c) => (i * (c + 3)) % 17).join(",")},${"abc"[i % 3]}`;
  place.write(
    "wide.csv",
    [`${columns.join(",")},y`, ...Array.from({ length: 200 }, (_, i) => line(i))].join("\n"),
  );
  succeed(["fit", "wide.csv", "--label", "y", "--model", "logistic", "-o", "wide.json", "--quiet"], { cwd });
  served = await startServe(["wide.json", "--time-limit", "1.5", "--threads", "1"], { cwd });
  const plan = await post(`${served.url}/ask`, { row: {}, plan: { threshold: 0.999999 } });
  expect([plan.status, plan.body]).toMatchObject([503, { error: { code: "time-limit" } }]);
  expect(plan.headers.get("retry-after")).toBe("1");
  await expect.poll(async () => (await post(`${served?.url}/ask`, { row: {} })).status, PATIENT).toBe(200);
});

test("a signal ends the server after the running requests have been answered", async () => {
  served = await startServe(["penguins.json"], { cwd });
  const running = inPieces(served.url);
  running.sender.write('{"row":');
  await expect.poll(() => running.sender.socket?.bytesWritten ?? 0, PATIENT).toBeGreaterThan(0);
  await post(`${served.url}/predict`, { row: {} }); // by now the first has been taken
  const stopped = served.stop("SIGTERM");
  await expect
    .poll(
      () =>
        fetch(`${served?.url}/health`).then(
          () => "open",
          () => "closed",
        ),
      PATIENT,
    )
    .toBe("closed");
  running.sender.end("{}}");
  expect(await running.answer).toMatchObject({ status: 200, connection: "close" });
  expect(await stopped).toBe(0);
});

test("a signal does not cut off an answer that was found and is not read yet", {
  timeout: 60_000,
}, async () => {
  const rows = 90_000; // more than the buffers of a connection hold
  served = await startServe(["penguins.json", "--time-limit", "30"], { cwd });
  const sender = request(`${served.url}/predict`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
  });
  const begun = new Promise<IncomingMessage>((resolve, reject) => {
    sender.on("response", resolve).on("error", reject);
  });
  sender.end(`{"rows":[${"{},".repeat(rows - 1)}{}]}`);
  const response = await begun;
  const stopped = served.stop("SIGTERM");
  await new Promise((resolve) => setTimeout(resolve, 200));
  let text = "";
  for await (const piece of response.setEncoding("utf8")) text += piece;
  expect(JSON.parse(text).predictions).toHaveLength(rows);
  expect(await stopped).toBe(0);
});

test("the log is JSON lines with method, address, status and time, and never a value of a row", async () => {
  served = await startServe(["penguins.json"], { cwd });
  const secret = 43.217_839;
  await post(`${served.url}/predict`, { row: { bill_length: secret } });
  await post(`${served.url}/predict`, { row: { bill_length: `${secret}` } });
  await post(`${served.url}/explain`, { row: { bill_length: secret, sex: "zyxw" }, strict: true });
  await fetch(`${served.url}/${secret}?row=${secret}`);
  expect(await served.stop()).toBe(0);
  const entries = served
    .log()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { method: string; route: string; status: number });
  expect(entries.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
    "POST /predict 200",
    "POST /predict 422",
    "POST /explain 422",
    "GET (other) 404",
  ]);
  expect(served.log()).not.toContain(String(secret));
  expect(served.log()).not.toContain("zyxw");
});
