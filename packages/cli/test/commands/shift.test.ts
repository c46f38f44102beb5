import { loadModel, type Model, predict, sensitivity, sensitivityInWords, shiftMissing } from "conformant";
import { beforeAll, expect, test } from "vitest";
import { writePenguins } from "../support/fitted-penguins.ts";
import { conformant, succeed } from "../support/run.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const { folder: cwd } = place;
let model: Model;
const row = { island: "dream", bill_depth: 18 };

beforeAll(() => {
  writePenguins(place, "m.json");
  model = loadModel(place.read("m.json"));
  place.write("new.csv", "island,bill_depth\ndream,18\n");
});

test("--shift answers as the shifted model of the library does", () => {
  const words = [
    "predict",
    "m.json",
    "new.csv",
    "--json",
    "--shift",
    "bill_length = -0.7,sex=male:1",
    "--shift",
    "sex=female:-1",
  ];
  const { probabilities } = JSON.parse(succeed(words, { cwd }).stdout) as { probabilities: object };
  const shifted = shiftMissing(model, { bill_length: -0.7, sex: { male: 1, female: -1 } });
  expect(probabilities).toEqual(predict(shifted, row));
  expect(probabilities).not.toEqual(predict(model, row));
});

test("--sensitivity says what it takes, as a sentence and as JSON", () => {
  const words = ["explain", "m.json", "new.csv", "--sensitivity"];
  const own = sensitivity(model, row);
  expect(succeed(words, { cwd }).stdout).toContain(`\n\n${sensitivityInWords(own)}\n`);
  const json = JSON.parse(succeed([...words, "--json"], { cwd }).stdout) as { sensitivity: object };
  expect(json.sensitivity).toEqual(own);
});

test.each([
  ["no column", "bill=1", 1, /error\[unknown-column\]: --shift names "bill"/],
  ["no tilt", "bill_length", 2, /--shift must be COLUMN=TILT/],
  ["a tilt that is none", "bill_length=low", 2, /the tilt must be a number, got "low"/],
  ["a tilt that is empty", "bill_length=", 2, /the tilt must be a number, got ""/],
  ["a tilt that only a program reads", "bill_length=0x10", 2, /the tilt must be a number, got "0x10"/],
  ["a tilt without end", "bill_length=Infinity", 2, /the tilt must be a number, got "Infinity"/],
  ["nothing", "", 2, /--shift must be COLUMN=TILT,…, got ""/],
  ["commas alone", " , ,", 2, /--shift must be COLUMN=TILT,…, got ""/],
  [
    "a category without a value",
    "sex=1",
    2,
    /--shift "sex=1": "sex" is shifted by its values, expected "sex=VALUE:TILT"\n$/,
  ],
  [
    "a number with a value",
    "bill_length=male:1",
    2,
    /"bill_length" is a number, expected "bill_length=TILT"\n$/,
  ],
  ["a value that is none", "sex=x:1", 1, /must be given for one of "female", "male", got "x"/],
  ["too much", "bill_length=1e9", 1, /a number from −100 to 100, got 1000000000\n$/],
  ["a value twice", "sex=male:1,sex=male:2", 2, /--shift names "sex=male" twice/],
  ["a column twice", "bill_length=1,bill_length=2", 2, /names "bill_length" twice/],
])("--shift refuses %s", (_, shift, status, message) => {
  const { status: found, stderr } = conformant(["predict", "m.json", "new.csv", "--shift", shift], { cwd });
  expect([found, stderr]).toEqual([status, expect.stringMatching(message)]);
});
