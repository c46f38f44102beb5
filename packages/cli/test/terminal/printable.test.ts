import { expect, test } from "vitest";
import { conformant } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

/** Colour, the title of the window, one character that begins an order by itself, and a bell. */
const orders = [
  "\u001b[31mred",
  "\u001b]0;owned\u0007",
  "\u009b2J",
  "ring\u0007",
  "two\nlines",
  "x".repeat(1000),
];
const place = new Workplace();
const { folder: cwd } = place;
const rows = Array.from({ length: 60 }, (_, r) => ({
  "size\u001b[32m": orders[r % 6],
  a: Math.sin(r),
  y: Math.sin(r) + (r % 6) / 3 > 0.8 ? "yes\u001b[5m" : "no",
}));
place.write("rows.jsonl", rows.map((row) => JSON.stringify(row)).join("\n"));

test("no text of a table is an order to the terminal, and none makes a line of a report endless", () => {
  const said = [
    ["fit", "rows.jsonl", "--label", "y", "--components", "1", "-o", "m.json"],
    ["inspect", "m.json"],
    ["explain", "m.json", "rows.jsonl", "--row", "1,2,3,4,5"],
    ["ask", "m.json"],
    ["ask", "m.json", "--given", "b=1"],
  ].map((words) => {
    const { stdout, stderr } = conformant(words, { cwd });
    return stdout + stderr;
  });
  expect(said.join("").match(/(?!\n)\p{Cc}/gu)).toBeNull();
  expect(said[0]).toContain("\\u001b[31mred, \\u001b]0;owned\\u0007");
  expect(Math.max(...said[0].split("\n").map((line) => line.length))).toBeLessThan(300);
});

test("JSON has the texts as they are", () => {
  const { stdout } = conformant(["explain", "m.json", "rows.jsonl", "--row", "3", "--json"], { cwd });
  expect(JSON.parse(stdout).contributions.map(({ value }: { value: unknown }) => value)).toContain(orders[2]);
});
