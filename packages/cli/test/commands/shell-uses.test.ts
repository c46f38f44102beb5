import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { QUICKEST, writePenguins } from "../support/fitted-penguins.ts";
import { bin, type Outcome } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

/** What people type into a shell, each in a line, and what they expect of it. */
interface Use {
  readonly line: string;
  readonly status?: number;
  /** All of standard output, or what it matches; `SAME` is what `predict` prints for `new.csv`. */
  readonly stdout?: string | RegExp;
  readonly stderr?: string | RegExp;
}

const place = new Workplace();
const HEADER = "prediction,p_adelie,p_chinstrap,p_gentoo\n";
/** What `predict model.json new.csv` prints. */
let SAME = "";

const lines = place.read("penguins.csv").trimEnd().split("\n");
const [header] = lines;
/** A CSV file with some rows of the penguins. */
const rows = (from: number, to: number): string => `${[header, ...lines.slice(from, to)].join("\n")}\n`;

beforeAll(async () => {
  writePenguins(place, "model.json", ...QUICKEST);
  mkdirSync(place.path("bin"));
  writeFileSync(place.path("bin/conformant"), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(place.path("bin/conformant"), 0o755);
  place.write("new.csv", rows(1, 5));
  place.write("new.csv.gz", gzipSync(rows(1, 5)));
  place.write("a file.csv", rows(1, 3));
  place.write("-dash.csv", rows(3, 5));
  place.write("rows", rows(1, 5));
  place.write("none.csv", `${header}\n`);
  place.write("other.csv", "island,sex\ndream,male\n");
  place.write("new.jsonl", '{"island":"dream"}\n{"island":"biscoe"}\n');
  for (const folder of ["parts", "sealed", "empty"]) mkdirSync(place.path(folder));
  place.write("parts/1.csv", rows(1, 3));
  place.write("parts/2.csv", rows(3, 5));
  chmodSync(place.path("sealed"), 0o555);
  symlinkSync(place.path("new.csv"), place.path("link.csv"));
  SAME = (await run("conformant predict model.json new.csv")).stdout;
});

const uses: readonly Use[] = [
  // Pipes
  { line: "cat new.csv | conformant predict model.json -", stdout: "SAME" },
  { line: "conformant predict model.json - < new.csv", stdout: "SAME" },
  { line: "cat new.csv | conformant predict model.json /dev/stdin", stdout: "SAME" },
  { line: "conformant predict model.json <(cat new.csv)", stdout: "SAME" },
  { line: "mkfifo pipe; cat new.csv > pipe & conformant predict model.json pipe", stdout: "SAME" },
  { line: "cat new.csv.gz | conformant predict model.json -", stdout: "SAME" },
  { line: "cat model.json | conformant predict - new.csv", stdout: "SAME" },
  { line: "conformant predict - - < model.json", status: 2, stderr: /standard input can be read once/ },
  { line: "conformant predict model.json new.csv -o -", stdout: "SAME" },
  { line: "conformant predict model.json new.csv -o /dev/stdout | cat", stdout: "SAME" },
  {
    line: "conformant predict model.json new.csv -o >(cat > tee.csv) -q; wait $!; cat tee.csv",
    stdout: "SAME",
  },
  {
    line: `conformant fit penguins.csv --label species ${QUICKEST.join(" ")} -o - -q | conformant predict - new.csv`,
    stdout: "SAME",
  },
  { line: "conformant inspect --json - < model.json | jq -r '.classes | length'", stdout: "3\n" },
  {
    line: "cat model.json | conformant inspect - | wc -c | cmp - <(conformant inspect model.json | wc -c)",
    stdout: "",
  },
  { line: "conformant inspect --json - < penguins.csv | jq '.rows'", stdout: "344\n" },
  { line: "cat new.jsonl | conformant inspect --json - | jq '.rows'", stdout: "2\n" },
  // Formats
  {
    line: "conformant predict model.json - --format jsonl < new.jsonl | jq -r .prediction",
    stdout: "chinstrap\nadelie\n",
  },
  { line: "echo '[]' | conformant predict model.json -", stdout: HEADER },
  {
    line: "conformant predict model.json new.csv --format parquet | conformant predict model.json -",
    status: 1,
    stderr: /"standard input" has none of the columns of "model.json"/,
  },
  {
    line: "conformant predict model.json new.csv --format tsv | cut -f1 | sort -u",
    stdout: /^adelie\nprediction\n$/,
  },
  { line: "conformant predict model.json rows --input-format csv", stdout: "SAME" },
  // Several files, globs, names
  { line: "conformant predict model.json parts/*.csv", stdout: "SAME" },
  { line: "conformant predict model.json 'parts/*.csv'", stdout: "SAME" },
  { line: "conformant predict model.json 'a file.csv' ./-dash.csv", stdout: "SAME" },
  { line: "conformant predict model.json -- 'a file.csv' -dash.csv", stdout: "SAME" },
  { line: "printf '%s\\0' parts/1.csv parts/2.csv | xargs -0 conformant predict model.json", stdout: "SAME" },
  { line: "conformant predict model.json link.csv", stdout: "SAME" },
  {
    line: "conformant predict model.json new.csv other.csv",
    status: 1,
    stderr: /"other.csv" has the columns "island", "sex", expected those of "new.csv"/,
  },
  { line: "conformant predict model.json 'none/*.csv'", status: 1, stderr: /the pattern matches no file/ },
  {
    line: "conformant predict model.json new.csv --keep all | head -1",
    stdout: `${HEADER.trim()},${header}\n`,
  },
  { line: "conformant explain model.json new.csv --row 2-3 | grep -c '^Row'", stdout: "2\n" },
  // No rows
  { line: "conformant predict model.json none.csv", stdout: HEADER },
  { line: "conformant predict model.json new.csv --where \"island = 'nowhere'\"", stdout: HEADER },
  {
    line: "conformant predict model.json new.csv --since body_mass=99999 --into nightly/",
    stderr: /^0 predictions written into nightly\/ by run /,
  },
  {
    line: "conformant explain model.json none.csv",
    status: 1,
    stderr: /"none.csv" has no rows, expected at least one/,
  },
  { line: "conformant predict model.json empty", status: 1, stderr: /the folder has no data files/ },
  // Standard output, folders, terminals
  { line: "conformant predict model.json penguins.csv | head -1", stdout: HEADER, stderr: "" },
  {
    line: "conformant predict model.json new.csv >&-",
    status: process.platform === "linux" ? 1 : 0,
    stderr: process.platform === "linux" ? /^error\[unwritable-output\]: standard output is closed\n/ : "",
  },
  { line: "conformant predict model.json new.csv > /dev/null", stdout: "", stderr: "" },
  {
    line: "conformant predict model.json new.csv > /dev/full",
    status: 1,
    stderr: /"standard output" could not be written: no space left on the device/,
  },
  {
    line: "conformant predict model.json new.csv -o sealed/out.csv",
    ...(process.getuid?.() !== 0 && {
      status: 1,
      stderr: /"sealed\/out.csv" could not be written: permission denied/,
    }),
  },
  {
    line: "touch own.csv; chmod 600 own.csv; conformant predict model.json new.csv -o own.csv -q; stat -c %a own.csv",
    stdout: "600\n",
  },
  {
    line: "NO_COLOR=1 conformant predict model.json absent.csv",
    status: 1,
    stderr: 'error[missing-file]: there is no file "absent.csv"\n',
  },
];

test.concurrent.each(uses.map((use) => [use.line, use] as const))("%s", async (line, use) => {
  const { status = 0, stdout, stderr } = use;
  const told = await run(line);
  expect({ status: told.status, stderr: told.stderr }).toEqual({
    status,
    stderr: stderr === undefined ? told.stderr : expect.stringMatching(matching(stderr)),
  });
  if (stdout !== undefined) expect(told.stdout).toMatch(matching(stdout === "SAME" ? SAME : stdout));
});

/** A text stands for all that is printed. */
function matching(expected: string | RegExp): RegExp {
  return expected instanceof RegExp
    ? expected
    : new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`);
}

/** Runs a line in the shell; bash, for process substitution. */
function run(line: string): Promise<Outcome> {
  const child = spawn("bash", ["-c", line], {
    cwd: place.folder,
    env: { PATH: `${place.path("bin")}:${process.env.PATH}`, HOME: place.folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, stdout, stderr })));
}
