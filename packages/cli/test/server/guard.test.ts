import { request } from "node:http";
import { createConnection } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { conformant } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const TOKEN = "correct-horse-battery";
let served: Served;
let locked: Served;

beforeAll(async () => {
  writePenguins(place, "penguins.json");
  place.write("token", `${TOKEN}\n`);
  [served, locked] = await Promise.all([
    startServe(["penguins.json", "--max-body", "0.01"], { cwd }),
    startServe(["penguins.json", "--token-file", "token"], { cwd }),
  ]);
});
afterAll(() => Promise.all([served?.stop(), locked?.stop()]));

/** A request exactly as written, which fetch would tidy up; the status line of the answer. */
function raw(url: string, text: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = createConnection(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.on("data", (bytes) => {
      answer += bytes;
      socket.end();
    });
    socket.on("close", () => resolve(answer.split("\r\n", 1)[0]));
    socket.on("error", reject);
  });
}

test("it listens on this machine only unless told otherwise, and says so where it is open", async () => {
  expect(served.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  const open = await startServe(["penguins.json", "--host", "0.0.0.0"], { cwd });
  expect(open.log()).toContain("no token is asked for");
  expect(await open.stop("SIGINT")).toBe(0);
});

test("every answer has the security headers, and the policy allows no inline script", async () => {
  const answers = await Promise.all([
    fetch(`${served.url}/`),
    fetch(`${served.url}/nothing`),
    fetch(`${served.url}/model`),
    fetch(`${served.url}/predict`, { method: "POST" }),
  ]);
  for (const { headers } of answers) {
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get("content-security-policy")).not.toMatch(/'unsafe-/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  }
  expect(answers[0].headers.get("content-security-policy")).toContain(
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self';",
  );
  const page = await answers[0].text();
  expect(page).toContain("<title>conformant</title>");
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=|javascript:/);
});

test.each([
  ["text/plain"],
  ["application/json; charset=latin-1"],
  ["application/jsonx"],
  ["multipart/form-data"],
  [""],
])("the content type %j is refused", async (type) => {
  const { status, body } = await post(`${served.url}/predict`, "{}", { "Content-Type": type });
  expect([status, body]).toMatchObject([415, { error: { code: "unsupported-media-type" } }]);
});

test("JSON lines are for predictions only", async () => {
  const lines = { "Content-Type": "application/x-ndjson" };
  expect((await post(`${served.url}/explain`, "{}", lines)).status).toBe(415);
});

test("a body that is too large is refused, whether it says so or not", async () => {
  const long = JSON.stringify({ row: { island: "x".repeat(20_000) } });
  expect((await post(`${served.url}/predict`, long)).status).toBe(413);
  const body = new Blob([long]).stream();
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(`${served.url}/predict`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "body-too-large" } });
});

test("no address leads out of the page's own files", async () => {
  const attempts = [
    "/../package.json",
    "/assets/../../main.js",
    "/..%2f..%2fpackage.json",
    "/%2e%2e/%2e%2e/package.json",
    "/assets/..\\..\\main.js",
    "//etc/passwd",
    "/assets/",
    "/main.js",
    "/page/index.html",
  ];
  for (const path of attempts) {
    const line = await raw(
      served.url,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    expect(line, path).toMatch(/ 40[04] /);
  }
});

test("a wrong method is told the right one", async () => {
  const get = await fetch(`${served.url}/predict`);
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  const put = await fetch(`${served.url}/model`, { method: "PUT", body: "" });
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect((await fetch(`${served.url}/`, { method: "HEAD" })).status).toBe(200);
});

test("a server for this machine does not answer to an unknown host name", async () => {
  const ask = (host: string): Promise<string> =>
    raw(served.url, `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(await ask("evil.example")).toContain(" 403 ");
  expect(await ask("localhost:7421")).toContain(" 200 ");
});

test.each(["127.0.0.2", "localhost"])(
  "a server on %s is one for this machine: it checks the Host header and does not warn",
  async (host) => {
    const other = await startServe(["penguins.json", "--host", host], { cwd });
    const ask = (name: string): Promise<string> =>
      raw(other.url, `GET /health HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    expect(await ask("evil.example")).toContain(" 403 ");
    for (const name of [host, "localhost:7421", "127.0.0.1", "127.0.0.2:1", "[::1]:80"])
      expect(await ask(name), name).toContain(" 200 ");
    expect(other.log()).not.toContain("no token is asked for");
    await other.stop();
  },
);

test("with a token only those who have it may ask; the page itself and the health are open", async () => {
  const ask = (authorization?: string): Promise<{ status: number; headers: Headers; body: unknown }> =>
    post(`${locked.url}/predict`, { row: {} }, authorization ? { Authorization: authorization } : {});
  const without = await ask();
  expect([without.status, without.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer realm="conformant"',
  ]);
  for (const wrong of [`Bearer ${TOKEN}x`, `Basic ${TOKEN}`, "Bearer", `Bearer ${TOKEN.slice(1)}`])
    expect((await ask(wrong)).status).toBe(401);
  expect((await ask(`Bearer ${TOKEN}`)).status).toBe(200);
  for (const path of ["/model", "/model.json", "/page.json", "/openapi.json"])
    expect((await fetch(locked.url + path)).status, path).toBe(401);
  for (const path of ["/", "/health"]) expect((await fetch(locked.url + path)).status, path).toBe(200);
});

test("the token may come from the environment, and a weak one is refused", async () => {
  const other = await startServe(["penguins.json"], { cwd, env: { CONFORMANT_TOKEN: TOKEN } });
  expect((await fetch(`${other.url}/model`)).status).toBe(401);
  await other.stop();
  const weak = conformant(["serve", "penguins.json"], { cwd, env: { CONFORMANT_TOKEN: "short" } });
  expect([weak.status, weak.stderr]).toEqual([
    1,
    expect.stringContaining("8 or more visible ASCII characters"),
  ]);
  expect(weak.stderr).not.toContain("short");
});

test("a taken port is said so", () => {
  const { port } = new URL(served.url);
  const { status, stderr } = conformant(["serve", "penguins.json", "--port", port], { cwd });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`cannot listen on 127.0.0.1:${port}: the port is taken`),
  ]);
});

test("files of the page are sent compressed, and not again where the browser has them", async () => {
  const first = await new Promise<Record<string, unknown>>((resolve) => {
    request(`${served.url}/`, { headers: { "Accept-Encoding": "gzip" } }, (answer) => {
      answer.resume();
      resolve({ ...answer.headers, status: answer.statusCode });
    }).end();
  });
  expect(first).toMatchObject({ status: 200, "content-encoding": "gzip", "cache-control": "no-cache" });
  const again = await fetch(`${served.url}/`, { headers: { "If-None-Match": String(first.etag) } });
  expect(again.status).toBe(304);
});
