import { expect, test } from "vitest";
import { checkWrittenName } from "../../src/targets/find-target.ts";

test.each(["postgres://me:secret@h/b#t", "duckdb:x.duckdb#t", "ClickHouse://h/b#t", "postgres:h/b"])(
  "an address is no name of a table, folder or run: %s",
  (address) => {
    expect(() => checkWrittenName("into", address)).toThrow("--into is an address, expected a table of");
    expect(() => checkWrittenName("run", address)).toThrow("--run is an address, expected a name");
  },
);

test.each(["scores", "public.scores", "out/", "C:\\scores", "duckdb", "nightly: monday"])(
  "a name is one: %s",
  (name) => {
    checkWrittenName("into", name);
    checkWrittenName("run", name);
  },
);
