import { loadModel, random } from "conformant";
import { expect, test } from "vitest";
import type { TableReview } from "../../../workbench/src/columns/review-table.ts";
import { conformant, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const ROWS = 200;
const ONE = ["--components", "1", "--numeric", "atoms"];

const HEADER =
  "phone,uid,income,age,price,share,loss,iso,us,month,size,sex,sexCode,fahrenheit,celsius,grade,sub_grade,half,y";

/** A table as people have them, the same in every run. */
function row(r: number): string {
  const grade = "ABC"[(r * 7) % 3];
  const celsius = (r * 13) % 40;
  return [
    5_550_000_000 + ((r * 7919) % 999_983),
    1 + ((r * 37) % 10_007),
    r % 11 === 0 ? -999 : 1000 + ((r * 17) % 90),
    r === 50 ? "other" : 18 + ((r * 7) % 60),
    `"$${1 + (r % 7)},${100 + ((r * 3) % 800)}.50"`,
    `${(r * 3) % 90}%`,
    r % 3 === 0 ? `(${r % 50}.25)` : `${r % 50}.25`,
    `2024-0${1 + (r % 9)}-${10 + (r % 19)}`,
    `${1 + (r % 12)}/${13 + (r % 15)}/2023`,
    `${["Jan", "Feb", "Mar"][r % 3]}-${2015 + (r % 5)}`,
    r % 5 === 0 ? "LARGE" : r % 2 ? "large" : "small",
    r % 3 ? "female" : "male",
    r % 3 ? 1 : 2,
    celsius * 1.8 + 32,
    celsius,
    grade,
    `${grade}${r % 5}`,
    r % 2 ? "N/A" : "xyz"[(r >> 1) % 3],
    (r * 7) % 3 === 0 || r % 17 === 0 ? "yes" : "no",
  ].join(",");
}

place.write("people.csv", [HEADER, ...Array.from({ length: ROWS }, (_, r) => row(r))].join("\n"));

const review = (...words: string[]): TableReview =>
  JSON.parse(succeed(["inspect", "people.csv", "--json", ...words], { cwd }).stdout) as TableReview;

test("inspect DATA says what each column is, and what is decided or doubtful about it", () => {
  const { rows, columns } = review("--label", "grade");
  expect(rows).toBe(ROWS);
  const found = new Map(columns.map((column) => [column.name, column]));
  const about = (name: string): string[] => (found.get(name)?.notes ?? []).map((note) => note.about);
  expect(found.get("phone")?.kind).toBe("dropped");
  expect(about("phone")).toContain("id");
  expect(about("uid")).toContain("id");
  expect(about("income")).toContain("missing-code");
  expect(about("age")).toContain("stray-text");
  for (const name of ["price", "share", "loss"]) {
    expect(found.get(name)?.kind, name).toBe("numeric");
    expect(about(name), name).toContain("amount");
  }
  for (const name of ["iso", "us", "month"]) {
    expect(found.get(name)?.kind, name).toBe("numeric");
    expect(about(name), name).toContain("date");
  }
  expect(about("size")).toContain("spellings");
  expect(found.get("size")?.different).toBe(2);
  expect(about("sexCode")).toContain("copy");
  expect(about("celsius")).toContain("copy");
  expect(about("sub_grade")).toContain("leak");
  expect(about("half")).toContain("missing-text");
  expect(found.get("half")?.missing).toBe(0.5);
  for (const { notes } of columns)
    for (const note of notes.filter(({ doubtful }) => doubtful)) expect(note.remedy).toMatch(/--/);
});

test("a column whose type is that of dates or times has a note on how it is read", () => {
  const { columns } = review(
    "--sql",
    "SELECT celsius, CAST(iso AS DATE) AS day, CAST('10:0' || CAST(celsius AS INTEGER) % 7 AS TIME) AS time FROM data",
  );
  const told = columns.map(({ name, kind, notes }) => [
    name,
    kind,
    notes.flatMap(({ about, text }) => (about === "date" ? [text] : [])),
  ]);
  expect(told).toEqual([
    ["celsius", "numeric", []],
    ["day", "numeric", ["dates are read as days since 1970-01-01"]],
    ["time", "numeric", ["times are read as hours"]],
  ]);
});

test("the same in words names the option that changes each decision", () => {
  const { stdout } = succeed(["inspect", "people.csv"], { cwd });
  expect(stdout).toContain(`people.csv: ${ROWS} rows, 19 columns`);
  expect(stdout).toContain('--columns with "uid" in it keeps it');
  expect(stdout).toContain('--na="-999" reads it as missing');
});

test("a model reads later files as its data was read", () => {
  succeed(["fit", "people.csv", "--label", "y", ...ONE, "--na=-999", "-o", "people.json"], { cwd });
  const { metadata } = loadModel(place.read("people.json"));
  const { reading, columns } = metadata as {
    reading: { missing: string[]; missingIn: object; styles: Record<string, { date?: string }> };
    columns: { name: string; missing: number; minimum: number; histogram: number[] }[];
  };
  expect(reading.missing).toContain("-999");
  expect(reading.missingIn).toEqual({ age: ["other"] });
  expect(reading.styles.us.date).toBe("month/day/year");
  const income = columns.find(({ name }) => name === "income");
  expect(income?.minimum).toBeGreaterThanOrEqual(1000);
  expect(income?.histogram.reduce((sum, rows) => sum + rows)).toBe(ROWS - Math.ceil(ROWS / 11));
  const numbers = (name: string): string[][] => {
    const { stderr, stdout } = succeed(["predict", "people.json", name], { cwd });
    expect(stderr).not.toContain("error");
    return csvRows(stdout);
  };
  place.write("new.csv", 'income,age,price,us\n-999,other,"$1,200.50",1/13/2023\n');
  place.write("same.csv", "income,age,price,us\n,,1200.5,1/13/23\n");
  place.write("other.csv", 'income,age,price,us\n1010,20,"$9,999.50",12/13/2023\n');
  expect(numbers("new.csv")).toEqual(numbers("same.csv"));
  expect(numbers("new.csv")).not.toEqual(numbers("other.csv"));
});

test("categories that differ only in case are one, also in later files", () => {
  succeed(["fit", "people.csv", "--label", "y", ...ONE, "--columns", "size", "-o", "size.json"], { cwd });
  place.write("sizes.csv", "size\nlarge\nLarge\nLARGE \n");
  const rows = csvRows(succeed(["predict", "size.json", "sizes.csv"], { cwd }).stdout);
  expect(new Set(rows.map((cells) => cells.join(","))).size).toBe(1);
});

test.each(["inspect people.xlsx", "inspect duckdb:people.db#people"])(
  "%s names the format and the remedy",
  (command) => {
    place.write("people.db", `SQLite format 3\0${"\0".repeat(200)}`);
    place.write("people.xlsx", `PK\u0003\u0004${"\0".repeat(200)}`);
    const { status, stderr } = conformant(command.split(" "), { cwd });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /"people\.(db" is an SQLite database, expected .*\nhint: read a table of it: sqlite:FILE#TABLE|xlsx" is cut off or damaged, expected an Excel workbook)/,
    );
  },
);

test("the verdict names columns that give the label away in the same sentence, and inspect a label in other units", () => {
  const g = random(2);
  const lines = Array.from({ length: 150 }, () => {
    const [grade, celsius, x] = ["ABC"[g.integer(3)], Math.round(200 * g.uniform()) / 10, g.normal()];
    return [grade, `${grade}${g.integer(5)}`, celsius, celsius * 1.8 + 32, x].join(",");
  });
  place.write("leaky.csv", ["grade,sub_grade,celsius,fahrenheit,x", ...lines, ""].join("\n"));
  const verdictOf = (...words: string[]) =>
    JSON.parse(
      succeed(["fit", "leaky.csv", "--model", "logistic", ...ONE, "--json", "-o", "leaky.json", ...words], {
        cwd,
      }).stdout,
    ).verdict;
  const leaky = verdictOf("--label", "grade");
  expect(leaky.leaks).toEqual(["sub_grade"]);
  expect(leaky.sentence).toMatch(
    /^On new rows: right in about 100% ± \d+, with "sub_grade", which gives the label away \(/,
  );
  expect(verdictOf("--label", "grade", "--exclude", "sub_grade").sentence).not.toContain("away");
  expect(verdictOf("--label", "fahrenheit").sentence).toContain(
    ', with "celsius", which gives the label away; always answering',
  );
  const { columns } = JSON.parse(
    succeed(["inspect", "leaky.csv", "--json", "--label", "fahrenheit"], { cwd }).stdout,
  ) as TableReview;
  const note = columns.find(({ name }) => name === "celsius")?.notes[0];
  expect(note).toMatchObject({ about: "leak", doubtful: true });
});

test("shares of categories are those of all rows that have one, however many categories there are", () => {
  const lines = Array.from({ length: 200 }, (_, r) => (r % 5 === 4 ? "" : `c${r % 40}`));
  place.write("cities.csv", ["city,x", ...lines.map((city, r) => `${city},${r % 7}`), ""].join("\n"));
  const { stdout } = succeed(["inspect", "cities.csv"], { cwd });
  expect(stdout).toMatch(/city\s+categorical\s+20\.0 %\s+32 {2}c0 3\.1 %, c1 3\.1 %/);
});
