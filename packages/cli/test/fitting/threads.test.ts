import { random } from "conformant";
import { expect, test } from "vitest";
import { conformantAlone, succeedAlone } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;

/** Rows of two groups: enough of them that a part is held out once, and the last fit goes on from the chosen one. */
function groups(rows: number, gaps: number): string {
  const g = random(3);
  const cell = (value: number | string): number | string => (g.uniform() < gaps ? "" : value);
  const lines = Array.from({ length: rows }, () => {
    const group = g.integer(2);
    const numbers = [0, 1, 2].map((i) => cell((group * (i + 1) + g.normal()).toFixed(2)));
    const colour = cell(g.uniform() < 0.8 ? ["red", "blue"][group] : "green");
    return [...numbers, colour, g.uniform() < 0.9 ? group : 1 - group].join(",");
  });
  return ["a,b,c,colour,group", ...lines].join("\n");
}

test.each([
  ["with folds, trained on rows with gaps", ["fit", "gaps.csv", "--label", "group", "--model", "logistic"]],
  ["with one part held out", ["fit", "complete.csv", "--label", "group", "--model", "logistic"]],
  ["of trees", ["fit", "few.csv", "--label", "group", "--model", "trees"]],
])("the model is the same for any number of threads, to the last byte: %s", (_, words) => {
  place.write("complete.csv", groups(3200, 0));
  place.write("gaps.csv", groups(300, 0.1));
  place.write("few.csv", groups(120, 0));
  const [one, ...others] = ["1", "3"].map((threads) => {
    const how = ["--time-limit", "600", "--threads", threads, "--quiet"];
    return succeedAlone([...words, ...how], { cwd }).stdout;
  });
  expect(JSON.parse(one).certificate.choice.curve.length).toBeGreaterThan(2);
  for (const other of others) expect(other).toBe(one);
});

test("what a thread throws is the command's error", () => {
  // Numbers so large that no mixture of them has a likelihood.
  const rows = Array.from({ length: 60 }, (_, r) => `${r % 2 === 0 ? 1e99 : -1e99},${r % 3},${r % 2}`);
  place.write("huge.csv", ["x,y,label", ...rows].join("\n"));
  const words = ["fit", "huge.csv", "--label", "label", "--quiet", "--threads"];
  const [one, two] = ["1", "2"].map((threads) => conformantAlone([...words, threads], { cwd }));
  expect(two).toEqual(one);
});

test("--threads is a whole number of at least 1", () => {
  const { status, stderr } = conformantAlone(
    ["fit", "penguins.csv", "--label", "species", "--threads", "0"],
    {
      cwd,
    },
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(/error\[usage\]: --threads must be a whole number/);
});
