// What a hostile or careless client may do, each until it is told to stop. Everything goes to this machine, from an address
// of its own (127.0.0.2), so that the server can tell the attacker from others.

import { setMaxListeners } from "node:events";
import { connect, type Socket } from "node:net";
import { random } from "conformant";

const ATTACKER = "127.0.0.2";
/** Milliseconds before a connection that the server closed is opened again. */
const AGAIN_MS = 20;
const g = random(18);
setMaxListeners(0); // every connection waits for the end

/** An attack runs on one port until the signal says stop. */
export type Attack = (port: number, stop: AbortSignal) => Promise<void>;

const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

/** Opens a connection; whatever comes back is thrown away, unless it is not to be read at all. */
function open(port: number, { read = true } = {}): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: ATTACKER, noDelay: true });
  socket.on("error", () => undefined);
  if (read) socket.resume();
  return socket;
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((done) => (socket.destroyed ? done() : socket.once("close", () => done())));

/** Some clients that each do the same over and over, with a pause between. */
function clients(count: number, act: Attack, again = AGAIN_MS): Attack {
  const one = async (port: number, stop: AbortSignal): Promise<void> => {
    while (!stop.aborted) {
      await act(port, stop);
      await pause(again);
    }
  };
  return async (port, stop) => {
    await Promise.all(Array.from({ length: count }, () => one(port, stop)));
  };
}

function head(path: string, type: string, length: number | "chunked"): string {
  const framing = length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`;
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\n${framing}\r\n`;
}

const [JSON_TYPE, LINES_TYPE] = ["application/json", "application/x-ndjson"];

/** Sends one request, waits for the connection to end, at most for some time. */
function sendOnce(path: string, type: string, body: Buffer, patience: number): Attack {
  const request = Buffer.concat([
    Buffer.from(`${head(path, type, body.length)}Connection: close\r\n\r\n`),
    body,
  ]);
  return async (port, stop) => {
    const socket = open(port);
    socket.write(request);
    await Promise.race([closed(socket), pause(patience), ended(stop)]);
    socket.destroy();
  };
}

const ended = (stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (stop.aborted) done();
    else stop.addEventListener("abort", () => done(), { once: true });
  });

/** Writes a text and then some more of it now and then, until the connection ends. */
function trickle(start: string | Buffer, more: string, every: number): Attack {
  return async (port, stop) => {
    const socket = open(port);
    socket.write(start);
    while (!stop.aborted && !socket.destroyed) {
      socket.write(more);
      await pause(every);
    }
    socket.destroy();
  };
}

const chunk = (text: string | Buffer): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** A valid request with some of its bytes changed, dropped, doubled or cut off. */
function mutated(): Buffer {
  const bodies = [
    '{"row":{}}',
    '{"rows":[{},{}]}',
    '{"row":{},"sure":true}',
    "{}\n{}\n",
    '{"row":{"pixel1":1}}',
  ];
  const body = bodies[g.integer(bodies.length)];
  const path = ["/predict", "/explain", "/ask", "/model", "/", "/metrics"][g.integer(6)];
  const type = [JSON_TYPE, LINES_TYPE][g.integer(2)];
  const bytes = [...Buffer.from(`${head(path, type, body.length)}Connection: close\r\n\r\n${body}`)];
  for (let n = 1 + g.integer(4); n > 0; n--) {
    const at = g.integer(bytes.length);
    const kind = g.integer(4);
    if (kind === 0) bytes[at] = g.integer(256);
    else if (kind === 1) bytes.splice(at, 1 + g.integer(5));
    else if (kind === 2) bytes.splice(at, 0, ...bytes.slice(at, at + 1 + g.integer(20)));
    else bytes.length = at + 1;
  }
  return Buffer.from(bytes);
}

const rows = (count: number): string => `{"rows":[${new Array(count).fill("{}").join(",")}]}`;
const megabytes = (count: number, text: string): Buffer => Buffer.alloc(count * 1_000_000, text);

const questions: readonly (readonly [path: string, type: string, body: string])[] = [
  ["/predict", JSON_TYPE, '{"row":{}}'],
  ["/predict", JSON_TYPE, '{"row":{"pixel1":1},"sure":true}'],
  ["/predict", JSON_TYPE, rows(300)],
  ["/predict", LINES_TYPE, "{}\n".repeat(500)],
  ["/explain", JSON_TYPE, '{"row":{"pixel400":1,"pixel401":0}}'],
  ["/ask", JSON_TYPE, '{"row":{"pixel400":1}}'],
  ["/predict", JSON_TYPE, '{"row":{"no":1}}'],
];

/** The one attack that is counted in requests. */
export const MUTATED = "10,000 mutated requests";

export const attacks: Readonly<Record<string, Attack>> = {
  "60 kB of {} lines": clients(
    8,
    sendOnce("/predict", LINES_TYPE, Buffer.from("{}\n".repeat(20_000)), 60_000),
  ),
  "5,000 rows in a body": clients(8, sendOnce("/predict", JSON_TYPE, Buffer.from(rows(5000)), 60_000)),
  "an 8 MB line, then single bytes": clients(
    4,
    trickle(
      `${head("/predict", LINES_TYPE, "chunked")}\r\n${chunk(`{"pixel1":"${"x".repeat(8_000_000)}`)}`,
      chunk("x"),
      1,
    ),
  ),
  "64 streams with a newline now and then": clients(
    64,
    trickle(`${head("/predict", LINES_TYPE, "chunked")}\r\n`, chunk("\n"), 2000),
  ),
  "64 streams with a row now and then": clients(
    64,
    trickle(`${head("/predict", LINES_TYPE, "chunked")}\r\n`, chunk("{}\n"), 2000),
  ),
  "200 abandoned requests": clients(
    200,
    sendOnce("/explain", JSON_TYPE, Buffer.from(`{"row":{},"use":["${"x".repeat(1_600_000)}"]}`), 100),
    1000,
  ),
  "abandoned batches": clients(32, sendOnce("/predict", JSON_TYPE, Buffer.from(rows(5000)), 300)),
  "\\u0073ure": clients(
    32,
    sendOnce("/predict", JSON_TYPE, Buffer.from('{"row":{},"\\u0073ure":true}'), 60_000),
  ),
  explanations: clients(
    32,
    sendOnce("/explain", JSON_TYPE, Buffer.from('{"row":{"pixel1":1,"pixel2":0,"pixel3":1}}'), 60_000),
  ),
  "one-row questions": clients(32, sendOnce("/predict", JSON_TYPE, Buffer.from('{"row":{}}'), 60_000)),
  "10 MB of {}": clients(
    4,
    sendOnce(
      "/predict",
      JSON_TYPE,
      Buffer.concat([Buffer.from('{"rows":['), megabytes(9, "{},"), Buffer.from("{}]}")]),
      60_000,
    ),
  ),
  "10 MB of [": clients(4, sendOnce("/predict", JSON_TYPE, megabytes(10, "["), 60_000)),
  "10 MB of newlines": clients(8, sendOnce("/predict", LINES_TYPE, megabytes(10, "\n"), 60_000)),
  "a chunk per byte": clients(16, async (port, stop) => {
    const socket = open(port);
    socket.write(`${head("/predict", JSON_TYPE, "chunked")}\r\n`);
    const bytes = Buffer.from(chunk("x").repeat(20_000));
    while (!stop.aborted && !socket.destroyed) {
      if (!socket.write(bytes))
        await Promise.race([new Promise((done) => socket.once("drain", done)), closed(socket), ended(stop)]);
    }
    socket.destroy();
  }),
  "a chunk per row": clients(16, async (port, stop) => {
    const socket = open(port);
    socket.write(`${head("/predict", LINES_TYPE, "chunked")}\r\n`);
    const bytes = Buffer.from(chunk("{}\n").repeat(10_000));
    while (!stop.aborted && !socket.destroyed) {
      if (!socket.write(bytes))
        await Promise.race([new Promise((done) => socket.once("drain", done)), closed(socket), ended(stop)]);
    }
    socket.destroy();
  }),
  "headers that never end": clients(
    500,
    trickle("POST /predict HTTP/1.1\r\nHost: 127.0.0.1\r\n", "X-More: 1\r\n", 1000),
  ),
  "bodies that never end": clients(64, trickle(`${head("/predict", JSON_TYPE, 1000)}\r\n{`, " ", 1000)),
  "answers that nobody reads": clients(32, async (port, stop) => {
    const socket = open(port, { read: false });
    const body = rows(2000);
    socket.pause().write(`${head("/predict", JSON_TYPE, body.length)}\r\n${body}`);
    await Promise.race([ended(stop), pause(20_000)]);
    socket.destroy();
  }),
  "a stream that nobody reads": clients(32, async (port, stop) => {
    const socket = open(port, { read: false }).pause();
    socket.write(`${head("/predict", LINES_TYPE, "chunked")}\r\n`);
    const lines = chunk("{}\n".repeat(1000));
    while (!stop.aborted && !socket.destroyed) {
      if (!socket.write(lines))
        await Promise.race([new Promise((done) => socket.once("drain", done)), closed(socket), ended(stop)]);
    }
    socket.destroy();
  }),
  "requests in a row on one connection": clients(8, async (port, stop) => {
    const body = '{"row":{}}';
    const one = `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${head("/predict", JSON_TYPE, body.length)}\r\n${body}`;
    const socket = open(port);
    socket.write(one.repeat(2000));
    await Promise.race([closed(socket), pause(10_000), ended(stop)]);
    socket.destroy();
  }),
  "10,000 connections": async (port, stop) => {
    const sockets = Array.from({ length: 10_000 }, () => open(port));
    await ended(stop);
    for (const socket of sockets) socket.destroy();
  },
  "random bytes": clients(64, async (port) => {
    const socket = open(port);
    socket.end(Buffer.from(Array.from({ length: 1 + g.integer(2000) }, () => g.integer(256))));
    await Promise.race([closed(socket), pause(1000)]);
    socket.destroy();
  }),
  /** The soak: questions of every kind at full load, and clients that leave at random. */
  "questions of every kind, left at random": clients(
    48,
    async (port, stop) => {
      const [path, type, body] = questions[g.integer(questions.length)];
      await sendOnce(
        path,
        type,
        Buffer.from(body),
        g.uniform() < 0.5 ? 1000 * g.uniform() : 15_000,
      )(port, stop);
    },
    0,
  ),
  /** It ends by itself. */
  [MUTATED]: async (port, stop) => {
    let left = 10_000;
    const done = new AbortController();
    const once: Attack = async () => {
      if (left-- <= 0 || stop.aborted) return done.abort();
      const socket = open(port);
      socket.write(mutated());
      await Promise.race([closed(socket), pause(100), ended(stop)]);
      socket.destroy();
    };
    await clients(32, once)(port, done.signal);
  },
};
