import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { packageFolders, readText, root } from "../repository.ts";
import type { Snippet } from "./read-snippets.ts";
import { writeRememberingCommand } from "./remembering-command.ts";

/** What a program left behind when it ended. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const programTimeout = 60_000;
const bin = join(root, "node_modules/.bin");
const tsx = import.meta.resolve("tsx");
const tsc = join(root, "node_modules/typescript/bin/tsc");
/** Debian's Python finds Debian's modules; another one may be the first on the path. */
const python = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";

/**
 * A temporary project that has this repository's built packages installed, as a reader of the pages would.
 * Each page has a folder in it, where its programs run in the order of the page: one may write a file that the
 * next one reads. `examples` leads to the examples of this repository, and those files of it that a page offers for download lie in
 * the folder itself.
 */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), "conformant-docs-"));
  readonly #tools = join(this.#folder, "tools");

  constructor() {
    const modules = join(this.#folder, "node_modules");
    mkdirSync(modules);
    for (const folder of packageFolders()) {
      const { name } = JSON.parse(readText(`${folder}/package.json`)) as { name: string };
      symlinkSync(join(root, folder), join(modules, name), "junction"); // needs no rights on Windows
    }
    writeRememberingCommand(this.#tools, join(root, "packages/cli/dist/main.js"));
    this.#write("package.json", { type: "module" });
    this.#write("tsconfig.json", {
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: {
        types: ["node"],
        typeRoots: [join(root, "node_modules/@types")],
        moduleDetection: "force", // every program is a module, with names of its own
      },
    });
  }

  /** Writes a TypeScript program into the folder of its page and returns its file name. */
  place(page: string, { line, program }: Snippet): string {
    const file = join(this.#folderOf(page), `line-${line}.ts`);
    writeFileSync(file, `${program}\n`);
    return file;
  }

  /** Runs a program of a page to its end. */
  run(page: string, snippet: Snippet): Outcome {
    const cwd = this.#folderOf(page);
    const { language, program } = snippet;
    if (language === "ts")
      return this.#execute(process.execPath, ["--import", tsx, this.place(page, snippet)], cwd);
    if (language === "py") return this.#execute(python, ["-c", program], cwd);
    return this.#execute("bash", ["-euo", "pipefail", "-c", program], cwd);
  }

  /** Whether a program is on the path. */
  has(program: string): boolean {
    return spawnSync("bash", ["-c", `command -v ${program}`]).status === 0;
  }

  /** Checks the types of all programs placed so far. */
  checkTypes(): Outcome {
    return this.#execute(process.execPath, [tsc, "--project", "."], this.#folder);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  #folderOf(page: string): string {
    const folder = join(this.#folder, page);
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      if (existsSync(join(root, "examples")))
        symlinkSync(join(root, "examples"), join(folder, "examples"), "junction");
      for (const [, file] of readText(page).matchAll(/\]\((?:\.\.\/)+examples\/([\w.-]+\.csv)\)/g))
        copyFileSync(join(root, "examples", file), join(folder, file));
    }
    return folder;
  }

  #write(file: string, content: object): void {
    writeFileSync(join(this.#folder, file), JSON.stringify(content));
  }

  #execute(command: string, args: readonly string[], cwd: string): Outcome {
    const { PATH = "", HOME = "", SystemRoot = "" } = process.env;
    // Nothing else of the environment: the variables of the test runner change how programs behave.
    const env = {
      PATH: [this.#tools, bin, dirname(process.execPath), PATH].join(delimiter),
      HOME,
      PYTHONPATH: join(root, "python/src"),
      SystemRoot,
      NO_COLOR: "1",
    };
    return spawnSync(command, args, { cwd, env, encoding: "utf8", timeout: programTimeout });
  }
}
