import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

const VERSIONS = "/usr/lib/postgresql";

/** Where Debian's package has the server, the newest version; undefined where it is not installed. */
export const postgresPrograms = existsSync(VERSIONS)
  ? readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, "bin"))
      .find((folder) => existsSync(join(folder, "initdb")))
  : undefined;

export interface PostgresServer {
  readonly url: string;
  /** Runs SQL with psql. */
  readonly run: (sql: string) => string;
  readonly stop: () => void;
}

/** Starts a real server on a loopback port, with a data folder of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-postgres-"));
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const port = await freePort();
  program("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"]);
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  program("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start"]);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    url,
    run: (sql) =>
      check(
        "psql",
        spawnSync("psql", ["-qAt", "-v", "ON_ERROR_STOP=1", url], { input: sql, encoding: "utf8" }),
      ),
    stop: () => {
      program("pg_ctl", ["-D", data, "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The server refuses to run as root, so root runs it as the user that the package made. */
function program(name: string, words: readonly string[]): string {
  const path = join(postgresPrograms ?? "", name);
  const [command, ...rest] = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--", path] : [path];
  // Not piped: the server would keep the pipe open, and the call would wait for it.
  return check(
    name,
    spawnSync(command, [...rest, ...words], { encoding: "utf8", cwd: tmpdir(), stdio: "ignore" }),
  );
}

function check(
  name: string,
  { status, stdout, stderr }: { status: number | null; stdout: string | null; stderr: string | null },
): string {
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return stdout ?? "";
}
