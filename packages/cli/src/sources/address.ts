import { CliError, quoted } from "../errors.ts";

export type FileFormat = "csv" | "json" | "parquet";

/** Where rows come from, as DATA on the command line says. */
export type Address =
  | { readonly engine: "file"; readonly path: string; readonly format: FileFormat }
  | { readonly engine: "stdin" }
  | { readonly engine: "duckdb"; readonly path: string; readonly table: string | undefined }
  | { readonly engine: "postgres"; readonly url: string; readonly table: string | undefined }
  | { readonly engine: "clickhouse"; readonly url: string; readonly table: string | undefined };

/** A table of a database server. */
export type ServerAddress = Extract<Address, { url: string }>;

/** Reads DATA. What has no known form is taken for the path of a CSV file. */
export function parseAddress(text: string): Address {
  if (text === "-") return { engine: "stdin" };
  const [, scheme] = /^([a-z][a-z0-9+]+):/i.exec(text) ?? [];
  if (scheme === "duckdb") {
    const { head, table } = splitTable(text.slice("duckdb:".length));
    return { engine: "duckdb", path: head, table };
  }
  if (scheme === "postgres" || scheme === "postgresql") {
    const { head, table } = splitTable(text);
    return { engine: "postgres", url: head, table };
  }
  if (scheme === "clickhouse" || scheme === "clickhouses") {
    const { head, table } = splitTable(text);
    return { engine: "clickhouse", url: head, table };
  }
  if (scheme !== undefined && text.startsWith(`${scheme}://`)) {
    throw new CliError("not-available", `${quoted(text)}: there is no source for ${scheme} addresses`, {
      hint: "DATA is a file, - for standard input, duckdb:FILE#TABLE, postgres://…#TABLE or clickhouse://…#TABLE",
    });
  }
  return { engine: "file", path: text, format: formatOf(text) };
}

/** The table stands behind the last #. */
function splitTable(text: string): { head: string; table: string | undefined } {
  const at = text.lastIndexOf("#");
  return at < 0
    ? { head: text, table: undefined }
    : { head: text.slice(0, at), table: decodeURIComponent(text.slice(at + 1)) };
}

/** By the file's name; anything unknown is read as text in columns, whose separator is found out. */
export function formatOf(path: string): FileFormat {
  const name = path.toLowerCase().replace(/\.(gz|zst)$/, "");
  if (/\.(parquet|pq)$/.test(name)) return "parquet";
  return /\.(json|jsonl|ndjson)$/.test(name) ? "json" : "csv";
}

/** A server's address as messages show it. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, "$1@").replace(/\?.*$/, "");
}
