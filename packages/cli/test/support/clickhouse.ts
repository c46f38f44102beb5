import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { PASSWORD } from "./secrets.ts";

const PROGRAMS = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];

/** The server of Debian's package or of ClickHouse's own; undefined where it is not installed. */
export const clickhouseProgram = PROGRAMS.find((path) => existsSync(path));

/** One server of a cluster. */
export interface Shard {
  /** Of its HTTP interface. */
  readonly url: string;
  readonly tcpPort: number;
  readonly start: () => Promise<void>;
  /** Ends the process at once, as a crash would. */
  readonly stop: () => Promise<void>;
  /** Runs a statement and gives its result back as text; `body` is what is inserted. */
  readonly run: (sql: string, body?: string | Buffer) => Promise<string>;
}

export interface Cluster {
  readonly shards: readonly Shard[];
  /** The address of the first shard's database as DATA has it, without a table. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Starts servers on loopback ports, each with folders of its own; every one knows all as the cluster "both". */
export async function startCluster(size = 2): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "conformant-clickhouse-"));
  const ports = await Promise.all(Array.from({ length: 3 * size }, freePort));
  const tcpPorts = ports.slice(size, 2 * size);
  const shards = tcpPorts.map((tcpPort, s) =>
    shard(join(folder, `${s}`), { http: ports[s], tcp: tcpPort, interserver: ports[2 * size + s] }, tcpPorts),
  );
  await Promise.all(shards.map((one) => one.start()));
  return {
    shards,
    address: `clickhouse://127.0.0.1:${ports[0]}/default`,
    stop: async () => {
      await Promise.all(shards.map((one) => one.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Ports {
  readonly http: number;
  readonly tcp: number;
  readonly interserver: number;
}

function shard(folder: string, ports: Ports, tcpPorts: readonly number[]): Shard {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.xml"), configuration(folder, ports, tcpPorts));
  writeFileSync(join(folder, "users.xml"), USERS);
  const url = `http://127.0.0.1:${ports.http}`;
  let process: ChildProcess | undefined;
  const run = async (sql: string, body?: string | Buffer): Promise<string> => {
    const response = await fetch(`${url}/?query=${encodeURIComponent(body === undefined ? "" : sql)}`, {
      method: "POST",
      headers: { Connection: "close" }, // the server ends idle connections when it likes
      body: body === undefined ? sql : new Uint8Array(Buffer.from(body)),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    return text;
  };
  return {
    url,
    tcpPort: ports.tcp,
    run,
    start: async () => {
      process = spawn(clickhouseProgram ?? "", [`--config-file=${join(folder, "config.xml")}`], {
        stdio: "ignore",
        cwd: folder,
      });
      await answers(run, process);
    },
    stop: () =>
      new Promise((resolve) => {
        if (!process || process.exitCode !== null || process.signalCode !== null) return resolve();
        process.once("exit", () => resolve());
        process.kill("SIGKILL");
      }),
  };
}

/** Waits until the server answers a query. */
async function answers(run: Shard["run"], process: ChildProcess): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    if (process.exitCode !== null) throw new Error(`clickhouse-server ended with ${process.exitCode}`);
    const isUp = await run("SELECT 1").then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (attempt > 300) throw new Error("clickhouse-server does not answer");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function configuration(folder: string, ports: Ports, tcpPorts: readonly number[]): string {
  const members = tcpPorts.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`,
  );
  return `<yandex>
<logger><level>warning</level><log>${folder}/log</log><errorlog>${folder}/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host>
<http_port>${ports.http}</http_port><tcp_port>${ports.tcp}</tcp_port>
<interserver_http_port>${ports.interserver}</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size><max_concurrent_queries>100</max_concurrent_queries>
<remote_servers><both>${members.join("")}</both></remote_servers>
</yandex>`;
}

/** Profiles under which a query may answer from less than all rows, or may change no setting. */
const PROFILES: Readonly<Record<string, string>> = {
  default: "<allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type>",
  reader: "<readonly>2</readonly>",
  guest: "<readonly>1</readonly>",
  skipper: "<skip_unavailable_shards>1</skip_unavailable_shards>",
  sealed: "<readonly>1</readonly><skip_unavailable_shards>1</skip_unavailable_shards>",
  hasty: "<max_rows_to_read>100</max_rows_to_read><read_overflow_mode>break</read_overflow_mode>",
  tight: "<max_memory_usage>200000</max_memory_usage>",
  brief: "<max_execution_time>1</max_execution_time>",
  rationed: "",
  locked: "",
  alice: "",
};

const PASSWORDS: Readonly<Record<string, string>> = { locked: "p@ss", alice: PASSWORD };
const inXml = (text: string): string => text.replaceAll(/[&<]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** A user for each profile; two have a password. */
const USERS = `<yandex>
<profiles>${Object.entries(PROFILES)
  .map(
    ([name, rest]) =>
      `<${name}>${rest.includes("max_memory_usage") ? "" : "<max_memory_usage>2000000000</max_memory_usage>"}${rest}</${name}>`,
  )
  .join("")}</profiles>
<users>${Object.keys(PROFILES)
  .map(
    (name) =>
      `<${name}><password>${inXml(PASSWORDS[name] ?? "")}</password><networks><ip>127.0.0.1</ip></networks><profile>${name}</profile><quota>${name === "rationed" ? name : "default"}</quota></${name}>`,
  )
  .join("")}</users>
<quotas><default></default><rationed><interval><duration>36000</duration><queries>6</queries><errors>0</errors><result_rows>0</result_rows><read_rows>0</read_rows><execution_time>0</execution_time></interval></rationed></quotas>
</yandex>`;
