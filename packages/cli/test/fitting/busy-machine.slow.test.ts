import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { random } from "conformant";
import { afterEach, expect, test } from "vitest";
import { succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const [FITS, MOST_BUSY] = [20, 8];
const penguins = fileURLToPath(new URL("../../../../examples/penguins.csv", import.meta.url));

/** Rows of groups that some numbers and a text tell apart. */
function groups(rows: number, numbers: number, classes: number, missing: number): string {
  const g = random(rows);
  const cell = (value: number | string): number | string => (g.uniform() < missing ? "" : value);
  const lines = Array.from({ length: rows }, (_, r) => {
    const group = r % classes;
    const cells = Array.from({ length: numbers }, (_, i) =>
      cell((((group * (i + 1)) % 7) + g.normal()).toFixed(2)),
    );
    return [...cells, cell(g.uniform() < 0.8 ? `c${group % 3}` : "other"), `k${group}`].join(",");
  });
  const names = Array.from({ length: numbers }, (_, i) => `x${i}`);
  return [[...names, "color", "group"].join(","), ...lines].join("\n");
}

const tables: Readonly<Record<string, readonly [text: string, label: string]>> = {
  penguins: [readFileSync(penguins, "utf8"), "species"],
  "few rows with missing values": [groups(300, 4, 2, 0.1), "group"],
  "one part held out": [groups(3200, 3, 2, 0), "group"],
  "many columns": [groups(200, 40, 2, 0.05), "group"],
  "many classes": [groups(400, 3, 20, 0), "group"],
};

let busy: ChildProcess[] = [];

function beBusy(processes: number): void {
  busy = Array.from({ length: processes }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
}

function rest(): void {
  for (const child of busy) child.kill("SIGKILL");
  busy = [];
}

afterEach(rest);

test.each(Object.entries(tables))(
  "the model is the same to the last byte however busy the machine is, with one thread or two: %s",
  (name, [text, label]) => {
    place.write(`${name}.csv`, text);
    const g = random(7);
    const modelWith = (threads: number): string => {
      beBusy(g.integer(MOST_BUSY + 1));
      const words = ["fit", `${name}.csv`, "--label", label, "--threads", `${threads}`, "--quiet"];
      const { stdout } = succeed(words, { cwd: place.folder });
      rest();
      return stdout;
    };
    const first = modelWith(1);
    expect(JSON.parse(first).format).toBe("conformant-model");
    for (let again = 1; again < FITS; again++) expect(modelWith(1 + (again % 2)) === first).toBe(true);
  },
);
