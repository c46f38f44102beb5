import { execFileSync, execSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readText, root } from "../repository.ts";

/** Stands for the root of the image's file system, which every absolute path of the Dockerfile is moved to. */
const image = mkdtempSync(join(tmpdir(), "conformant-image-"));
const inside = (text: string): string => text.replaceAll(/(?<=^|[\s"=])\/(?=\w)/g, `${image}/`);
const { NODE_ENV: _, ...outside } = process.env; // the tests' own
const env = {
  ...outside,
  PATH: `${join(image, "usr/local/bin")}:${dirname(process.execPath)}:${process.env.PATH}`,
  npm_config_prefix: join(image, "usr/local"),
};

afterAll(() => rmSync(image, { recursive: true, force: true }));

/** What the build is given: the files of the repository without those that .dockerignore leaves out. */
function copyContext(to: string): void {
  const files = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const ignored = readText(".dockerignore").trim().split("\n");
  const isIgnored = (file: string): boolean =>
    ignored.some((pattern) =>
      pattern.startsWith("**/")
        ? `/${file}/`.includes(`/${pattern.slice(3)}/`)
        : `${file}/`.startsWith(`${pattern}/`),
    );
  for (const file of files.filter((one) => one !== "" && !isIgnored(one)))
    cpSync(join(root, file), join(to, file));
}

/** Does what a Dockerfile says, in a folder, and gives back what a container of it would run. */
function build(dockerfile: string): string[] {
  let [workdir, run]: [string, string[]] = [image, []];
  const steps: Readonly<Record<string, (words: string) => void>> = {
    FROM: () => (workdir = image),
    WORKDIR: (path) => {
      workdir = inside(path);
      mkdirSync(workdir, { recursive: true });
    },
    COPY: (words) => {
      if (words.startsWith("--from=")) return; // the stages share the folder
      expect(words).toBe(". .");
      copyContext(workdir);
    },
    RUN: (command) => void execSync(inside(command), { cwd: workdir, env, stdio: "pipe" }),
    USER: () => undefined,
    EXPOSE: () => undefined,
    ENTRYPOINT: (words) => (run = JSON.parse(words)),
    CMD: (words) => (run = [...run, ...JSON.parse(words)]),
  };
  const lines = dockerfile.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  for (const line of lines) {
    const [instruction] = line.split(" ", 1);
    steps[instruction](line.slice(instruction.length + 1));
  }
  return run;
}

test("the steps of the Dockerfile make a command, and what a container runs answers", async () => {
  const [program, ...words] = build(readText("Dockerfile"));
  cpSync(join(root, "paper/digits/model.json"), join(image, "model.json"));
  const server = spawn(program, [...words.map(inside), "--port", "0"], {
    cwd: image,
    env: { ...env, CONFORMANT_TOKEN: "a-token-of-the-test" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const port = await new Promise<string>((found, failed) => {
      let log = "";
      server.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        const [, at] = /listening on http:\/\/0\.0\.0\.0:(\d+)/.exec(log) ?? [];
        if (at) found(at);
      });
      server.once("exit", () => failed(new Error(log)));
    });
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    const ask = (headers: Record<string, string>): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/predict`, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: '{"row":{}}',
      });
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ Authorization: "Bearer a-token-of-the-test" });
    expect(await answer.json()).toHaveProperty("probabilities");
    expect((await fetch(`http://127.0.0.1:${port}/`)).headers.get("content-type")).toMatch("text/html");
  } finally {
    server.kill("SIGTERM");
  }
  expect(await new Promise((ended) => server.once("exit", ended))).toBe(0);
});
