import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
  /** From now on a role needs its password. */
  readonly requirePassword: (role: string) => void;
  /** From now on the server has TLS, with a certificate of its own whose file this is. */
  readonly startTls: () => string;
  /** Ends all processes at once, as a crash would, and starts the server again. */
  readonly restart: () => void;
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
  const run = (sql: string): string =>
    check(
      "psql",
      spawnSync("psql", ["-qAt", "-v", "ON_ERROR_STOP=1", url], { input: sql, encoding: "utf8" }),
    );
  return {
    url,
    run,
    requirePassword: (role) => {
      const rules = join(data, "pg_hba.conf");
      writeFileSync(rules, `host all ${role} 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, "utf8")}`);
      run("SELECT pg_reload_conf()");
    },
    startTls: () => {
      const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")];
      const names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
      const made = [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
        ...names,
      ];
      check("openssl", spawnSync("openssl", made, { encoding: "utf8" }));
      const { uid, gid } = statSync(data);
      chownSync(key, uid, gid);
      run(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
      run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
      run("ALTER SYSTEM SET ssl = on");
      run("SELECT pg_reload_conf()");
      return certificate;
    },
    restart: () => {
      program("pg_ctl", ["-D", data, "-w", "-m", "immediate", "-l", join(folder, "log"), "restart"]);
    },
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
