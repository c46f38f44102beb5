import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { duckdb } from "../support/duckdb.ts";
import { bytesOf, fitQuickly, type QuickFitted, shapeOf } from "../support/fit-in-process.ts";
import { conformant, csvCells, csvRows, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
/** Sums of a few products, in another order. */
const ROUNDING = 1e-12;

const lines = (n: number, line: (i: number) => string): string =>
  `${Array.from({ length: n }, (_, i) => line(i)).join("\n")}\n`;
const write = (name: string, header: string, n: number, line: (i: number) => string): string =>
  place.write(name, `${header}\n${lines(n, line)}`);
const y = (i: number): string => "ab"[((i * 7) % 3) % 2];

test("yes and no stay yes and no: as a feature, as the label, in what is written", () => {
  write(
    "yesno.csv",
    "Records,age,good",
    60,
    (i) => `${i % 3 ? "yes" : "no"},${20 + ((i * 7) % 31)},${i % 2 ? "yes" : "no"}`,
  );
  succeed(["fit", "yesno.csv", "--label", "good", "--components", "1", "-o", "yesno.json"], { cwd });
  place.write("one.jsonl", '{"Records":"yes","age":30}\n');
  const { stdout, stderr } = succeed(["predict", "yesno.json", "one.jsonl"], { cwd });
  expect(csvCells(stdout)[0]).toEqual(["prediction", "p_no", "p_yes"]);
  expect(stderr).toBe("");
  expect(succeed(["ask", "yesno.json", "--given", "Records=yes"], { cwd }).stdout).toContain("Records = yes");
});

test("a classifier with one bit for yes and one for no gives its own answers, and what it was computed from are texts", async () => {
  const [weights, intercept] = [[0.7, -0.4, 0.01], 0.1];
  place.write(
    "bits.json",
    JSON.stringify({
      classes: ["bad", "good"],
      features: ["Records=yes", "Records=no", "age"],
      intercept: [intercept],
      coef: [weights],
    }),
  );
  succeed(["fit", "yesno.csv", "--classifier", "bits.json", "--components", "1", "-o", "bits-model.json"], {
    cwd,
  });
  const rows = csvRows(place.read("yesno.csv"));
  const predicted = csvRows(succeed(["predict", "bits-model.json", "yesno.csv"], { cwd }).stdout);
  rows.forEach(([records, age], r) => {
    const logit = intercept + (records === "yes" ? weights[0] : weights[1]) + weights[2] * Number(age);
    expect(Math.abs(Number(predicted[r][2]) - 1 / (1 + Math.exp(-logit)))).toBeLessThan(ROUNDING);
  });
});

test("a table of nothing but texts has a header, by the names that are asked for or because it looks like one", async () => {
  const file = write(
    "mushrooms.csv",
    "label,cap,odor",
    60,
    (i) => `${"pe"[i % 2]},${"xbf"[i % 3]},${"an"[(i % 5) % 2]}`,
  );
  const { model } = await fitQuickly(file, { label: "label" });
  expect(shapeOf(model)).toEqual(["cap:b|f|x", "odor:a|n"]);
  expect(model.response.outputs).toEqual(["e", "p"]);
  place.write("m.json", bytesOf({ model } as QuickFitted));
  place.write("caps.csv", "cap\nx\nb\n");
  expect(csvRows(succeed(["predict", "m.json", "caps.csv"], { cwd }).stdout)).toHaveLength(2);
});

test("a first line that is data is a row, where the names that are asked for are positions", async () => {
  const file = place.write(
    "bare.csv",
    lines(40, (i) => `${"ab"[i % 2]},${"xyz"[i % 3]}`),
  );
  const { report } = await fitQuickly(file, { label: "column0" });
  expect(report.reading.rows).toBe(40);
  expect((await fitQuickly(file, { label: "a", header: true })).report.reading.rows).toBe(39);
});

test("the fields of a PMML document tell that the first line is a row, letters of a sequence included", async () => {
  place.write(
    "sequences.csv",
    lines(40, (i) => `${"ab"[i % 2]}, ${i % 3 === 0 ? "ACGTACGTA" : "CCGTTCGTA"}`),
  );
  const field = 'optype="categorical" dataType="string"';
  const letters = ["A", "C"].map((letter) => `<Value value="${letter}"/>`).join("");
  place.write(
    "sequences.pmml",
    `<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>
      <DataField name="kind" ${field}><Value value="no"/><Value value="yes"/></DataField>
      <DataField name="column1[1]" ${field}>${letters}</DataField></DataDictionary>
      <RegressionModel functionName="classification" normalizationMethod="logit">
      <MiningSchema><MiningField name="kind" usageType="target"/><MiningField name="column1[1]"/></MiningSchema>
      <RegressionTable intercept="0.5" targetCategory="yes">
      <CategoricalPredictor name="column1[1]" value="A" coefficient="2"/>
      <CategoricalPredictor name="column1[1]" value="C" coefficient="-1"/></RegressionTable>
      <RegressionTable intercept="0" targetCategory="no"/></RegressionModel></PMML>`,
  );
  const words = ["--classifier", "sequences.pmml", "--components", "1", "-o", "sequences.json", "--quiet"];
  succeed(["fit", "sequences.csv", ...words], { cwd });
  const predicted = csvRows(succeed(["predict", "sequences.json", "sequences.csv"], { cwd }).stdout);
  expect(predicted).toHaveLength(40);
  predicted.forEach(([, , yes], r) => {
    expect(Math.abs(Number(yes) - 1 / (1 + Math.exp(r % 3 === 0 ? -2.5 : 0.5)))).toBeLessThan(ROUNDING);
  });
});

test("names that differ only in case are two columns, in a file and in JSON", async () => {
  const file = write(
    "case.csv",
    "Sc_Var_Maxis,Sc_Var_maxis,class",
    40,
    (i) => `${(i * 3) % 11},${(i * 5) % 7},${y(i)}`,
  );
  const { model } = await fitQuickly(file, { label: "class" });
  expect(shapeOf(model)).toEqual(["Sc_Var_Maxis:numeric", "Sc_Var_maxis:numeric"]);
  const json = place.write(
    "case.jsonl",
    lines(40, (i) => `{"Sc_Var_Maxis":${(i * 3) % 11},"Sc_Var_maxis":${(i * 5) % 7},"class":"${y(i)}"}`),
  );
  expect(bytesOf(await fitQuickly(json, { label: "class" }))).toBe(
    bytesOf(await fitQuickly(file, { label: "class" })),
  );
});

test("row numbers are left out with a word, whether they have a name or not, and --columns brings them back", async () => {
  const file = write("index.csv", ",x,y", 40, (i) => `${i},${(i * 3) % 11},${i < 20 ? "a" : "b"}`);
  const { model, report } = await fitQuickly(file, { label: "y" });
  expect(shapeOf(model)).toEqual(["x:numeric"]);
  expect(report.reading.leftOut[0].why).toContain("has no name");
  const named = write("id.csv", "id,x,y", 40, (i) => `${3 * i + 7},${(i * 3) % 11},${i < 20 ? "a" : "b"}`);
  expect((await fitQuickly(named, { label: "y" })).report.reading.leftOut[0].why).toContain(
    "numbers the rows",
  );
  expect(shapeOf((await fitQuickly(named, { label: "y", columns: ["id"] })).model)).toEqual(["id:numeric"]);
  expect(shapeOf((await fitQuickly(file, { label: "y", columns: ["column0", "x"] })).model)).toHaveLength(2);
});

test("an empty key of JSON is left out with a word", async () => {
  const file = place.write(
    "empty-key.jsonl",
    lines(40, (i) => `{"":${i % 5},"x":${(i * 3) % 11},"y":"${i < 20 ? "a" : "b"}"}`),
  );
  const { model, report } = await fitQuickly(file, { label: "y" });
  expect(shapeOf(model)).toEqual(["x:numeric"]);
  expect(report.reading.leftOut).toEqual([{ name: "", why: "it has no name, which a model needs" }]);
});

test("none, unknown and t are categories; NA is one where it is said that no text is a gap", async () => {
  const file = write("none.csv", "c,x,y", 42, (i) => `${["none", "t", "NA"][i % 3]},${(i * 3) % 11},${y(i)}`);
  expect(shapeOf((await fitQuickly(file, { label: "y" })).model)[0]).toBe("c:none|t");
  const { model } = await fitQuickly(file, { label: "y", gaps: [] });
  expect(shapeOf(model)[0]).toBe("c:NA|none|t");
  place.write("na.json", bytesOf({ model } as QuickFitted));
  place.write("na.csv", "c,x\nNA,1\n");
  const { stderr } = succeed(["explain", "na.json", "na.csv", "--row", "1"], { cwd });
  expect(stderr).toBe("");
  expect(
    conformant(["fit", "none.csv", "--label", "y", "--na", "", "--components", "1", "-o", "x.json"], { cwd })
      .stdout,
  ).toMatch(/NA, none/);
});

test("codes that begin with a zero and units are categories, and percentages are numbers", async () => {
  const file = write(
    "codes.csv",
    "zip,size,share,y",
    60,
    (i) => `0123${i % 4},${i % 3} cm,${i % 5}%,${y(i)}`,
  );
  expect(shapeOf((await fitQuickly(file, { label: "y" })).model)).toEqual([
    "zip:01230|01231|01232|01233",
    "size:0 cm|1 cm|2 cm",
    "share:numeric",
  ]);
});

test("amounts are read as numbers, and other texts that a person may take for numbers are noted", async () => {
  const amount = (i: number): string => String(1 + (i % 9));
  const file = write(
    "amounts.csv",
    "share,weight,price,zip,thousands,code,label",
    60,
    (i) =>
      `${amount(i)}%,${amount(i)} kg,$${amount(i)}.50,0${amount(i)}234,"${amount(i)},234",v${amount(i)},${y(i)}`,
  );
  const { said, model } = await fitQuickly(file, { label: "label" });
  const notes = said.filter((text) => text.includes("read as text"));
  expect(notes).toHaveLength(2);
  expect(notes[0]).toMatch(
    /column "weight": 60 values such as "\d kg" are read as text, not as numbers; --sql/,
  );
  expect(shapeOf(model)).toEqual(
    expect.arrayContaining(["share:numeric", "price:numeric", "thousands:numeric"]),
  );
  expect(said.join("\n")).toMatch(
    /column "thousands": "1,234" is read as 1234; --type "thousands=categorical" keeps it/,
  );
});

test("1, 1.0 and true in another spelling are the same category for a model that knows one of them", async () => {
  const { model } = await fitQuickly(
    write("spelled.csv", "g,t,x,y", 40, (i) => `${1 + (i % 3)},${i % 2 ? "True" : "False"},${i % 7},${y(i)}`),
    {
      label: "y",
      types: new Map([["g", "categorical"]]),
    },
  );
  expect(shapeOf(model).slice(0, 2)).toEqual(["g:1|2|3", "t:False|True"]);
  place.write("spelled.json", bytesOf({ model } as QuickFitted));
  await duckdb(
    `COPY (SELECT 2.0::DOUBLE AS g, true AS t, 1 AS x) TO '${place.path("typed.parquet")}' (FORMAT parquet)`,
  );
  place.write("typed.csv", "g,t,x\n2.0,true,1\n");
  place.write("same.csv", "g,t,x\n2,True,1\n");
  const [typed, csv, same] = ["typed.parquet", "typed.csv", "same.csv"].map((name) =>
    succeed(["predict", "spelled.json", name], { cwd }),
  );
  expect(typed).toEqual(same);
  expect(csv).toEqual(same);
});

test("a pattern is all files that it fits, which must have the same columns; a name with brackets is a name", async () => {
  write("part-1.csv", "m,y", 40, (i) => `${i % 9},${y(i)}`);
  write("part-2.csv", "m,y", 30, (i) => `${i % 9},${y(i)}`);
  expect((await fitQuickly(place.path("part-*.csv"), { label: "y" })).report.reading.rows).toBe(70);
  write("dl[1].csv", "m,y", 20, (i) => `${i % 9},${y(i)}`);
  write("dl1.csv", "q,y", 10, (i) => `${i % 9},${y(i)}`);
  expect((await fitQuickly(place.path("dl[1].csv"), { label: "y" })).report.reading.rows).toBe(20);
  write("part-3.csv", "other,y", 30, (i) => `${i % 9},${y(i)}`);
  await expect(fitQuickly(place.path("part-*.csv"), { label: "y" })).rejects.toThrow(
    /part-3.csv" has the columns "other", "y"/,
  );
});

test("a folder of Parquet files is one table, and the names of its folders are columns", async () => {
  mkdirSync(place.path("lake"));
  await duckdb(
    `COPY (SELECT i % 5 AS x, 'v' || (i % 2) AS y, 'north' AS region FROM range(40) t(i) UNION ALL SELECT i % 3, 'v' || (i % 2), 'south' FROM range(30) t(i)) TO '${place.path("lake")}' (FORMAT parquet, PARTITION_BY (region), OVERWRITE_OR_IGNORE)`,
  );
  const { model, report } = await fitQuickly(place.path("lake"), { label: "y" });
  expect(report.reading.rows).toBe(70);
  expect(shapeOf(model)).toEqual(["x:numeric", "region:north|south"]);
});

test("thousands and fractions are told apart by the whole column, or it is an error that names row, value and option", async () => {
  const file = write(
    "mass.csv",
    "mass;len;y",
    40,
    (i) => `${i % 7 === 3 ? "4.750" : i % 2 ? "3,75" : "4,5"};${i % 11};${y(i)}`,
  );
  await expect(fitQuickly(file, { label: "y" })).rejects.toThrow(
    /row 4, column "mass": "4.750" may be 4.75 or 4750/,
  );
  const most = async (decimal: "point" | "comma"): Promise<number | undefined> =>
    (await fitQuickly(file, { label: "y", decimal })).report.reading.chosen[0].range?.[1];
  expect(await most("comma")).toBe(4750);
  const elsewhere = write("grams.csv", "mass;len;y", 40, (i) => `${4 + (i % 2)}.750;${i % 11},5;${y(i)}`);
  await expect(fitQuickly(elsewhere, { label: "y" })).rejects.toThrow(/"4.750" may be/);
  const groups = write("groups.csv", "mass;len;y", 40, (i) => `1.${200 + i},5;${i % 11},5;${y(i)}`);
  expect((await fitQuickly(groups, { label: "y" })).report.reading.chosen[0].range).toEqual([1200.5, 1239.5]);
});

test("sep=; is no row, and a hexadecimal number is no number", async () => {
  const file = write("sep.csv", "sep=;\nmass;len;y", 40, (i) => `${i % 5};${i % 11},5;${y(i)}`);
  expect(shapeOf((await fitQuickly(file, { label: "y" })).model)).toEqual(["mass:numeric", "len:numeric"]);
  const hex = write("hex.csv", "m,y", 40, (i) => `${i === 5 ? "0x10" : i % 9},${y(i)}`);
  const { said, model } = await fitQuickly(hex, { label: "y" });
  expect(shapeOf(model)).toEqual(["m:numeric"]);
  expect(said.join("\n")).toMatch(
    /column "m": 1 of 40 values are not numbers \("0x10"\) and are read as missing/,
  );
});

test("codes with leading zeros are categories, although most of them are written like numbers", async () => {
  const file = write("codes.csv", "code,y", 80, (i) => `${["013", "120", "450", "771"][i % 4]},${y(i)}`);
  expect((await fitQuickly(file, { label: "y" })).model.schema.columns).toEqual([
    expect.objectContaining({ name: "code", kind: "categorical", values: ["013", "120", "450", "771"] }),
  ]);
});

test("a classifier is compared with the data: nothing in common is an error, the rest is said", async () => {
  const classifier = (features: readonly string[]): string =>
    place.write(
      "imported.json",
      JSON.stringify({
        classes: ["a", "b"],
        features,
        intercept: [0],
        coef: [features.map((_, f) => f + 1)],
      }),
    );
  const file = write("smokers.csv", "smoker,age", 40, (i) => `${["yes", "no", "ex"][i % 3]},${20 + i}`);
  await expect(fitQuickly(file, { classifier: classifier(["smoker=Y", "age"]) })).rejects.toThrow(
    /column "smoker": none of its values is known to the classifier, which has "Y"; the data has/,
  );
  const { said } = await fitQuickly(file, { classifier: classifier(["smoker=yes", "smoker=never", "age"]) });
  expect(said[0]).toMatch(/weights for "never", which never occurs/);
  expect(said[1]).toMatch(/"ex", "no" \(26 rows\) has no weight/);
});

test("a classifier that spells whole numbers with a fraction keeps its weights on data that does not", async () => {
  const features = ["floor=1.0", "floor=2.0", "old=True"];
  const json = { classes: ["a", "b"], features, intercept: [0.5], coef: [[1, -2, 3]] };
  const file = write(
    "floors.csv",
    "floor,old",
    30,
    (i) => `${[1, 2, 3, "3.0"][i % 4]},${i % 3 ? "true" : "false"}`,
  );
  const { model } = await fitQuickly(file, {
    classifier: place.write("fractions.json", JSON.stringify(json)),
  });
  expect(shapeOf(model)).toEqual(["floor:1.0|2.0|3", "old:True|false"]);
  place.write("fractions-model.json", bytesOf({ model } as QuickFitted));
  const { stdout } = succeed(["predict", "fractions-model.json", "floors.csv"], { cwd });
  const logits = csvRows(stdout)
    .slice(0, 3)
    .map(([, p, q]) => Math.log(Number(q) / Number(p)));
  [0.5 + 1, 0.5 - 2 + 3, 0.5 + 3].forEach((logit, r) => {
    expect(logits[r]).toBeCloseTo(logit, 10);
  });
});

test("a file whose 0 and 1 are written as numbers of any kind can be fitted and predicted", () => {
  const ones = ["1", "1,0", "+1", "1,00", "1e0", "1,"];
  const zeros = ["0", "-0", "0,0", ",0", "0e5", "-0,00"];
  write("bits.csv", "bit;y", 60, (i) => `${(i % 2 ? ones : zeros)[i % 6]};${"ab"[Number(i % 4 === 1)]}`);
  succeed(["fit", "bits.csv", "--label", "y", "--components", "1", "-o", "bits.json"], { cwd });
  const answers = csvRows(succeed(["predict", "bits.json", "bits.csv"], { cwd }).stdout);
  expect(new Set(answers.map(([, p]) => p)).size).toBe(2);
  place.write("truths.csv", "bit\nTRUE\n false \n1\n0\n");
  const [yes, no, one, zero] = csvRows(succeed(["predict", "bits.json", "truths.csv"], { cwd }).stdout);
  expect([yes, no]).toEqual([one, zero]);
  expect([answers[1], answers[0]]).toEqual([one, zero]);
  place.write("neither.csv", "bit;z\n1;a\n0,5;a\n");
  expect(conformant(["predict", "bits.json", "neither.csv"], { cwd }).stderr).toMatch(
    /row 2, column "bit": expected 0 or 1 or nothing, got "0,5"/,
  );
});

test("a number that is no measurement but a mark is refused with its row, in a fit and in a prediction, and may be a gap", () => {
  const mark = "1.7976931348623157e308";
  write("marks.csv", "x,z,y", 40, (i) => `${i === 4 ? mark : i % 9},${i % 5},${y(i)}`);
  const fitWords = ["fit", "marks.csv", "--label", "y", "--components", "1", "-o", "marks.json"];
  const refusal = `row 5, column "x": expected a number of at most 1e+100 in size or nothing, got "${mark}"\nhint: if "${mark}" means missing, say --na "${mark}"`;
  expect(conformant(fitWords, { cwd }).stderr).toContain(refusal);
  succeed([...fitWords, "--na", mark], { cwd });
  succeed(["predict", "marks.json", "marks.csv"], { cwd });
  expect(conformant(["predict", "marks.json", "marks.csv", "--na", "?"], { cwd }).stderr).toContain(refusal);
});

test("texts among numbers and classes that a model does not know are counted, and only --strict makes them an error", () => {
  write("plain.csv", "x,z,y", 60, (i) => `${i % 9},${i % 5},${y(i)}`);
  succeed(["fit", "plain.csv", "--label", "y", "--components", "1", "-o", "plain.json"], { cwd });
  const [text, gap] = ["n.b.", ""].map(
    (cell) => (i: number) => `${i % 4 === 1 ? cell : (i % 9) + 0.5},${i % 5},${i % 6 === 2 ? "other" : y(i)}`,
  );
  write("texts.csv", "x,z,y", 60, text);
  write("gaps.csv", "x,z,y", 60, gap);
  const told = '15 rows with a text instead of a number, counted as missing ("n.b.")';
  const predicted = conformant(["predict", "plain.json", "texts.csv"], { cwd });
  expect(predicted.stdout).toBe(succeed(["predict", "plain.json", "gaps.csv"], { cwd }).stdout);
  expect(predicted).toMatchObject({ status: 0, stderr: expect.stringContaining(`column "x": ${told}`) });
  expect(conformant(["predict", "plain.json", "texts.csv", "--strict"], { cwd }).stderr).toContain(
    'row 2, column "x": expected a finite number or nothing, got "n.b."',
  );
  const scored = ["evaluate", "plain.json", "--label", "y", "--repeats", "1", "--json"];
  const [evaluated, expected] = ["texts.csv", "gaps.csv"].map((file) =>
    conformant([...scored, file], { cwd }),
  );
  expect(evaluated.stdout).toBe(expected.stdout);
  expect(evaluated.stderr).toContain(told);
  const skipped = '10 rows of a class that the model does not know skipped ("other")';
  for (const { status, stderr } of [
    evaluated,
    conformant(["calibrate", "plain.json", "texts.csv", "-o", "sets.json"], { cwd }),
  ])
    expect([status, stderr]).toEqual([0, expect.stringContaining(skipped)]);
});

test("rows that lack fields at the beginning of a file without a header are no titles", () => {
  place.write("short.csv", `1,2\n1,2\n${lines(40, (i) => `${i % 9},${i % 5},${y(i)}`)}`);
  const fitWords = ["fit", "short.csv", "--label", "column2", "--components", "1", "-o", "short.json"];
  expect(conformant(fitWords, { cwd }).stderr).toContain(
    '"short.csv", row 1 (line 1): expected 3 fields, found 2',
  );
  place.write("short.csv", `measured in May\n\n${lines(40, (i) => `${i % 9},${i % 5},${y(i)}`)}`);
  expect(succeed(fitWords, { cwd }).stdout).toContain("column2 from 2 columns, 40 rows");
});

test("where no row is complete nothing is said of the accuracy on such rows", () => {
  write("sparse.csv", "x,z,y", 40, (i) => `${i % 2 ? i % 9 : ""},${i % 2 ? "" : i % 5},${y(i)}`);
  const fitWords = ["fit", "sparse.csv", "--label", "y", "--components", "1", "-o", "sparse.json"];
  const { stdout } = succeed(fitWords, { cwd });
  // The class does not depend on the columns, so that a penalty beyond the largest of the coarse ones is chosen.
  expect(stdout).toMatch(
    /^training +logistic regression on 0 complete rows, l2 3000 chosen by cross-validation; 40 incomplete rows used/m,
  );
  expect(stdout).not.toMatch(/accuracy|error against complete-row predictions|NaN/);
});

test("dates are read as days, times as hours, and --sql takes parts of them", () => {
  write("times.csv", "day,time,x,y", 40, (i) => `2024-01-${10 + (i % 9)},12:${10 + i},${i % 7},${y(i)}`);
  const { stderr } = succeed(["fit", "times.csv", "--label", "y", "--components", "1", "-o", "t.json"], {
    cwd,
  });
  expect(stderr).toContain(
    'column "day": dates (year-month-day) are read as days since 1970-01-01: "2024-01-10" is 19732',
  );
  expect(stderr).toContain('column "time": times are read as hours: "12:10" is 12.1666667');
  const query = 'SELECT *, extract(hour FROM "time") AS hour FROM data';
  const words = ["fit", "times.csv", "--label", "y", "--components", "1", "-o", "t.json", "--sql", query];
  expect(succeed(words, { cwd }).stderr).toContain('column "hour" is left out: it is 12 in every row');
});

test("a text far behind 200,000 rows of numbers is found, whatever the first rows were", async () => {
  const file = write("late.csv", "x,y", 200_002, (i) => `${i === 200_001 ? "oops" : i % 977},${y(i)}`);
  const late = await fitQuickly(file, { label: "y" });
  expect(late.said.join("\n")).toContain(
    'column "x": 1 of 200,002 values are not numbers ("oops") and are read as missing',
  );
  expect(late.report.reading.chosen[0].known).toBe(200_001);
  expect((await fitQuickly(file, { label: "y", gaps: ["oops"] })).report.reading.chosen[0].known).toBe(
    200_001,
  );
  const mixed = write("mixed.csv", "x,y", 3000, (i) => `${i < 2000 ? i % 7 : "abc"[i % 3]},${y(i)}`);
  expect(shapeOf((await fitQuickly(mixed, { label: "y" })).model)).toEqual(["x:0|1|2|3|4|5|6|a|b|c"]);
});

test("two columns of one name, a label that is always different and a file in another encoding are errors", async () => {
  await expect(fitQuickly(place.write("dup.csv", "x,x,y\n1,2,a\n2,3,b\n"), { label: "y" })).rejects.toThrow(
    /"x" is the name of two columns/,
  );
  const ids = write("ids.csv", "x,id", 40, (i) => `${i % 5},row${i}`);
  await expect(fitQuickly(ids, { label: "id" })).rejects.toThrow(/40 different values in 40 rows/);
  const latin = place.write("latin.csv", Buffer.from("x,y\n1,caf\xe9\n2,b\n", "latin1"));
  await expect(fitQuickly(latin, { label: "y" })).rejects.toThrow(/not in UTF-8/);
  await expect(fitQuickly(place.write("line.csv", "x,y\n"), { label: "y" })).rejects.toThrow(/no rows/);
  const numbers = place.write("numbers.csv", "1,2\n3,4\n5,6\n");
  expect(conformant(["fit", numbers, "--label", "y"]).stderr).toMatch(
    /--label names "y", but .* has only "column0", "column1"/,
  );
});

test("a NUL character deep in a file, in a category or in a class, is an error that names its row", () => {
  const table = (name: string, cell: (i: number) => string, label: (i: number) => string): void => {
    write(name, "n,colour,y", 150_000, (i) => `${(i * 7) % 31},${cell(i)},${label(i)}`);
  };
  const colour = (i: number): string => (i % 3 ? "red" : "blue");
  table("nul-category.csv", (i) => (i === 149_000 ? "re\0d" : colour(i)), y);
  table("nul-class.csv", colour, (i) => (i === 149_000 ? "a\0" : y(i)));
  place.write(
    "nul.jsonl",
    lines(9, (i) => JSON.stringify({ x: i === 7 ? "u\0" : "uv"[i % 2], y: y(i) })),
  );
  place.write(
    "nul-name.jsonl",
    lines(9, (i) => JSON.stringify({ "x\0": i, y: y(i) })),
  );
  const expected = {
    "nul-category.csv": 'csv\\]: "nul-category.csv", line 149002: the file has NUL',
    "nul-class.csv": 'csv\\]: "nul-class.csv", line 149002: the file has NUL',
    "nul.jsonl": 'invalid-value\\]: "nul.jsonl", row 8, column "x": .* without NUL',
  };
  for (const [file, error] of Object.entries(expected))
    expect(conformant(["fit", file, "--label", "y"], { cwd })).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^error\\[${error} .*\nhint: .*\n$`)),
    });
  expect(conformant(["fit", "nul-name.jsonl", "--label", "y"], { cwd }).stderr).toMatch(
    /^error\[unreadable-file\]: "nul-name\.jsonl": a column is called "x\\u0000", expected a name without NUL characters\n$/,
  );
});

test("a file that is no text is told by its beginning, and what to do instead", () => {
  const beginnings = {
    "table.xlsx": [
      "PK\x03\x04\x14\0\x06\0",
      /"table\.xlsx" is cut off or damaged, expected an Excel workbook\n$/,
    ],
    "table.xls": ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", /is a spreadsheet \(\.xls\)/],
    "table.dat": ["PAR1\x15\x04", /No magic bytes found at end of file 'table.dat'/],
    "table.duck": [
      "\x01\x02\x03\x04\x05\x06\x07\x08DUCK\x40\0",
      /is a DuckDB database.*\nhint: .*duckdb:FILE#TABLE\n$/,
    ],
    "page.csv": ["<!DOCTYPE html>\n<html><body>Please log in, again</body></html>", /is a web page/],
  } as const;
  for (const [name, [bytes, says]] of Object.entries(beginnings)) {
    place.write(name, Buffer.from(bytes.padEnd(64, "x,"), "latin1"));
    const { status, stderr } = conformant(["fit", name, "--label", "y"], { cwd });
    expect(stderr).toMatch(/^error\[unreadable-file\]: /);
    expect(stderr).toMatch(says);
    expect(status).toBe(1);
  }
});

test("byte order marks inside of UTF-16, as Gnumeric writes them, are no part of a cell", async () => {
  const text = `x,c,y\n${lines(600, (i) => `${(i * 7) % 31},${i % 3 ? "red" : "blue"},${y(i)}`)}`;
  const marked = text.replace(/[\s\S]{1,1024}/g, (part) => `\uFEFF${part}`);
  const [plain, utf16] = [
    place.write("marks.csv", text),
    place.write("marks-16.csv", Buffer.from(marked, "utf16le")),
  ];
  expect(bytesOf(await fitQuickly(utf16, { label: "y" }))).toBe(
    bytesOf(await fitQuickly(plain, { label: "y" })),
  );
});

test("what cannot be seen in a cell is written out in the message", () => {
  write(
    "hidden.csv",
    "x,c,y",
    60,
    (i) => `${i === 40 ? "12\u00a0" : (i * 7) % 31},${i % 3 ? "red" : "blue"},${y(i)}`,
  );
  expect(conformant(["fit", "hidden.csv", "--label", "y"], { cwd }).stderr).toContain(
    'column "x": 1 of 60 values are not numbers ("12\\u00a0") and are read as missing',
  );
});

test("800 rows of 160 numbers and 40 texts, and 10 rows of 200 columns, are read, fitted and scored", {
  timeout: 90_000,
}, async () => {
  const header = Array.from({ length: 201 }, (_, j) => (j === 200 ? "y" : `v${j}`)).join(",");
  const row = (i: number): string =>
    Array.from({ length: 201 }, (_, j) =>
      j === 200 ? y(i) : j < 160 ? ((i * (j + 1)) % 97) / 7 : `t${(i * (j + 1)) % 6}`,
    ).join(",");
  write("wide.csv", header, 800, row);
  write("few.csv", header, 10, row);
  const atoms = ["--components", "1", "--numeric", "atoms"];
  succeed(["fit", "wide.csv", "--label", "y", ...atoms, "-o", "wide.json"], { cwd });
  expect(csvRows(succeed(["predict", "wide.json", "few.csv"], { cwd }).stdout)).toHaveLength(10);
  succeed(["fit", "few.csv", "--label", "y", "--components", "1", "-o", "few.json"], { cwd });
});

test("JSON of more columns than are looked for in every pass gives the model that CSV gives", async () => {
  const names = [...Array.from({ length: 120 }, (_, j) => `v${j}`), "V0", "y"];
  const cell = (i: number, j: number): string =>
    j === 121 ? y(i) : j % 2 ? `t${(i * (j + 1)) % 4}` : String(((i * (j + 3)) % 17) / 4);
  const csv = write("wide-again.csv", names.join(","), 60, (i) => names.map((_, j) => cell(i, j)).join(","));
  const json = place.write(
    "wide-again.jsonl",
    lines(60, (i) => JSON.stringify(Object.fromEntries(names.map((name, j) => [name, cell(i, j)])))),
  );
  const [fromCsv, fromJson] = [await fitQuickly(csv, { label: "y" }), await fitQuickly(json, { label: "y" })];
  expect(bytesOf(fromJson)).toBe(bytesOf(fromCsv));
});

test("the engine's memory is a size, or an error that says so", () => {
  const { status, stderr } = conformant(["fit", "few.csv", "--label", "y"], {
    cwd,
    env: { CONFORMANT_MEMORY: "" },
  });
  expect(stderr).toMatch(/^error\[usage\]: CONFORMANT_MEMORY must be a size such as 640MB/);
  expect(status).toBe(2);
});
