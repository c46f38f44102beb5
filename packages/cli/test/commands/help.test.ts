import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
) as { version: string };

test("--version and --help", () => {
  expect(succeed(["--version"]).stdout.trim()).toBe(manifest.version);
  const { stdout } = succeed(["--help"]);
  for (const { name, summary } of commands) expect(stdout).toContain(`${name}`.padEnd(10) && summary);
  expect(conformant([]).status).toBe(0);
});

test("the example in the help of every command runs", { timeout: 60_000 }, () => {
  place.write("new.csv", "island,sex\ndream,\n");
  for (const { name, example } of commands) {
    expect(succeed([name, "--help"]).stdout).toContain(example.split("\n")[0]);
    if (name === "serve" || name === "studio") continue; // they run until they are stopped; test/server and the page run them
    const shell = `conformant() { "${process.execPath}" "${fileURLToPath(new URL("../../dist/main.js", import.meta.url))}" "$@"; }\n${example}`;
    const { status, stderr } = spawnSync("bash", ["-euc", shell], { cwd, encoding: "utf8" });
    expect(status, `${example}: ${stderr}`).toBe(0);
  }
});

test("completion scripts pass the shell's own check and know every option", () => {
  const script = succeed(["completion", "bash"]).stdout;
  expect(spawnSync("bash", ["-n"], { input: script }).status).toBe(0);
  for (const { options } of commands)
    for (const option of Object.keys(options)) expect(script).toContain(`--${option}`);
  const complete = `${script}\nCOMP_WORDS=(conformant fit x.csv --la); COMP_CWORD=3; _conformant; echo "\${COMPREPLY[@]}"`;
  expect(spawnSync("bash", ["-c", complete], { encoding: "utf8" }).stdout.trim()).toBe("--label");
  expect(succeed(["completion", "fish"]).stdout).toContain("complete -c conformant");
  expect(succeed(["completion", "zsh"]).stdout).toContain("bashcompinit");
});

test("nothing is coloured where the output is no terminal or NO_COLOR is set", () => {
  const words = ["fit", "nothing.csv", "--label", "y"];
  expect(conformant(words).stderr).not.toContain("\u001b[");
  expect(conformant(words, { env: { FORCE_COLOR: "1" } }).stderr).toContain("\u001b[31m");
  expect(conformant(words, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } }).stderr).not.toContain("\u001b[");
});
