import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

const HOST = fileURLToPath(new URL("./command-host.mjs", import.meta.url));

/** A command line and the folder in which it runs. */
export interface Asked {
  readonly words: readonly string[];
  readonly cwd: string;
  /** All environment variables, if they are not those of the host. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input in base64. */
  readonly input?: string | undefined;
}

/** How it ended, and what it wrote. */
export interface Told {
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands in one process that lives on between them; one that hangs is ended, and another takes its place. */
export class HostedCommands {
  private host: ChildProcess | undefined;
  private readonly hangs: number;

  /** @param hangs milliseconds after which a command is taken to hang */
  constructor(hangs: number) {
    this.hangs = hangs;
  }

  run(asked: Asked): Promise<Told> {
    this.host ??= fork(HOST, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const { host } = this;
    return new Promise((resolve) => {
      const settle = (told: Told): void => {
        clearTimeout(watchdog);
        host.off("message", settle).off("exit", die);
        resolve(told);
      };
      const die = (code: number | null, signal: string | null): void => {
        this.host = undefined;
        settle({ status: code ?? String(signal), stdout: "", stderr: "the process ended" });
      };
      const watchdog = setTimeout(() => host.kill("SIGKILL"), this.hangs);
      host.on("message", settle).on("exit", die);
      host.send(asked);
    });
  }

  /** Lets the process end as a command does, which takes its temporary files away. */
  end(): void {
    this.host?.disconnect();
    this.host = undefined;
  }
}
