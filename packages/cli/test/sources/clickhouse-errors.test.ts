import { expect, test } from "vitest";
import { clickhouseError, isException, isTransient } from "../../src/sources/clickhouse/clickhouse-errors.ts";

const OLD =
  "Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \\n\\nCode: 210, e.displayText() = DB::NetException: Connection refused: (127.0.0.1:9001), e.what() = DB::NetException";

test("a server of the cluster that is away is named, by old and new versions, and asked again", () => {
  const fresh =
    "Code: 210. DB::NetException: Connection refused (shard2.example:9000). (NETWORK_ERROR) (version 24.8.1)";
  for (const [text, server] of [
    [OLD, "127.0.0.1:9001"],
    [fresh, "shard2.example:9000"],
  ]) {
    const error = clickhouseError(new Error(text), "clickhouse://a/b#t");
    expect(error.code).toBe("connection");
    expect(error.message).toContain(server);
    expect(isTransient(new Error(text))).toBe(true);
  }
});

test("a query that was killed is not asked again, and neither is one that is wrong", () => {
  const killed = new Error(
    "Code: 394, e.displayText() = DB::Exception: Query was cancelled, e.what() = DB::Exception",
  );
  expect(clickhouseError(killed, "t")).toMatchObject({
    code: "interrupted",
    message: '"t": the query was killed on the server',
  });
  const wrong = new Error(
    "Code: 47, e.displayText() = DB::Exception: Unknown identifier: x, e.what() = DB::Exception",
  );
  expect(clickhouseError(wrong, "t").message).toBe('"t": Unknown identifier: x');
  for (const error of [killed, wrong]) expect(isTransient(error)).toBe(false);
});

test("a connection that is cut is a failure that may pass", () => {
  const cut = Object.assign(new Error("aborted"), { code: "ECONNRESET" });
  expect(isTransient(cut)).toBe(true);
  expect(clickhouseError(cut, "t").code).toBe("connection");
});

test("an error in the middle of a result is told from a row", () => {
  expect(isException("Code: 395, e.displayText() = DB::Exception: no, e.what() = DB::Exception")).toBe(true);
  expect(isException("Code: 395. DB::Exception: no. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)")).toBe(true);
  expect(isException("Code: 12 of a parcel")).toBe(false);
});
