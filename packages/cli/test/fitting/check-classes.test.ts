import { random } from "conformant";
import { expect, test } from "vitest";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const options = { cwd: place.folder };
const g = random(8);
const fitWords = (file: string): string[] => [
  "fit",
  file,
  "--label",
  "y",
  "--components",
  "1",
  "-o",
  "m.json",
];

function write(file: string, rows: number, lineOf: (r: number) => string): void {
  place.write(file, `x,z,y\n${Array.from({ length: rows }, (_, r) => lineOf(r)).join("\n")}\n`);
}

test("a class of which every row has a gap is named where only complete rows are trained on", () => {
  write("gaps.csv", 90, (r) => `${g.normal() + (r % 3)},${r % 3 === 0 ? "" : g.integer(5)},${"abc"[r % 3]}`);
  for (const model of ["logistic", "trees"]) {
    const { stderr, stdout } = succeed(
      [...fitWords("gaps.csv"), "--train-on", "complete", "--model", model],
      options,
    );
    expect(stderr).toContain(
      'note: label "y": no row of "a" is trained on, all of them have missing values;',
    );
    expect(stdout).toContain("classes      a 30, b 30, c 30");
    expect(stdout).not.toContain("NaN");
  }
});

test("a class that a sample has no row of keeps its place; a sample of one class is refused, with what to do", () => {
  write("rare.csv", 2000, (r) => `${g.normal()},${g.integer(5)},${r === 1500 ? "a" : "bc"[r % 2]}`);
  const { stderr, stdout } = succeed([...fitWords("rare.csv"), "--sample", "100"], options);
  expect(stderr).toContain('no row of "a" is trained on, the sample has none of them;');
  expect(stdout).toContain("classes      a 1, b 999, c 1,000");
  write("rarer.csv", 2000, (r) => `${g.normal()},${g.integer(5)},${r === 1500 ? "a" : "b"}`);
  const refused = conformant([...fitWords("rarer.csv"), "--sample", "100"], options);
  expect(refused.stderr).toBe(
    'error[single-class]: label "y": expected two or more classes among the sample of 100 rows, got only "b"\nhint: --sample ROWS reads more of them\n',
  );
});
