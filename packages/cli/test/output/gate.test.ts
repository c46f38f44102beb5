import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Gate } from "../../src/output/gate.ts";

test("what is passing a gate is done before it closes, and nothing passes it afterwards", async () => {
  const gate = new Gate();
  // Another thread is inside for a while: it takes the gate as `pass` does, and leaves a mark before it lets go.
  const mark = new Int32Array(new SharedArrayBuffer(4));
  const state = new Int32Array(gate.memory);
  const worker = new Worker(
    `const { workerData: { state, mark } } = require("node:worker_threads");
     Atomics.compareExchange(state, 0, 0, 1);
     Atomics.wait(mark, 0, 0, 200);
     Atomics.store(mark, 0, 1);
     Atomics.store(state, 0, 0);
     Atomics.notify(state, 0);`,
    { eval: true, workerData: { state, mark } },
  );
  while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  gate.close(10_000);
  expect(Atomics.load(mark, 0)).toBe(1);
  expect(() => gate.pass(() => "made")).toThrow("stopped before the end");
  await expect(gate.call(async () => "asked")).rejects.toThrow("stopped before the end");
  await worker.terminate();
});

test("a gate that does not become free is given up on", () => {
  const gate = new Gate();
  gate.pass(() => gate.close(10));
  expect(gate.pass(() => "made")).toBe("made");
});

test("a gate is quiet when no call is out, however the calls end", async () => {
  const gate = new Gate();
  let answer: (text: string) => void = () => undefined;
  const call = gate.call(() => new Promise<string>((resolve) => (answer = resolve)));
  expect(gate.isBusy).toBe(true);
  expect(await gate.isQuiet(10)).toBe(false);
  answer("yes");
  expect(await call).toBe("yes");
  await expect(gate.call(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await gate.isQuiet(10)).toBe(true);
});
