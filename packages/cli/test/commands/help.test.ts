import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import { completionScript } from "../../src/options/completion-script.ts";
import { commandHelp, manualPage, programHelp, referencePage } from "../../src/options/help.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../package.json", import.meta.url)), "utf8"),
) as { version: string };

test("--version and --help", () => {
  expect(succeed(["--version"]).stdout.trim()).toBe(manifest.version);
  expect(succeed(["-q", "fit", "-V"]).stdout.trim()).toBe(manifest.version);
  const help = `${programHelp(commands)}\n`;
  for (const words of [["--help"], ["help"], [], ["-q", "--help"]]) expect(succeed(words).stdout).toBe(help);
  for (const { name } of commands) expect(help).toMatch(new RegExp(`^ {2}${name} `, "m"));
});

test("help COMMAND is COMMAND --help", () => {
  const [help] = commands.filter(({ name }) => name === "fit").map(commandHelp);
  for (const words of [
    ["help", "fit"],
    ["fit", "--help"],
    ["--help", "fit"],
    ["fit", "-h", "x.csv"],
  ])
    expect(succeed(words).stdout).toBe(`${help}\n`);
  const { status, stderr } = conformant(["help", "fitt"]);
  expect([status, stderr]).toEqual([
    2,
    'error[usage]: there is no command "fitt"\nhint: did you mean conformant fit?\n',
  ]);
});

test("the environment variable of a global option is said to be one of all commands", () => {
  for (const page of [manualPage(commands, manifest.version), referencePage(commands)])
    expect(page.replaceAll("\\", "")).toMatch(/CONFORMANT_QUIET.*\s*.*sets --quiet \(all commands\)/);
});

test("no line of help is longer than 80 characters", () => {
  const lines = [programHelp(commands), ...commands.map(commandHelp)].join("\n").split("\n");
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
});

test("the help of a command lists every option, the words of every choice, and defaults at the end", () => {
  for (const command of commands) {
    const help = commandHelp(command)
      .replace(/^.*?\n(?=\S*ptions:)/s, "")
      .replace(/\s+/g, " ");
    for (const [name, { choices = [], initially, help: text }] of Object.entries(command.options)) {
      const at = help.indexOf(` --${name} `);
      expect(at, `${command.name} --${name}`).toBeGreaterThan(0);
      const own = help.slice(at).split(/ (?:-\w, )?--(?=[a-z])/)[1];
      for (const choice of choices) expect(own, `${command.name} --${name}`).toContain(choice);
      if (initially !== undefined) expect(help.slice(at)).toContain(`(default: ${initially})`);
      expect(text, `${command.name} --${name}`).not.toMatch(/[.]$|default|^[A-Z][a-z]/);
    }
  }
});

test("the example in the help of every command runs", { timeout: 180_000 }, () => {
  place.write("new.csv", "island,sex\ndream,\n");
  for (const { name, example } of commands) {
    if (name === "serve" || name === "studio") continue; // they run until they are stopped; test/server and the page run them
    const shell = `conformant() { "${process.execPath}" "${fileURLToPath(new URL("../../dist/main.js", import.meta.url))}" "$@"; }\n${example}`;
    const { status, stderr } = spawnSync("bash", ["-euc", shell], { cwd, encoding: "utf8" });
    expect(status, `${example}: ${stderr}`).toBe(0);
  }
});

/** Whether a program is there. */
function has(program: string): boolean {
  return spawnSync(program, ["--version"]).status === 0;
}

describe("completion", () => {
  const bash = completionScript("bash", commands);

  /** What bash offers for the last of these words. */
  function offered(...words: string[]): string[] {
    const line = words.map((word) => `'${word}'`).join(" ");
    const script = `${bash}\nCOMP_WORDS=(conformant ${line}); COMP_CWORD=${words.length}; _conformant; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync("bash", ["-c", script], { cwd, encoding: "utf8" }).stdout.trimEnd().split("\n");
  }

  test("knows every option in bash", () => {
    expect(spawnSync("bash", ["-n"], { input: bash }).status).toBe(0);
    for (const { options } of commands)
      for (const option of Object.keys(options)) expect(bash).toContain(`--${option}`);
    expect(succeed(["completion", "bash"]).stdout).toBe(`${bash}\n`);
  });

  test("offers commands, options, choices and files in bash", () => {
    place.write("a b.csv", "x\n1\n");
    place.write("a*.csv", "x\n1\n");
    expect(offered("pre")).toEqual(["predict"]);
    expect(offered("-q", "pre")).toEqual(["predict"]);
    expect(offered("fit", "x.csv", "--lab")).toEqual(["--label"]);
    expect(offered("-q", "export", "m.json", "--to", "o")).toEqual(["onnx"]);
    expect(offered("export", "m.json", "--to", "=", "o")).toEqual(["onnx"]);
    expect(offered("explain", "m.json", "--t")).toEqual(["--threshold", "--time-limit"]);
    expect(offered("help", "cal")).toEqual(["calibrate"]);
    expect(offered("completion", "f")).toEqual(["fish"]);
    expect(offered("fit", "a").sort()).toEqual(["a b.csv", "a*.csv"].sort());
  });

  test("describes commands and options in zsh and fish", () => {
    const zsh = completionScript("zsh", commands);
    const fish = completionScript("fish", commands);
    for (const { name, summary } of commands) {
      expect(zsh).toContain(`'${name}:${summary}'`);
      expect(fish).toContain(`-a ${name} -d '${summary}'`);
    }
    expect(zsh).toContain(
      "'--label=[train a model that predicts this column, a class or a number]:COLUMN: '",
    );
    expect(fish).toContain("-l label -x -d 'train a model that predicts this column, a class or a number'");
  });

  test.skipIf(!has("zsh"))("is a script that zsh can load", () => {
    const input = `autoload -U compinit; compinit -u -d ${place.path("zdump")}\n${completionScript("zsh", commands)}\nwhich _conformant >/dev/null && print $_comps[conformant]`;
    const { stdout, stderr } = spawnSync("zsh", ["-f"], { input, encoding: "utf8", cwd });
    expect([stdout, stderr]).toEqual(["_conformant\n", ""]);
  });

  test.skipIf(!has("fish"))("offers options with their descriptions in fish", () => {
    const asked = ["conformant export m.json --to o", "conformant -q fit x.csv --lab"];
    const script = [completionScript("fish", commands), ...asked.map((line) => `complete -C '${line}'`)].join(
      "\n",
    );
    const file = place.write("completion.fish", script);
    const { stdout, stderr } = spawnSync("fish", ["--no-config", file], { encoding: "utf8", cwd });
    expect([stdout, stderr]).toEqual([
      "onnx\tformat\n--label\ttrain a model that predicts this column, a class or a number\n",
      "",
    ]);
  });
});

describe("the manual page", () => {
  const page = manualPage(commands, manifest.version);

  test("has every option, variable and exit status", () => {
    expect(succeed(["help", "--man"]).stdout).toBe(`${page}\n`);
    for (const { options } of commands)
      for (const option of Object.keys(options))
        expect(page).toContain(`\\fB\\-\\-${option.replaceAll("-", "\\-")}\\fR`);
    for (const words of ["CONFORMANT_SEED", "CONFORMANT_MEMORY", ".SH EXIT STATUS"])
      expect(page).toContain(words);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a page is plain ASCII
    expect(page).toMatch(/^[\x00-\x7f]*$/);
  });

  test.skipIf(!has("groff"))("is formatted without a warning", () => {
    const groff = spawnSync("groff", ["-man", "-ww", "-Tascii"], { input: page, encoding: "utf8" });
    expect([groff.status, groff.stderr]).toEqual([0, ""]);
    expect(groff.stdout).toContain("CONFORMANT(1)");
  });

  test.skipIf(!has("man"))("is found by man", () => {
    mkdirSync(place.path("man/man1"), { recursive: true });
    place.write("man/man1/conformant.1", page);
    const env = { ...process.env, MANPATH: place.path("man"), MANPAGER: "cat", MANWIDTH: "80" };
    const { status, stdout } = spawnSync("man", ["conformant"], { encoding: "utf8", env });
    expect(status).toBe(0);
    expect(stdout).toContain("EXIT STATUS");
  });
});

test("nothing is colored where the output is no terminal or NO_COLOR is set", () => {
  const words = ["fit", "nothing.csv", "--label", "y"];
  expect(conformant(words).stderr).not.toContain("\u001b[");
  expect(conformant(words, { env: { FORCE_COLOR: "1" } }).stderr).toContain("\u001b[31m");
  expect(conformant(words, { env: { FORCE_COLOR: "1", NO_COLOR: "1" } }).stderr).not.toContain("\u001b[");
});
