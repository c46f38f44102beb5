import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CliError } from "../../src/errors.ts";
import { parseAddress, type ServerAddress } from "../../src/sources/address.ts";

/** All that is special in addresses, in shells and in JSON. */
const AWKWARD = [
  "p@ss/w:o#r?d%&+ ü'\"\\",
  "1234",
  "12/",
  "12?a=b",
  "#",
  "@",
  "a@b.c/d#e",
  "100%",
  "%zz",
  "://",
];

function server(text: string): ServerAddress {
  const address = parseAddress(text);
  if (!("host" in address)) throw new Error(`${text} is no server`);
  return address;
}

/** What is shown of an address, or of the error that it is. */
function shown(text: string): string {
  try {
    return parseAddress(text).name;
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    return `${thrown.message} ${thrown.hint}`;
  }
}

describe("the address of a server", () => {
  test.each(AWKWARD)("is read with the password %j pasted as it is, and encoded", (password) => {
    for (const scheme of ["postgres", "PostgreSQL", "clickhouse", "clickhouses"])
      for (const written of [password, encodeURIComponent(password)])
        for (const rest of ["host:5433/base#a.b", "host/base", "[::1]:1/base#t", "host/base?user=other#t"]) {
          const address = server(`${scheme}://me:${written}@${rest}`);
          expect(address).toMatchObject({ user: "me", password, database: "base" });
          expect(address.name).toBe(`${scheme.toLowerCase()}://me@${rest.replace(/\?[^#]*/, "")}`);
        }
  });

  test("takes user and password as parameters, and shows none of them", () => {
    const { parameters, name } = server("clickhouse://host/base?user=me&password=p%40ss%26#t");
    expect([...parameters]).toEqual([
      ["user", "me"],
      ["password", "p@ss&"],
    ]);
    expect(name).toBe("clickhouse://host/base#t");
  });

  test("may leave everything to the environment", () => {
    expect(server("postgres:///?service=prod#t")).toMatchObject({
      host: undefined,
      user: undefined,
      table: "t",
    });
    expect(server("postgres://#t").name).toBe("postgres://#t");
  });

  test("with a parameter that does not exist, or of no known kind, is an error without a secret", () => {
    expect(() => parseAddress("postgres://me:secret@h/b?sslmod=require#t")).toThrow(
      /"postgres:\/\/me@h\/b#t": there is no parameter "sslmod"/,
    );
    for (const text of [
      "mysql://me:secret@h/b",
      "jdbc:postgresql://me:secret@h/b",
      "s3://me:secret@bucket",
      "postgres:me:secret@h/b",
      "me:secret@host/b",
      "host=h password=secret",
      "postgres://me:secret@h:port/b",
      "duckdb:md:base?motherduck_token=secret#t",
    ])
      expect(shown(text)).not.toContain("secret");
  });

  test("never shows a password, whatever it is and wherever the address is cut", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), fc.nat(), (noise, cut) => {
        const password = `${noise.slice(0, 6)}S3CR3T${noise.slice(6)}`;
        const text = `postgres://me:${password}@host:5432/base#t`;
        expect(shown(text)).not.toContain("S3CR3T");
        // A cut address may read as one whose host follows this @, or as a host with a port and what follows that.
        if (noise.includes("@") || /^\d*[/?#]/.test(noise)) return;
        const damaged = text.slice(0, Math.max(text.indexOf("S3CR3T") + 6, cut % text.length));
        expect(shown(damaged)).not.toContain("S3CR3T");
      }),
    );
  });
});
