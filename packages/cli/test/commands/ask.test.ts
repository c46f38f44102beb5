import {
  askNext,
  askPlan,
  askTree,
  howSure,
  type Model,
  predict,
  type Question,
  type Questionnaire,
  type Row,
} from "conformant";
import { drawQuestionnaire } from "conformant-workbench";
import { beforeAll, expect, test } from "vitest";
import { randomMixture, tiedModel } from "../../../conformant/test/support/random-mixture.ts";
import { randomModel } from "../../../conformant/test/support/random-model.ts";
import { writePenguins } from "../support/fitted-penguins.ts";
import { writeModel } from "../support/given-model.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let penguins: Model;

beforeAll(() => {
  penguins = writePenguins(place, "model.json");
  place.write("costs.json", '{"bill_length": 3, "sex": 0.2}');
  place.write("costs.csv", 'column,cost\nbill_length,3\n"sex",0.2\n');
});

function asked<T>(words: readonly string[]): T {
  return JSON.parse(succeed(["ask", ...words, "--json"], { cwd }).stdout) as T;
}

test("--json is the library's ranking, best first, with costs from JSON or CSV", () => {
  const known = { island: "dream", bill_length: 49.1 };
  const given = ["model.json", "--given", "island=dream,bill_length=49.1"];
  expect(asked<Question[]>(given)).toEqual(askNext(penguins, known));
  const costs = { bill_length: 3, sex: 0.2 };
  for (const file of ["costs.json", "costs.csv"])
    expect(asked<Question[]>(["model.json", "--costs", file])).toEqual(
      askNext(penguins, {}, { costs, lookAhead: true }),
    );
});

test("--groups are asked for at once, with costs of their own", () => {
  const groups = { bill: ["bill_length", "bill_depth"] };
  place.write("panel.json", '{"bill": 4}');
  const words = ["model.json", "--groups", "bill=bill_length+bill_depth", "--costs", "panel.json"];
  expect(asked<Question[]>(words)).toEqual(askNext(penguins, {}, { groups, costs: { bill: 4 } }));
});

test("the ranking is a table below the decision and how safe it is", () => {
  const { stdout } = succeed(["ask", "model.json", "--given", "island=dream", "--costs", "costs.json"], {
    cwd,
  });
  const [words, , header, ...lines] = stdout.trimEnd().split("\n");
  const { sameDecision } = howSure(penguins, { island: "dream" });
  const { chinstrap } = predict(penguins, { island: "dream" });
  expect(words).toContain(`Predicted chinstrap (${chinstrap.toFixed(2)}). Known: island = dream.`);
  expect(words).toContain(`the same with probability ${sameDecision.value.toFixed(2)}`);
  expect(header).toMatch(/^ask +information +changes the decision +cost +per cost +both +with$/);
  const costs = { bill_length: 3, sex: 0.2 };
  const ranking = askNext(penguins, { island: "dream" }, { costs, lookAhead: true });
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(ranking.map(({ column }) => column));
  // The sex says nothing by itself, but costs little and makes the bill say more.
  const [{ column, informationGain, ahead }] = ranking;
  expect([column, ahead?.column]).toEqual(["sex", "bill_length"]);
  expect(informationGain).toBeLessThan(0.002);
  const [own, both] = [informationGain, ahead?.informationGain ?? 0].map((gain) => gain.toFixed(3));
  expect(lines[0]).toMatch(new RegExp(`^sex +${own} .* ${both} +bill_length$`));
});

test("--plan is the library's plan", () => {
  const plan = asked<{ questions: unknown[]; reached: boolean }>([
    "model.json",
    "--plan",
    "--threshold",
    "0.9",
  ]);
  expect(plan).toEqual(JSON.parse(JSON.stringify(askPlan(penguins, {}, { threshold: 0.9 }))));
  const { stdout } = succeed(["ask", "model.json", "--plan", "--threshold", "0.9"], { cwd });
  expect(stdout).toContain("After these it is the same decision with probability 0.9 or more.");
  expect(stdout.match(/^[a-z_]+ +0\.\d{3} +\d/gm)).toHaveLength(plan.questions.length);
});

interface Interview {
  prediction: string;
  probability: number;
  known: Row;
  unknown: string[];
  end: string;
}

/** A conversation over standard input. */
function interview(answers: string, words: readonly string[]): { said: string; result: Interview } {
  const { stdout, stderr } = succeed(["ask", ...words, "--interactive", "--json"], { cwd, input: answers });
  return { said: stderr, result: JSON.parse(stdout) as Interview };
}

test("--interactive asks for the most telling column until the decision is safe", () => {
  const answers: Row = { bill_length: 44, bill_depth: 18, flipper_length: 195, body_mass: 3700, sex: "male" };
  // The interview by the library: the best question, its answer, and so on until the decision is safe.
  const known: Record<string, Row[string]> = { island: "dream" };
  const expected: string[] = [];
  while (howSure(penguins, known).sameDecision.value < 0.95) {
    const [{ column }] = askNext(penguins, known, { lookAhead: true });
    expected.push(column);
    known[column] = answers[column];
  }
  expect(expected.length).toBeGreaterThan(1);
  const input = expected.map((column) => `${answers[column]}\n`).join("");
  const { said, result } = interview(input, ["model.json", "--given", "island=dream"]);
  expect(Array.from(said.matchAll(/^(\w+) \(.*?\)\? /gm), ([, column]) => column)).toEqual(expected);
  expect(result).toMatchObject({ end: "safe", known, unknown: [] });
  // After every answer the decision, the last of them the one that is safe.
  const decisions = [...said.matchAll(/ {2}Predicted (\w+) .*The same with everything known: /g)];
  expect(decisions).toHaveLength(expected.length);
  expect(decisions.at(-1)?.[1]).toBe(result.prediction);
  expect(result.probability).toBe(predict(penguins, known)[result.prediction]);
});

test("any answer may be unknown, and a wrong one is asked for again", () => {
  const { said, result } = interview("long\nunknown\n?\n\nUNKNOWN\nNA\n", [
    "model.json",
    "--given",
    "island=dream",
  ]);
  expect(said).toContain('expected a number or nothing, got "long"');
  expect(result).toMatchObject({ end: "nothing-left", known: { island: "dream" } });
  expect([...result.unknown].sort()).toEqual([
    "bill_depth",
    "bill_length",
    "body_mass",
    "flipper_length",
    "sex",
  ]);
});

test("the end of the input ends the questions", () => {
  expect(askNext(penguins, { island: "dream" })[0].column).toBe("bill_length");
  expect(howSure(penguins, { island: "dream", bill_length: 44 }).sameDecision.value).toBeLessThan(0.95);
  const { stdout, status } = conformant(["ask", "model.json", "--given", "island=dream", "--interactive"], {
    cwd,
    input: "44\n",
  });
  expect(stdout).toMatch(
    /^Predicted \w+ \(.*\)\. Stopped before it was safe: the decision would be the same/,
  );
  expect(status).toBe(0);
});

test("a category is read with other capitals, and bits as yes and no, also in a mixture", () => {
  const mixture = randomMixture({
    seed: 3,
    columns: 3,
    classes: 2,
    components: 2,
    kinds: ["binary", "categorical"],
  });
  const model = writeModel(place, "bits", mixture, []);
  const answers = model.schema.columns.map(({ kind }) => (kind === "binary" ? "yes" : "A"));
  const given = model.schema.columns.map(({ name }, i) => `${name}=${answers[i]}`).join(",");
  expect(asked<Question[]>(["bits.json", "--given", given])).toEqual([]);
  expect(succeed(["ask", "bits.json", "--given", given], { cwd }).stdout).toContain(
    "Everything is known: there is nothing to ask.",
  );
});

test("nothing given, ties and everything known each get a clear word", () => {
  writeModel(place, "tied", tiedModel(1, 4, 2), []);
  expect(succeed(["ask", "tied.json"], { cwd }).stdout).toMatch(
    /^class 0 and class 1 are tied at 0\.50; the tie counts as class 1\. Nothing is known yet\. /,
  );
});

test("an unknown category counts as missing and is said, --strict makes it an error", () => {
  const { stderr, stdout } = succeed(["ask", "model.json", "--given", "island=mars"], { cwd });
  expect(stderr).toContain('--given, column "island": expected one of "biscoe", "dream", "torgersen"');
  expect(stdout).toContain("Nothing is known yet.");
  expect(conformant(["ask", "model.json", "--given", "island=mars", "--strict"], { cwd }).stderr).toMatch(
    /^error\[unknown-category\]/,
  );
});

test("names with = and commas can be given", () => {
  const named = randomModel({ seed: 5, columns: 2, classes: 2, kinds: ["numeric"] });
  const columns = [
    { name: "a=b", kind: "numeric" as const },
    { name: "c,d", kind: "numeric" as const },
  ];
  const model = writeModel(
    place,
    "named",
    {
      ...named,
      schema: { columns },
      predictor: { ...named.predictor, schema: { columns } },
      tilt: { ...named.tilt, schema: { columns } },
    },
    [],
  );
  expect(asked<Question[]>(["named.json", "--given", "a=b=1"])).toEqual(askNext(model, { "a=b": 1 }));
  expect(asked<Question[]>(["named.json", "--given", '"c,d=-2"'])).toEqual(askNext(model, { "c,d": -2 }));
});

test.each<[string, string[], number, string, RegExp]>([
  [
    "an unknown column in --given",
    ["--given", "isle=dream"],
    1,
    "unknown-column",
    /--given names "isle".*"island"/,
  ],
  [
    "the label in --given",
    ["--given", "species=adelie"],
    1,
    "unknown-column",
    /which is what the model predicts/,
  ],
  [
    "a value that is no number",
    ["--given", "body_mass=big"],
    1,
    "invalid-value",
    /"body_mass": expected a number.*"big"/,
  ],
  ["a column given twice", ["--given", "sex=male,sex=female"], 2, "usage", /names "sex" twice/],
  ["--given without a value", ["--given", "sex"], 2, "usage", /COLUMN=VALUE/],
  [
    "a negative cost",
    ["--costs", "negative.json"],
    1,
    "invalid-costs",
    /"negative.json": the cost of "sex" must be a positive number, got -1/,
  ],
  ["a cost that is no number", ["--costs", "words.csv"], 1, "invalid-costs", /the cost of "sex" .*"free"/],
  ["a cost for no column", ["--costs", "stranger.json"], 1, "unknown-column", /a cost for "sx".*"sex"/],
  ["costs that are a list", ["--costs", "list.json"], 1, "invalid-costs", /expected an object/],
  ["costs that are cut off", ["--costs", "cut.json"], 1, "invalid-costs", /not complete JSON/],
  ["no costs file", ["--costs", "nothing.json"], 1, "missing-file", /nothing\.json/],
  ["a threshold that is none", ["--plan", "--threshold", "2"], 2, "usage", /--threshold .*"2"/],
])("%s is one line with a code", (_, words, status, code, says) => {
  place.write("negative.json", '{"sex": -1}');
  place.write("words.csv", "island,1\nsex,free\n");
  place.write("stranger.json", '{"sx": 1}');
  place.write("list.json", "[1]");
  place.write("cut.json", '{"sex": 1');
  const outcome = conformant(["ask", "model.json", ...words], { cwd, input: "" });
  const [line, hint, ...rest] = outcome.stderr.trimEnd().split("\n");
  expect(line).toMatch(new RegExp(`^error\\[${code}\\]: `));
  expect(line).toMatch(says);
  expect(hint ?? "hint: ").toMatch(/^hint: /);
  expect(rest).toEqual([]);
  expect(outcome.status).toBe(status);
});

test("--tree is the library's questionnaire, as lines, as JSON and as a picture", () => {
  const words = ["ask", "model.json", "--given", "island=dream", "--tree", "2"];
  const own = askTree(penguins, { island: "dream" }, { depth: 2 });
  const { stdout } = succeed([...words, "--svg", "tree.svg"], { cwd });
  expect(place.read("tree.svg")).toBe(drawQuestionnaire(own));
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toBe(`${own.prediction} ${own.probability.toFixed(2)}, ask ${own.question?.column}`);
  const places = (node: Questionnaire): number =>
    1 + (node.question?.branches ?? []).reduce((sum, { next }) => sum + places(next), 0);
  expect(lines).toHaveLength(places(own));
  expect(JSON.parse(succeed([...words, "--json"], { cwd }).stdout)).toEqual(JSON.parse(JSON.stringify(own)));
});

test.each([["no depth", ["--tree", "0"], /--tree must be a whole number from 1 to 12/]])(
  "a questionnaire is refused with %s",
  (_, words, message) => {
    const { status, stderr } = conformant(["ask", "model.json", ...words], { cwd });
    expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  },
);
