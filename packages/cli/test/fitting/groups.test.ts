import { encode, random } from "conformant";
import { dealGroups } from "conformant/internal";
import { USUAL_TRAINING } from "conformant-workbench";
import { describe, expect, test } from "vitest";
import { dealFolds } from "../../../workbench/src/fit/out-of-fold.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const cwd = place.folder;

/** Patients who are easily recognized by their measurements, which tell nothing about the outcome. */
function visits(patients: number, each: number): string {
  const drawn = random(3);
  const lines = Array.from({ length: patients }, (_, p) => {
    const [pressure, weight, sick] = [drawn.normal(), drawn.normal(), drawn.uniform() < 0.5];
    return Array.from({ length: each }, () =>
      [`P${p}`, pressure + 0.01 * drawn.normal(), weight + 0.01 * drawn.normal(), sick ? "yes" : "no"].join(
        ",",
      ),
    );
  }).flat();
  return ["patient,pressure,weight,sick", ...lines, ""].join("\n");
}
place.write("visits.csv", visits(50, 8));

interface Fitted {
  readonly verdict: {
    readonly better: boolean;
    readonly rows: number;
    readonly accuracy: number;
    readonly accuracyStandardError: number;
    readonly rmse: number;
    readonly rmseStandardError: number;
  };
  readonly columns: readonly { readonly name: string }[];
  readonly group?: string;
}

function fitTable(words: readonly string[]): Fitted {
  return JSON.parse(succeed(["fit", ...words, "--json", "-o", "m.json"], { cwd }).stdout);
}

describe("rows of one patient", () => {
  test("are held out together with --group, so that patients who are recognized do not make the model look good", () => {
    const words = ["visits.csv", "--label", "sick", "--model", "trees", "--exclude", "patient"];
    expect(fitTable(words).verdict.better).toBe(true);
    const { verdict, columns, group } = fitTable([...words, "--group", "patient"]);
    expect(verdict).toMatchObject({ better: false, rows: 400 });
    expect(columns.map(({ name }) => name)).toEqual(["pressure", "weight"]);
    expect(group).toBe("patient");
    // Eight visits of a patient with one outcome are hardly more than one row.
    expect(verdict.accuracyStandardError).toBeGreaterThan(2 * errorOfShare(verdict.accuracy, 400));
    expect(verdict.accuracyStandardError).toBeLessThan(1.1 * errorOfShare(verdict.accuracy, 50));
  });

  test("are recognized by inspect and fit, which name the option", () => {
    const note = /50 values in 400 rows: .* --group "patient" holds them out together/;
    expect(succeed(["inspect", "visits.csv"], { cwd }).stdout).toMatch(/--group "patient"/);
    expect(
      conformant(["fit", "visits.csv", "--label", "sick", "--no-cross-validation", "-o", "m.json"], { cwd })
        .stderr,
    ).toMatch(note);
  });

  test("are held out together where a number is predicted, too", () => {
    const words = ["visits.csv", "--label", "weight", "--model", "trees", "--columns", "pressure"];
    expect(fitTable(words).verdict.better).toBe(true);
    const { better, rmse, rmseStandardError } = fitTable([...words, "--group", "patient"]).verdict;
    expect(better).toBe(false);
    // The root mean square of n independent normal errors has the relative standard error 1 / √(2n).
    expect(rmseStandardError / rmse).toBeGreaterThan(2 / Math.sqrt(2 * 400));
  });
});

test("groups hold for the choices on rows with missing values, too", () => {
  const [header, ...lines] = visits(40, 6).trimEnd().split("\n");
  const gaps = lines.map((line, r) => (r % 4 === 0 ? line.replace(/,[^,]*/, ",") : line));
  place.write("gaps.csv", [header, ...gaps, ""].join("\n"));
  const { verdict } = fitTable(["gaps.csv", "--label", "sick", "--group", "patient", "--missing", "auto"]);
  expect(verdict).toMatchObject({ better: false, rows: 240 });
});

test("equal rows are held out together where a measured number shows that they are the same cases again", () => {
  const [header, ...lines] = visits(150, 1).trimEnd().split("\n");
  const rows = lines.map((line) => line.split(",").slice(1).join(","));
  place.write("twice.csv", [header.slice(8), ...rows, ...rows, ...rows, ""].join("\n"));
  const words = ["fit", "twice.csv", "--label", "sick", "--model", "trees", "--json", "-o", "m.json"];
  const { stdout, stderr } = conformant(words, { cwd });
  expect(stderr).toContain("300 rows equal to earlier ones; equal rows are held out together");
  const { verdict } = JSON.parse(stdout) as Fitted;
  expect(verdict.better).toBe(false);
  expect(verdict.accuracyStandardError).toBeCloseTo(errorOfShare(verdict.accuracy, 150), 9);
});

/** The standard error of Agresti and Coull. */
function errorOfShare(share: number, rows: number): number {
  const p = (share * rows + 2) / (rows + 4);
  return Math.sqrt((p * (1 - p)) / (rows + 4));
}

test.each([
  ["sick", '--group names "sick", which is the label'],
  ["ward", '--group names "ward", but "visits.csv" has only "patient",'],
  ["pressure", "expected two or more values that several rows have, got a different value in each row"],
])("--group %s is an error of one line", (name, message) => {
  const { status, stderr } = conformant(["fit", "visits.csv", "--label", "sick", "--group", name], { cwd });
  expect(status).not.toBe(0);
  expect(stderr).toContain(message);
});

describe("groups of rows", () => {
  const drawn = random(5);
  const groups = Int32Array.from({ length: 200 }, () => Math.floor(30 * drawn.uniform() ** 2));
  const labels = Array.from(groups, () => (drawn.uniform() < 0.3 ? "a" : "b"));
  const schema = { columns: [{ name: "y", kind: "categorical" as const, values: ["a", "b"] }] };
  const table = { ...encode(schema, { y: labels }), groups };

  test("are not divided, and parts differ by no more rows than the smallest group that tips the balance", () => {
    for (const seed of [1, 2, 3]) {
      const { fold } = dealFolds(table, { ...USUAL_TRAINING, seed });
      const foldOf = new Map<number, number>();
      fold.forEach((f, r) => {
        expect(foldOf.get(groups[r]) ?? f).toBe(f);
        foldOf.set(groups[r], f);
      });
      expect(new Set(fold).size).toBe(5);
      const sizes = [0, 1, 2, 3, 4].map((f) => fold.filter((g) => g === f).length);
      // As scikit-learn's GroupKFold(5) divides the same groups, which does not look at classes either.
      expect(sizes.sort((a, b) => a - b)).toEqual(groupKFold(groups, 5));
    }
  });

  test("of one row each are dealt by class, as rows are", () => {
    const order = Int32Array.from(groups.keys());
    const codes = table.columns[0];
    const dealt = dealGroups(order, order, 5, codes);
    for (const k of [0, 1]) {
      const sizes = [0, 1, 2, 3, 4].map(
        (f) => order.filter((r) => codes[r] === k && dealt?.part[r] === f).length,
      );
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
    expect(dealGroups(new Int32Array(3), [0, 1, 2], 5)).toBeUndefined();
  });
});

/** Sizes of the folds of GroupKFold, ascending: groups by their size, each to the lightest fold (Pedregosa et al. 2011). */
function groupKFold(groups: Int32Array, folds: number): number[] {
  const counts = new Map<number, number>();
  for (const g of groups) counts.set(g, (counts.get(g) ?? 0) + 1);
  const sizes = new Array<number>(folds).fill(0);
  for (const n of [...counts.values()].sort((a, b) => b - a)) sizes[sizes.indexOf(Math.min(...sizes))] += n;
  return sizes.sort((a, b) => a - b);
}
