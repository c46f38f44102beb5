import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { CliError, quoted } from "../../errors.ts";
import type { ServerAddress } from "../address.ts";
import { readError } from "../files/input-file.ts";

/** How to reach the HTTP interface of a server. */
export interface ClickhouseConnection {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** The certificate authority of the server's certificate (default: those of the system). */
  readonly authority?: Buffer;
}

/** The ports of the HTTP interface, plain and encrypted. */
const [PLAIN_PORT, ENCRYPTED_PORT] = [8123, 8443];

/** Missing parts of the address come from the environment, then from the configuration of clickhouse-client. */
export function clickhouseConnection(address: ServerAddress): ClickhouseConnection {
  const { parameters, name } = address;
  const secure = parameters.get("secure");
  if (secure !== undefined && !/^([01]|true|false)$/.test(secure))
    throw new CliError("usage", `${quoted(name)}: secure must be 1 or 0, got ${quoted(secure)}`);
  const encrypted = address.encrypted || secure === "1" || secure === "true";
  const host = address.host ?? "localhost";
  const port = address.port ?? (encrypted ? ENCRYPTED_PORT : PLAIN_PORT);
  const user = address.user ?? parameters.get("user") ?? process.env.CLICKHOUSE_USER;
  const password = address.password ?? parameters.get("password") ?? process.env.CLICKHOUSE_PASSWORD;
  const configured = password === undefined ? readClientConfiguration(user) : undefined;
  const authority = parameters.get("ca");
  return {
    url: `${encrypted ? "https" : "http"}://${host.includes(":") ? `[${host}]` : host}:${port}`,
    username: user ?? configured?.user ?? "default",
    password: password ?? configured?.password ?? "",
    database: address.database ?? parameters.get("database") ?? "default",
    ...(authority !== undefined && { authority: readFile(authority) }),
  };
}

/** User and password from clickhouse-client's configuration, the first file that exists; not those of another user. */
function readClientConfiguration(
  user: string | undefined,
): { readonly user: string | undefined; readonly password: string | undefined } | undefined {
  const path = [
    "clickhouse-client.xml",
    join(homedir(), ".clickhouse-client/config.xml"),
    "/etc/clickhouse-client/config.xml",
  ].find((candidate) => existsSync(candidate));
  if (path === undefined) return undefined;
  const parser = new XMLParser({ parseTagValue: false, processEntities: true });
  const document = parser.parse(readFile(path)) as Record<string, Record<string, unknown> | undefined>;
  const { user: configured, password } = document.config ?? document.clickhouse ?? document.yandex ?? {};
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  if (user !== undefined && text(configured) !== undefined && user !== configured) return undefined;
  return { user: text(configured), password: text(password) };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (thrown) {
    throw readError(path, thrown);
  }
}
