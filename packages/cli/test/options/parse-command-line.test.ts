import { expect, test } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import { inspect } from "../../src/commands/inspect.ts";
import { readCommandLine } from "../../src/commands/read-command-line.ts";
import { environmentName } from "../../src/options/command.ts";
import { readFitOptions } from "../../src/options/fit-options.ts";
import { parseCommandLine } from "../../src/options/parse-command-line.ts";
import { readInteger } from "../../src/options/read-value.ts";

const find = (name: string) => commands.find((command) => command.name === name) ?? inspect;

test.each(["constructor", "__proto__", "toString", "hasOwnProperty"])(
  "--%s is no option, though every object has such a property",
  (name) => {
    expect(() => parseCommandLine(inspect, ["model.json", `--${name}`])).toThrow(
      `inspect has no option --${name}`,
    );
  },
);

test.each([
  ["fit d.csv", "fit requires --label COLUMN or --classifier FILE"],
  ["fit d.csv --label", "--label requires COLUMN after it"],
  ["fit d.csv --label y --classifier c.json --model trees", "--model cannot be combined with --classifier"],
  ["fit d.csv --classifier c.json --model trees", "--model requires --label COLUMN"],
  ["fit d.csv --classifier c.json --l2 2", "--l2 requires --label COLUMN"],
  ["fit d.csv --classifier c.json --missing auto", "--missing requires --label COLUMN"],
  ["fit d.csv --classifier c.json --gaps auto", "--missing requires --label COLUMN"],
  ["fit d.csv --classifier c.json --train-on all", "--train-on requires --label COLUMN"],
  ["fit d.csv --classifier c.json --no-cross-validation", "--no-cross-validation requires --label COLUMN"],
  ["fit d.csv --label y --classes a,b", "--classes requires --classifier FILE"],
  ["fit d.csv --label y --categories x=a,b", "--categories requires --classifier FILE"],
  ["fit d.csv --label y --resume", "--resume requires --output FILE or --checkpoint FILE"],
  ["fit d.csv --label y --json", "--json requires --output FILE"],
  ["predict m.json d.csv --level 0.5", "--level requires --interval"],
  ["predict m.json d.csv --set 0.9", "--set requires --calibration FILE"],
  ["predict m.json d.csv --calibration c.json", "--calibration requires --set P"],
  ["predict m.json d.csv --randomised", "--randomized requires --set P"],
  ["predict m.json d.csv --randomised", "--randomized requires --set P"],
  ["predict m.json d.csv --set 0.9 --calibration c --shift x=1", "--set cannot be combined with --shift"],
  ["predict m.json d.csv --seed 1", "--seed requires --interval or --surprise or --randomized"],
  ["predict m.json d.csv --raw", "--raw requires --keep A,B|all"],
  ["predict m.json d.csv --raw --keep a --json", "--raw cannot be combined with --json"],
  ["predict m.json d.csv --run a", "--run requires --into TABLE|FOLDER/"],
  ["predict m.json d.csv --parts 2", "--parts requires --into TABLE|FOLDER/"],
  ["predict m.json d.csv --into t --replace", "--replace requires --run NAME"],
  ["predict m.json d.csv --into t --json", "--into cannot be combined with --json"],
  ["predict m.json d.csv --into t --digits 3", "--into cannot be combined with --digits"],
  ["predict m.json d.csv --into t -o x.csv", "--into cannot be combined with --output"],
  ["explain m.json d.csv --interventional", "--interventional requires --shapley"],
  ["ask m.json --svg x.svg", "--svg requires --tree DEPTH"],
  ["ask m.json --strict", "--strict requires --given COLUMN=VALUE,…"],
  ["ask m.json --threshold 0.9", "--threshold requires --plan or --tree DEPTH or --interactive"],
  ["ask m.json --plan --tree 2", "--plan cannot be combined with --tree"],
  ["ask m.json --plan --interactive", "--interactive cannot be combined with --plan"],
  ["ask m.json --groups g=a+b --plan", "--groups cannot be combined with --plan"],
  ["ask m.json --tree 2 --seed 1", "--seed cannot be combined with --tree"],
  ["evaluate m.json d.csv", "evaluate requires --label COLUMN"],
  ["evaluate m.json d.csv --label y --set 0.9", "--set requires --calibration FILE"],
  ["calibrate m.json d.csv", "calibrate requires --output FILE"],
  ["export m.json --to js", "export requires --output FILE"],
  ["export m.json -o x --to js --dialect duckdb", "--dialect requires --to sql"],
  ["export m.json -o x --to js --table t", "--table requires --to sql"],
  ["export m.json -o x --to js --keep a", "--keep requires --to sql"],
  ["export m.json -o x --to js --float", "--float requires --to onnx"],
  ["export m.json -o x --to js --title t", "--title requires --to page"],
  ["export m.json -o x --to sql --labels l.json", "--labels requires --to page"],
  ["export m.json -o x --to sql --questionnaire q.json", "--questionnaire requires --to page"],
  ["export m.json -o x --to onnx --calibration c.json", "--calibration requires --to page"],
  ["serve --calibration c.json", "--calibration requires MODEL"],
  ["serve --title t", "--title requires MODEL"],
  ["serve --threads 3", "--threads requires MODEL"],
  ["serve --stream-limit 3", "--stream-limit requires MODEL"],
  ["serve --share-calibration", "--share-calibration requires --calibration FILE"],
  ["serve m.json --share-calibration", "--share-calibration requires --calibration FILE"],
])("%s is an error: an option is missing, or would be ignored", (line, message) => {
  expect(() => readCommandLine(line.split(" "))).toThrow(expect.objectContaining({ code: "usage", message }));
});

test("a fit to standard output has no checkpoint beside the model", () => {
  const options = (line: string) => readFitOptions(readCommandLine(line.split(" ")).parsed);
  expect(options("fit d.csv --label y -o m.json").checkpoint).toBe("m.json.checkpoint");
  for (const output of ["", " -o -"]) {
    expect(options(`fit d.csv --label y${output}`).checkpoint).toBeUndefined();
    expect(options(`fit d.csv --label y --checkpoint c${output}`).checkpoint).toBe("c");
  }
  expect(() => options("fit d.csv --label y -o - --resume")).toThrow("--resume requires --checkpoint FILE");
});

test("what an option requires or excludes is an option or an argument of its command", () => {
  for (const { name, arguments: words, options } of commands) {
    const known = [...Object.keys(options), ...words.map((word) => word.replace("?", ""))];
    for (const { required, requires = [], excludes = [] } of Object.values(options)) {
      const named = [...requires, ...excludes, ...(typeof required === "string" ? [required] : [])];
      for (const word of named) expect(known, `${name}: ${word}`).toContain(word.split("=")[0]);
    }
  }
});

test("global options stand before or after the command", () => {
  for (const words of [
    ["-q", "predict", "m.json", "d.csv"],
    ["--quiet", "--debug", "predict", "m.json", "d.csv"],
    ["predict", "m.json", "-q", "d.csv"],
    ["predict", "m.json", "d.csv", "-q"],
  ]) {
    const { command, parsed } = readCommandLine(words);
    expect(command.name).toBe("predict");
    expect(parsed.flag("quiet")).toBe(true);
    expect(parsed.positionals).toEqual(["m.json", "d.csv"]);
  }
});

test("environment variables set options that the command line does not", () => {
  const environment = {
    CONFORMANT_SEED: "7",
    CONFORMANT_NA: "?",
    CONFORMANT_QUIET: "1",
    CONFORMANT_DEBUG: "0",
  };
  const words = ["d.csv", "--label", "y"];
  const parsed = parseCommandLine(find("fit"), words, environment);
  expect([parsed.text("seed"), parsed.text("na")]).toEqual(["7", "?"]);
  expect([parsed.flag("quiet"), parsed.flag("debug")]).toEqual([true, false]);
  expect(parseCommandLine(find("fit"), [...words, "--seed", "3"], environment).text("seed")).toBe("3");
  // An option that would have no effect is no error where it was not typed.
  expect(parseCommandLine(find("predict"), ["m.json", "d.csv"], environment).text("seed")).toBe("7");
  expect(parseCommandLine(find("fit"), words, { CONFORMANT_LABEL: "z" }).text("label")).toBe("y");
});

test("an invalid value from the environment is named by its variable", () => {
  const words = ["d.csv", "--label", "y"];
  expect(() => parseCommandLine(find("fit"), words, { CONFORMANT_DECIMAL: "dot" })).toThrow(
    'CONFORMANT_DECIMAL must be one of point, comma, got "dot"',
  );
  const parsed = parseCommandLine(find("fit"), words, { CONFORMANT_SEED: "x" });
  expect(() => readInteger(parsed, "seed", 0, 0)).toThrow(
    'CONFORMANT_SEED must be a whole number of at least 0, got "x"',
  );
});

test("no environment variable has two meanings", () => {
  const names = commands.flatMap(({ options }) => Object.keys(options).map(environmentName));
  expect(names).not.toContain("CONFORMANT_TOKEN");
  expect(names).not.toContain("CONFORMANT_MEMORY");
});

test("a word that is no choice is corrected", () => {
  expect(() => readCommandLine(["export", "m.json", "--to", "sqk", "-o", "x"])).toThrow(
    expect.objectContaining({ hint: "did you mean sql?" }),
  );
});
