import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { CliError, quoted, showable } from "../errors.ts";

/** A file format: delimited text, JSON objects, Parquet or an Excel workbook. */
export type FileFormat = "csv" | "json" | "parquet" | "xlsx";

/** The source of rows that DATA names. Only its name is ever printed. */
export type Address =
  /** Files, folders and patterns, read one after the other; {@link STDIN} is standard input. */
  | { readonly engine: "file"; readonly paths: readonly string[]; readonly name: string }
  | {
      readonly engine: "duckdb";
      readonly path: string;
      readonly table: string | undefined;
      readonly name: string;
    }
  | SqliteAddress
  | ServerAddress;

/** An SQLite database, read through a copy, which is called `data` in conditions. */
export interface SqliteAddress {
  readonly engine: "sqlite";
  readonly path: string;
  /** The table to copy; undefined for the only one. */
  readonly source: string | undefined;
  readonly name: string;
}

/** A table of a database server, and how to reach the server. */
export interface ServerAddress {
  readonly engine: "postgres" | "clickhouse";
  /** The address without its secrets. */
  readonly name: string;
  readonly encrypted: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly database: string | undefined;
  /** The parameters after the question mark. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly table: string | undefined;
}

interface Scheme {
  readonly engine: ServerAddress["engine"];
  readonly encrypted: boolean;
  /** The allowed parameters. */
  readonly parameters: ReadonlySet<string>;
}

/** The parameters of libpq; those that only tune its sockets are accepted and have no effect. */
const POSTGRES = new Set(
  "host port user password dbname service passfile sslmode sslrootcert sslcert sslkey connect_timeout application_name fallback_application_name options client_encoding channel_binding gssencmode target_session_attrs keepalives keepalives_idle keepalives_interval keepalives_count sslsni sslcompression".split(
    " ",
  ),
);
const CLICKHOUSE = new Set(["user", "password", "database", "secure", "ca"]);

const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ["postgres", { engine: "postgres", encrypted: false, parameters: POSTGRES }],
  ["postgresql", { engine: "postgres", encrypted: false, parameters: POSTGRES }],
  ["clickhouse", { engine: "clickhouse", encrypted: false, parameters: CLICKHOUSE }],
  ["clickhouses", { engine: "clickhouse", encrypted: true, parameters: CLICKHOUSE }],
]);

const FORMS =
  "a file, - for standard input, duckdb:FILE#TABLE, sqlite:FILE#TABLE, postgres://…#TABLE or clickhouse://…#TABLE";

/** Whether a text looks like an address, even an incomplete one. */
export function isAddress(text: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1].toLowerCase() ?? "";
  return text.includes("://") || scheme === "duckdb" || scheme === "sqlite" || SCHEMES.has(scheme);
}

/** The file name that means standard input. */
export const STDIN = "-";

/** Whether a word names standard input; opening the system's names for it fails if it is a socket. */
export function isStdin(word: string): boolean {
  return [STDIN, "/dev/stdin", "/dev/fd/0"].includes(word);
}

/** Parses DATA, which may be several files. Anything that is no address is a path. */
export function parseAddress(data: string | readonly string[]): Address {
  const [first, ...others] = [data].flat().map(parseWord);
  if (others.length === 0) return first;
  const files = [first, ...others].map((address) => {
    if (address.engine === "file") return address;
    throw new CliError(
      "usage",
      `${quoted(address.name)} is a database, expected files where DATA is several`,
    );
  });
  return {
    engine: "file",
    paths: files.flatMap(({ paths }) => paths),
    name: files.map(({ name }) => name).join(", "),
  };
}

function parseWord(text: string): Address {
  if (isStdin(text)) return { engine: "file", paths: [STDIN], name: "standard input" };
  const [, written = "", rest = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? [];
  const scheme = written.toLowerCase();
  if (scheme === "duckdb" || scheme === "sqlite") {
    const at = rest.lastIndexOf("#");
    const path = at < 0 ? rest : rest.slice(0, at);
    const table = at < 0 ? undefined : decoded(rest.slice(at + 1));
    const name = showable(path);
    return scheme === "duckdb"
      ? { engine: "duckdb", path, table, name }
      : { engine: "sqlite", path, source: table, name };
  }
  const server = SCHEMES.get(scheme);
  if (server && rest.startsWith("//")) return parseServer(scheme, server, rest.slice(2));
  if (text.includes("://"))
    throw new CliError("not-available", `"${scheme}://…": ${scheme} addresses are not supported`, {
      hint: `DATA is ${FORMS}`,
    });
  if (server || (/^[^/]+:[^/]*@|\bpassword=/i.test(text) && !existsSync(text)))
    throw new CliError("usage", "DATA is neither a file nor an address, which would hold a ://", {
      hint: `DATA is ${FORMS}`,
    });
  if (/[.](sqlite3?|db3?)$/i.test(text) && isSqlite(text))
    return { engine: "sqlite", path: text, source: undefined, name: text };
  return { engine: "file", paths: [text], name: text };
}

/** Whether a file is an SQLite database, by its first bytes. */
function isSqlite(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(16);
    return readSync(file, head, 0, head.length, 0) === head.length && head.toString() === "SQLite format 3\0";
  } finally {
    closeSync(file);
  }
}

/** host:port/database?parameters#table, all of it optional. */
const PLACE =
  /^(?<host>\[[0-9a-f:.%]+\]|[^\s@/?#:[\]]*)(?::(?<port>\d{1,5}))?(?:\/(?<database>[^@?#]*))?(?:\?(?<query>[^#]*))?(?:#(?<table>[^@]*))?$/i;

/**
 * Parses the part after ://. Passwords are often pasted unescaped: if the address is invalid by the standard, everything
 * before its last @ is user and password.
 */
function parseServer(
  scheme: string,
  { engine, encrypted, parameters: known }: Scheme,
  rest: string,
): Address {
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? "";
  for (const at of new Set([authority.lastIndexOf("@"), rest.lastIndexOf("@")])) {
    const place = PLACE.exec(rest.slice(at + 1))?.groups;
    if (!place) continue;
    const parameters = new Map(new URLSearchParams(place.query ?? ""));
    const unknown = [...parameters.keys()].find((name) => !known.has(name));
    if (unknown !== undefined && rest.includes("@", at + 1)) continue;
    const [user, password] = at < 0 ? [] : credentials(rest.slice(0, at));
    const { host, port, database, table } = place;
    const name = `${scheme}://${user ? `${user}@` : ""}${host}${port ? `:${port}` : ""}${database ? `/${database}` : ""}${table ? `#${decoded(table)}` : ""}`;
    if (unknown !== undefined)
      throw new CliError("usage", `${quoted(name)}: there is no parameter ${quoted(unknown)}`, {
        hint: `there are ${[...known].join(", ")}`,
      });
    return {
      engine,
      name,
      encrypted,
      user: user || undefined,
      password,
      host: decoded(host.replace(/^\[|\]$/g, "")) || undefined,
      port: port === undefined ? undefined : Number(port),
      database: decoded(database ?? "") || undefined,
      parameters,
      table: decoded(table ?? "") || undefined,
    };
  }
  throw new CliError(
    "usage",
    `"${scheme}://…" is not a valid address, expected ${scheme}://user:password@host:port/database#table`,
    {
      hint: "write what is special in user and password as %40 for @, %2F for /, or leave the password out and to the environment",
    },
  );
}

function credentials(text: string): [user: string, password: string | undefined] {
  const colon = text.indexOf(":");
  return colon < 0
    ? [decoded(text), undefined]
    : [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
}

/** Percent signs that do not begin an escape are kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The format by the ending of a file name; undefined if the ending is unknown. */
export function namedFormat(path: string): FileFormat | undefined {
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, "");
  if (/\.(parquet|pq)$/.test(name)) return "parquet";
  if (/\.(json|jsonl|ndjson)$/.test(name)) return "json";
  if (/\.xls[xm]$/.test(name)) return "xlsx";
  return /\.(csv|tsv)$/.test(name) ? "csv" : undefined;
}
