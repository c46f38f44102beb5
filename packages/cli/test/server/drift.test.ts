import { type Row, random } from "conformant";
import { afterEach, expect, test } from "vitest";
import { QUICKEST } from "../support/fitted-penguins.ts";
import { succeed } from "../support/run.ts";
import { post, type Served, startServe } from "../support/server.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let served: Served | undefined;
afterEach(() => served?.stop());

/** A name with the characters that labels of Prometheus escape, and one that a program could take for a property. */
const AGE = 'age "in\\years"';
const COLUMNS = [AGE, "city", "__proto__"];

interface Shape {
  readonly cities: readonly string[];
  readonly missingCity: number;
  readonly youngest: number;
}
const USUAL: Shape = { cities: ["bonn", "ulm", "köln"], missingCity: 0.1, youngest: 20 };

function people(n: number, seed: number, { cities, missingCity, youngest }: Shape): Row[] {
  const g = random(seed);
  return Array.from({ length: n }, () => ({
    [AGE]: g.uniform() < 0.2 ? null : youngest + Math.floor(50 * g.uniform()),
    city: g.uniform() < missingCity ? null : cities[Math.floor(cities.length * g.uniform())],
    ["__proto__"]: Math.floor(10 * g.uniform()),
  }));
}

const cellText = (value: unknown): string =>
  value === null ? "" : `"${String(value).replaceAll('"', '""')}"`;

/** Writes a table whose label depends on the age, and serves its model. */
async function serveModel(label: (age: number, r: number) => string | number): Promise<Served> {
  const lines = people(400, 1, USUAL).map((row, r) =>
    [...COLUMNS.map((name) => row[name]), label(Number(row[AGE] ?? 45), r)].map(cellText).join(","),
  );
  place.write("people.csv", [[...COLUMNS, "y"].map(cellText).join(","), ...lines].join("\n"));
  succeed(
    ["fit", "people.csv", "--label", "y", "--model", "logistic", "-o", "m.json", "--quiet", ...QUICKEST],
    {
      cwd,
    },
  );
  return startServe(["m.json"], { cwd });
}

/** The samples of a metric by the text of their label. */
async function read(url: string, metric: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(new RegExp(`^conformant_${metric}(?:\\{column="(.*)"\\})? (\\S+)$`, "gm"));
  return Object.fromEntries(Array.from(found, ([, column = "", value]) => [column, Number(value)]));
}

/** Predicts 30 rows one by one, half of the others as a batch, the rest as JSON lines. */
async function predictAll(url: string, rows: readonly Row[]): Promise<void> {
  const half = Math.floor((rows.length + 30) / 2);
  for (const row of rows.slice(0, 30)) expect((await post(`${url}/predict`, { row })).status).toBe(200);
  expect((await post(`${url}/predict`, { rows: rows.slice(30, half) })).status).toBe(200);
  const lines = await fetch(`${url}/predict`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: rows
      .slice(half)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(""),
  });
  expect((await lines.text()).trim().split("\n")).toHaveLength(rows.length - half);
}

const AGE_LABEL = 'age \\"in\\\\years\\"';

test.each([
  ["classes", (age: number, r: number) => (age + (r % 20) > 55 ? "yes" : "no")],
  ["a number", (age: number, r: number) => 2 * age + (r % 7) / 10],
])(
  "the metrics of a model of %s count missing and unseen values, and mark columns that drift",
  async (_, label) => {
    served = await serveModel(label);
    const { url } = served;
    expect(await read(url, "input_rows_total")).toEqual({ "": 0 });
    expect(await read(url, "input_drift")).toEqual({ [AGE_LABEL]: 0, city: 0, ["__proto__"]: 0 });

    const usual = people(900, 2, USUAL);
    await predictAll(url, usual);
    const missing = (rows: readonly Row[], name: string): number =>
      rows.filter((row) => row[name] === null).length;
    expect(await read(url, "input_rows_total")).toEqual({ "": 900 });
    expect(await read(url, "input_missing_total")).toEqual({
      [AGE_LABEL]: missing(usual, AGE),
      city: missing(usual, "city"),
      ["__proto__"]: 0,
    });
    expect(Object.values(await read(url, "input_unseen_total"))).toEqual([0, 0, 0]);
    expect(Object.values(await read(url, "input_drift"))).toEqual([0, 0, 0]);

    // Explanations and questions repeat rows, and rejected rows are no rows.
    await post(`${url}/explain`, { row: { city: "rome" } });
    await post(`${url}/ask`, { row: {} });
    expect((await post(`${url}/predict`, { row: { city: 1, isle: 1 } })).status).toBe(422);
    expect(await read(url, "input_rows_total")).toEqual({ "": 900 });

    const odd = people(300, 3, { cities: ["bonn", "rome"], missingCity: 0.1, youngest: 45 });
    await predictAll(url, odd);
    expect(await read(url, "input_unseen_total")).toEqual({
      [AGE_LABEL]: odd.filter((row) => Number(row[AGE]) > 69).length,
      city: odd.filter(({ city }) => city === "rome").length,
      ["__proto__"]: 0,
    });
    expect((await read(url, "input_missing_total")).city).toBe(missing([...usual, ...odd], "city"));
    expect(await read(url, "input_drift")).toEqual({ [AGE_LABEL]: 1, city: 1, ["__proto__"]: 0 });

    // A column that is missing more often, in a batch that a thread answers.
    await served.stop();
    served = await startServe(["m.json"], { cwd });
    const rows = people(3000, 4, { ...USUAL, missingCity: 0.3 });
    expect((await post(`${served.url}/predict`, { rows })).status).toBe(200);
    expect(await read(served.url, "input_rows_total")).toEqual({ "": 3000 });
    expect((await read(served.url, "input_missing_total")).city).toBe(missing(rows, "city"));
    expect(await read(served.url, "input_drift")).toEqual({ [AGE_LABEL]: 0, city: 1, ["__proto__"]: 0 });
  },
);
