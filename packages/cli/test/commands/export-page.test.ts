import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
const exportTo = (folder: string, ...words: string[]) =>
  conformant(["export", "penguins.json", "--to", "page", "-o", folder, ...words], { cwd });

beforeAll(() => {
  writePenguins(place, "penguins.json");
});

test("the folder has the page, the model and the settings, and every file that the page names", () => {
  expect(exportTo("page", "--title", "Which penguin?").status).toBe(0);
  const read = (name: string): string => readFileSync(join(cwd, "page", name), "utf8");
  expect(loadModel(read("model.json"))).toEqual(loadModel(place.read("penguins.json")));
  expect(JSON.parse(read("page.json"))).toEqual({ name: "penguins.json", title: "Which penguin?" });
  const named = Array.from(read("index.html").matchAll(/(?:src|href)="\.\/([^"]+)"/g), ([, name]) => name);
  expect(named.length).toBeGreaterThanOrEqual(3);
  for (const name of named) expect(existsSync(join(cwd, "page", name)), name).toBe(true);
  expect(readdirSync(join(cwd, "page/assets")).some((name) => name.startsWith("answer-worker"))).toBe(true);
});

test("an earlier page is replaced, a folder with other files is left alone", () => {
  expect(exportTo("page").status).toBe(0);
  expect(JSON.parse(place.read("page/page.json"))).toEqual({ name: "penguins.json" });
  const { status, stderr } = exportTo(".");
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('"." has other files in it, expected an empty folder'),
  ]);
  expect(exportTo("penguins.csv").stderr).toContain("it is not a folder");
});

test("labels, a questionnaire and calibration rows go with the page, and who exports is told who can read the rows", () => {
  const labels = { columns: { island: { values: ["dream", { value: "biscoe", label: "Biscoe" }] } } };
  place.write("labels.json", JSON.stringify(labels));
  place.write("tree.json", succeed(["ask", "penguins.json", "--tree", "2", "--json"], { cwd }).stdout);
  succeed(["calibrate", "penguins.json", "penguins.csv", "--allow-training-rows", "-o", "kept.json"], {
    cwd,
  });
  const options = ["--labels", "labels.json", "--questionnaire", "tree.json", "--calibration", "kept.json"];
  const { status, stderr } = exportTo("helped", ...options);
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining("whoever has the page can read the 344 rows of kept.json"),
  ]);
  expect(JSON.parse(place.read("helped/page.json"))).toEqual({
    name: "penguins.json",
    labels: { columns: { island: { values: [{ value: "dream" }, { value: "biscoe", label: "Biscoe" }] } } },
    questionnaire: JSON.parse(place.read("tree.json")),
    calibration: true,
  });
  expect(place.read("helped/calibration.json")).toBe(place.read("kept.json"));
});

test.each([
  ["{", "it is not JSON"],
  ["[]", "the file: Invalid input: expected object"],
  ['{"colums":{}}', 'Unrecognized key: "colums"'],
  ['{"columns":{"bill_lenght":{}}}', 'did you mean "bill_length"?'],
  ['{"columns":{"island":{"values":["atlantis"]}}}', '"atlantis" is not a value of "island"'],
  ['{"columns":{"bill_depth":{"values":["1"]}}}', '"bill_depth" is a number and has no values to list'],
  ['{"columns":{"bill_depth":{"range":[21,13]}}}', "the first must be less than the second"],
  ['{"columns":{"island":{"range":[1,2]}}}', '"island" is not a number and cannot have a range'],
  ['{"columns":{"bill_depth":{"label":7}}}', "columns.bill_depth.label: "],
  ['{"columns":{"bill_depth":{"label":"sex"}}}', 'two of them would be called "sex"'],
  ['{"classes":{"emperor":"E"}}', '"emperor" is not a class of the model, which has "adelie"'],
])("labels of %s are refused in a line", (text, message) => {
  place.write("wrong-labels.json", text);
  const { status, stderr } = exportTo("no", "--labels", "wrong-labels.json");
  expect(status).toBeGreaterThan(0);
  expect(stderr).toContain(message);
  expect(existsSync(join(cwd, "no"))).toBe(false);
});

const leaf = { prediction: "adelie", probability: 1, share: 1 };
test.each([
  ["{}", "is not a questionnaire"],
  ["nonsense", "is not a questionnaire"],
  [JSON.stringify({ ...leaf, prediction: "emperor" }), 'uses "emperor"'],
  [
    JSON.stringify({ ...leaf, question: { column: "wing", branches: [{ next: leaf }] } }),
    'asks for "wing", but the model has only',
  ],
  [
    JSON.stringify({ ...leaf, question: { column: "sex", branches: [{ values: ["none"], next: leaf }] } }),
    'uses "sex = none"',
  ],
])("a questionnaire of %s is refused in a line", (text, message) => {
  place.write("wrong-tree.json", text);
  expect(exportTo("no", "--questionnaire", "wrong-tree.json").stderr).toContain(message);
});

test("the packed command has its threads in it", () => {
  const folder = fileURLToPath(new URL("../../", import.meta.url));
  const output = execFileSync("npm", ["pack", "--dry-run", "--json", "--loglevel=error"], {
    cwd: folder,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(output) as [{ files: { path: string }[] }];
  const names = files.map(({ path }) => path);
  expect(names).toEqual(expect.arrayContaining(["dist/query-worker.js", "dist/command-thread.js"]));
});
