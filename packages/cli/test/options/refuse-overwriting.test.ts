import { linkSync, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { readCommandLine } from "../../src/commands/read-command-line.ts";
import { Workplace } from "../support/workplace.ts";

const place = new Workplace();
const data = place.path("penguins.csv");
const model = place.write("model.json", "{}");
const [link, twin] = [place.path("link.csv"), place.path("twin.csv")];
symlinkSync(data, link);
linkSync(data, twin);

test.each([
  ["the data", ["predict", model, data, "-o", data], "--output"],
  ["a link to the data", ["predict", model, data, "-o", link], "--output"],
  ["another name of the data", ["predict", model, data, "-o", twin], "--output"],
  ["the data of a fit", ["fit", data, "--label", "species", "-o", data], "--output"],
  ["a classifier", ["fit", data, "--classifier", model, "-o", model], "--output"],
  ["the model", ["export", model, "--to", "json", "-o", model], "--output"],
  ["the data by a picture", ["explain", model, data, "--svg", data], "--svg"],
  [
    "the rows to learn from",
    ["evaluate", model, data, "--label", "y", "--train", twin, "--report", link],
    "--report",
  ],
])("%s would be overwritten", (_, words, option) => {
  expect(() => readCommandLine(words)).toThrow(
    expect.objectContaining({
      code: "usage",
      message: expect.stringMatching(`^${option} would overwrite "[^"]+", which is an input$`),
    }),
  );
});

test("a file without a name is none", () => {
  expect(() => readCommandLine(["predict", model, data, "-o", ""])).toThrow(
    "--output requires the name of a file",
  );
});

test("files that are not there, devices and addresses are overwritten by nothing", () => {
  for (const words of [
    ["predict", model, data, "-o", place.path("new.csv")],
    ["predict", model, "/dev/null", "-o", "/dev/null"],
    ["predict", model, "postgres://localhost/db#table", "-o", place.path("new.csv"), "--where", "x\0"],
    ["predict", model, "x".repeat(5000), "-o", "x".repeat(5000)],
  ])
    expect(readCommandLine(words).command.name).toBe("predict");
});
