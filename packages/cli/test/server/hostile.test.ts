import { createConnection } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let served: Served;

beforeAll(async () => {
  writePenguins(place, "penguins.json");
  served = await startServe(["penguins.json", "--time-limit", "1"], { cwd });
});
afterAll(() => served?.stop("SIGKILL"));

/** Sends bytes exactly as written and reads until the server closes the connection, or for so long. */
function raw(text: string | Buffer, patience = 3000): Promise<string> {
  const { port } = new URL(served.url);
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), "127.0.0.1", () => socket.write(text));
    const late = setTimeout(() => socket.destroy(), patience);
    let answer = "";
    socket.on("data", (bytes) => (answer += bytes));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearTimeout(late);
      resolve(answer);
    });
  });
}

const body = '{"row":{}}';
const post = (headers: string, text = body): string =>
  `POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}\r\n${text}`;
const status = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test.each([
  [
    "HTTP/1.0",
    `POST /predict HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n${body}`,
    200,
  ],
  ["HTTP/1.0 without a host", "GET /health HTTP/1.0\r\n\r\n", 403],
  ["no host", "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  [
    "two hosts",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    200,
  ],
  [
    "two hosts, the stranger first",
    "GET /health HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    403,
  ],
  [
    "an absolute address",
    "GET http://evil.example/model HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    200,
  ],
  ["two lengths", post(`Content-Length: 10\r\nContent-Length: 3\r\n`), 400],
  ["a length and chunks", post(`Content-Length: 10\r\nTransfer-Encoding: chunked\r\n`, "0\r\n\r\n"), 400],
  ["a negative length", post("Content-Length: -1\r\n"), 400],
  ["a length beyond all numbers", post("Content-Length: 99999999999999999999\r\n"), 400],
  ["garbage for a chunk", post("Transfer-Encoding: chunked\r\n", "zz\r\n"), 400],
  [
    "chunks coded otherwise",
    post("Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n", "0\r\n\r\n"),
    400,
  ],
  ["a body in gzip", post("Content-Encoding: gzip\r\nContent-Length: 10\r\nConnection: close\r\n"), 415],
  ["20 kB of headers", `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["a long address", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  ["a line of garbage", "\u0000\u0001\u0002\r\n\r\n", 400],
  ["TLS where there is none", Buffer.from("16030100a5010000a10303", "hex"), 400],
  [
    "a WebSocket",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\nSec-WebSocket-Version: 13\r\n\r\n",
    200,
  ],
  [
    "HTTP/2 by upgrade",
    "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    200,
  ],
  ["HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
  ["a host that is none", "GET /health HTTP/1.1\r\nHost: localhost:1:2\r\nConnection: close\r\n\r\n", 400],
  ["TRACE", "TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
  ["an unknown method", "BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
  [
    "a part of a file",
    "GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-1,5-6,0-99999\r\nConnection: close\r\n\r\n",
    200,
  ],
  [
    "a wrong type",
    post("Content-Length: 10\r\nConnection: close\r\n").replace(
      "application/json",
      "application/json, text/html",
    ),
    415,
  ],
])("%s: it is refused or answered as any other", async (_, text, expected) => {
  const answer = await raw(text, 1500);
  expect([status(answer), answer.match(/\n\s+at /)]).toEqual([expected, null]);
});

test("a tunnel is not opened", async () => {
  expect(await raw("CONNECT example.com:80 HTTP/1.1\r\nHost: example.com:80\r\n\r\n")).toBe("");
});

test("a client that waits for leave to send its body gets it, or is refused before it sends", async () => {
  const waiting = "Expect: 100-continue\r\n";
  const allowed = await raw(post(`Content-Length: 10\r\n${waiting}Connection: close\r\n`));
  expect(allowed).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  expect(status(await raw(post(`Content-Length: 99000000\r\n${waiting}`, "")))).toBe(413);
  // What it would have sent cannot be told from its next request, so the connection ends.
  const elsewhere = await raw(post(`Content-Length: 10\r\n${waiting}`, "").replace("/predict", "/nothing"));
  expect(elsewhere).toMatch(/^HTTP\/1\.1 404 .*connection: close/is);
});

test.each([
  ["with a byte order mark", Buffer.from('\ufeff{"row":{}}'), 200],
  ["with a byte order mark, parsed in a thread", Buffer.from(`\ufeff{"row":{}${" ".repeat(20_000)}}`), 200],
  ["that is no UTF-8", Buffer.from('{"row":{"island":"\xff"}}', "latin1"), 400],
  ["in UTF-16", Buffer.from(body, "utf16le"), 400],
])("a body %s is taken or refused wherever it is parsed", async (_, bytes, expected) => {
  const head = post(`Content-Length: ${bytes.length}\r\nConnection: close\r\n`, "");
  expect(status(await raw(Buffer.concat([Buffer.from(head), bytes])))).toBe(expected);
});

test("a line that is no UTF-8 gets an error in its place, and a byte order mark before the first is passed over", async () => {
  const lines = Buffer.from('\xef\xbb\xbf{}\r\n{"island":"\xff"}\n{}\n', "latin1");
  const head = post(`Content-Length: ${lines.length}\r\nConnection: close\r\n`, "").replace(
    "json",
    "x-ndjson",
  );
  const answer = await raw(Buffer.concat([Buffer.from(head), lines]));
  expect(answer).toMatch(/"prediction".*"invalid-json".*"prediction"/s);
});

test("a byte now and then does not keep a stream open: a line that comes too late is refused in its place", async () => {
  const { port } = new URL(served.url);
  const socket = createConnection(Number(port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes));
  socket.write(
    "POST /predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  socket.write("3\r\n{}\n\r\n");
  const blank = setInterval(() => socket.write("1\r\n \r\n"), 100);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(blank);
  expect(answer).toMatch(/"prediction":".*"slow-request"/s);
});

const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const closing = "Connection: close\r\n";

test("two requests in one packet are answered in their order", async () => {
  const two = await raw(get("/model") + get("/nothing", closing));
  expect(Array.from(two.matchAll(/HTTP\/1\.1 (\d+)/g), ([, code]) => code)).toEqual(["200", "404"]);
});

test("a dozen pipelined requests are answered, and Node warns of no leak", async () => {
  const answers = await raw(get("/model").repeat(12) + get("/model", closing));
  expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(13);
  expect(served.log()).not.toContain("MaxListenersExceededWarning");
});

test("hundreds of pipelined requests are answered or refused, each in its place", async () => {
  const answers = await raw(get("/model").repeat(300) + get("/health", closing), 15_000);
  const codes = Array.from(answers.matchAll(/HTTP\/1\.1 (\d+)/g), ([, code]) => code);
  expect(codes).toHaveLength(301);
  expect(new Set(codes)).toEqual(new Set(["200", "429"]));
  expect(served.log()).not.toContain("MaxListenersExceededWarning");
});

test("the log tells what was sent: bytes, and 499 where the client left first", async () => {
  const { port } = new URL(served.url);
  const socket = createConnection(Number(port), "127.0.0.1");
  socket.write(post("Content-Length: 1000\r\n"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  const answered = await raw(post("Content-Length: 10\r\nConnection: close\r\n"));
  const entries = (): { status: number; bytes: number; aborted?: boolean }[] =>
    served
      .log()
      .split("\n")
      .filter((line) => line.includes('"route":"/predict"'))
      .map((line) => JSON.parse(line));
  await expect
    .poll(() => entries().slice(-2), { timeout: 10_000 })
    .toMatchObject([
      { status: 499, aborted: true },
      { status: 200, bytes: answered.length },
    ]);
});

test.each([
  [{ "If-None-Match": "PLAIN" }, 304],
  [{ "If-None-Match": "W/PLAIN" }, 304],
  [{ "If-None-Match": '"other", W/PLAIN, "third"' }, 304],
  [{ "If-None-Match": "*" }, 304],
  [{ "If-None-Match": '"other"' }, 200],
  [{ "If-None-Match": "PLAIN", "Accept-Encoding": "gzip" }, 200],
])("%j is answered with %i", async (headers: Record<string, string>, expected) => {
  const plain = await fetchRaw({ "Accept-Encoding": "identity" });
  const tag = plain.headers.get("etag") ?? "";
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace("PLAIN", tag)]),
  );
  const answer = await fetchRaw({ "Accept-Encoding": "identity", ...sent });
  expect([answer.status, answer.headers.get("vary")]).toEqual([expected, "Accept-Encoding"]);
});

const fetchRaw = (headers: Record<string, string>): Promise<Response> => fetch(`${served.url}/`, { headers });

test.each([
  ["gzip", "gzip"],
  ["gzip;q=0", null],
  ["*", "gzip"],
  ["identity, gzip;q=0.5", null],
  ["br, GZIP;q=0.8", "gzip"],
  ["gzip;q=0, *", null],
  ["xgzip", null],
])("Accept-Encoding %j gets the encoding %j", async (accepted, encoding) => {
  const answer = await raw(
    `GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`,
  );
  expect(/content-encoding: (\S+)/i.exec(answer)?.[1] ?? null).toBe(encoding);
  expect(/etag: "[^"]*?(-gzip)?"/i.exec(answer)?.[1] ?? null).toBe(encoding && "-gzip");
});
