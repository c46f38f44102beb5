import { existsSync, readFileSync, statSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { CliError, listed, quoted } from "../../errors.ts";
import type { ServerAddress } from "../address.ts";
import { readError } from "../files/input-file.ts";

/** How TLS is negotiated; libpq's meanings. */
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof MODES)[number];

/** The socket folder of Debian and of most other servers. */
const SOCKETS = "/var/run/postgresql";
const CONNECT_SECONDS = 15;

/**
 * The ways to reach a server, in the order to try them: with and without TLS, according to the mode. What the address
 * leaves open comes from the places where libpq looks: the service file, the environment, the defaults, and for the password the
 * password file.
 */
export function postgresConfigs(address: ServerAddress): ClientConfig[] {
  const { parameters } = address;
  const service = readService(parameters.get("service") ?? process.env.PGSERVICE);
  const find = (name: string, variable: string, own?: string | undefined): string | undefined =>
    own ?? parameters.get(name) ?? service.get(name) ?? (process.env[variable] || undefined);
  const host = find("host", "PGHOST", address.host) ?? (existsSync(SOCKETS) ? SOCKETS : "localhost");
  if (host.includes(","))
    throw new CliError("usage", `${quoted(address.name)}: expected one host, got ${quoted(host)}`);
  if (find("channel_binding", "PGCHANNELBINDING") === "require")
    throw new CliError("usage", `${quoted(address.name)}: channel_binding=require cannot be promised`, {
      hint: "leave it out; sslmode=verify-full checks the server's certificate",
    });
  const user = find("user", "PGUSER", address.user) ?? userInfo().username;
  const options = find("options", "PGOPTIONS");
  const port = readPort(address, find("port", "PGPORT", address.port?.toString()));
  const database = find("dbname", "PGDATABASE", address.database) ?? user;
  const password =
    find("password", "PGPASSWORD", address.password) ??
    findPassword(find("passfile", "PGPASSFILE") ?? usualPasswordFile(), [host, String(port), database, user]);
  const config: ClientConfig = {
    host,
    port,
    user,
    database,
    ...(password !== undefined && { password }),
    ...(options !== undefined && { options }),
    application_name: find("application_name", "PGAPPNAME") ?? "conformant",
    connectionTimeoutMillis: 1000 * Number(find("connect_timeout", "PGCONNECT_TIMEOUT") || CONNECT_SECONDS),
    keepAlive: true, // while the client computes nothing is sent
  };
  const mode = readMode(address, find("sslmode", "PGSSLMODE"));
  const plain = { ...config, ssl: false };
  if (host.startsWith("/") || mode === "disable") return [plain];
  const file = (name: string, variable: string, usual: string): string | undefined =>
    find(name, variable) ?? [join(homedir(), ".postgresql", usual)].find((path) => existsSync(path));
  const root = file("sslrootcert", "PGSSLROOTCERT", "root.crt");
  const [certificate, key] = [
    file("sslcert", "PGSSLCERT", "postgresql.crt"),
    file("sslkey", "PGSSLKEY", "postgresql.key"),
  ];
  const encrypted = {
    ...config,
    ssl: {
      ...verification(mode, root),
      ...(certificate !== undefined && { cert: readText(certificate) }),
      ...(key !== undefined && { key: readText(key) }),
    },
  };
  if (mode === "allow") return [plain, encrypted];
  return mode === "prefer" ? [encrypted, plain] : [encrypted];
}

/** What to verify of the server's certificate; `require` with a root certificate means `verify-ca`, as in libpq. */
function verification(mode: SslMode, root: string | undefined): ConnectionOptions {
  const ca = root === undefined || root === "system" ? {} : { ca: readText(root) };
  if (mode === "verify-full") return ca;
  if (mode === "verify-ca" || (mode === "require" && root !== undefined))
    return { ...ca, checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

function readMode({ name }: ServerAddress, text: string | undefined): SslMode {
  const mode = MODES.find((candidate) => candidate === (text ?? "prefer"));
  if (mode !== undefined) return mode;
  throw new CliError(
    "usage",
    `${quoted(name)}: sslmode must be one of ${MODES.join(", ")}, got ${quoted(text ?? "")}`,
  );
}

function readPort({ name }: ServerAddress, text: string | undefined): number {
  const port = Number(text ?? 5432);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new CliError("usage", `${quoted(name)}: a port is a number up to 65535, got ${quoted(text ?? "")}`);
}

/** The settings of a service, from the user's file or the system's. */
function readService(service: string | undefined): ReadonlyMap<string, string> {
  if (service === undefined) return new Map();
  const files = [
    process.env.PGSERVICEFILE ?? join(homedir(), ".pg_service.conf"),
    join(process.env.PGSYSCONFDIR ?? "/etc/postgresql-common", "pg_service.conf"),
  ];
  for (const file of files.filter((path) => existsSync(path))) {
    let section: string | undefined;
    const settings = new Map<string, string>();
    let found = false;
    for (const line of readText(file).split(/\r?\n/)) {
      section = /^\s*\[(.*)\]\s*$/.exec(line)?.[1] ?? section;
      found ||= section === service;
      const [, name, value] = /^\s*([a-z]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (section === service && name !== undefined) settings.set(name, value);
    }
    if (found) return settings;
  }
  throw new CliError("usage", `there is no service ${quoted(service)} in ${listed(files)}`);
}

function usualPasswordFile(): string {
  return process.platform === "win32"
    ? join(process.env.APPDATA ?? homedir(), "postgresql", "pgpass.conf")
    : join(homedir(), ".pgpass");
}

/** Four names and the password; colons and backslashes in them are escaped by a backslash. */
const PASSWORD_LINE = new RegExp(`^${"((?:\\\\.|[^:\\\\])*):".repeat(4)}(.*)$`);

/**
 * The password of the first line host:port:database:user:password of a password file whose names match or are `*`. As in libpq,
 * `localhost` also matches a socket, and a file that others may read is ignored.
 */
function findPassword(file: string, [host, ...names]: readonly string[]): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || (process.platform !== "win32" && (stats.mode & 0o077) !== 0)) return undefined;
  const hosts = host.startsWith("/") ? [host, "localhost"] : [host];
  for (const line of readText(file).split(/\r?\n/)) {
    const fields = PASSWORD_LINE.exec(line)
      ?.slice(1)
      .map((field) => field.replace(/\\(.)/g, "$1"));
    if (line.startsWith("#") || fields === undefined) continue;
    const [ownHost, ...rest] = fields;
    const isHost = ownHost === "*" || hosts.includes(ownHost);
    if (isHost && names.every((name, n) => rest[n] === "*" || rest[n] === name)) return rest[names.length];
  }
  return undefined;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw readError(path, thrown);
  }
}
