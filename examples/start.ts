// The main job in one go, on the Palmer penguins: fit, see how predictions hold up as cells go missing, ask about a penguin
// of which only the island is known. `npm start` runs it.

import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const repository = fileURLToPath(new URL("..", import.meta.url));
const command = join(repository, "node_modules/.bin/conformant");
const folder = join(repository, "reports/start");

type Penguin = Readonly<Record<string, string | number | null>>;

const penguins = JSON.parse(
  readFileSync(join(repository, "node_modules/vega-datasets/data/penguins.json"), "utf8"),
) as Penguin[];

mkdirSync(folder, { recursive: true });
// Every fourth penguin is kept from the fit, to judge it by.
write(
  "train.json",
  penguins.filter((_, i) => i % 4 !== 3),
);
write(
  "test.json",
  penguins.filter((_, i) => i % 4 === 3),
);
write("unknown.json", [{ Island: "Dream" }]);

say(`${penguins.length} penguins of three species, measured on three islands; some measurements are missing.

First, a model: a logistic regression for the species, and what a gap in each column means.`);
run("fit", "train.json", "--label", "Species", "--na", ".", "-o", "penguins.json");

say(`How do predictions hold up as more and more measurements go missing? Judged on penguins the model has not seen,
against filling gaps with the mean or the most frequent value.`);
run(
  ...["evaluate", "penguins.json", "test.json", "--label", "Species", "--na", ".", "--train", "train.json"],
  ...["--against", "mean,most_frequent", "--repeats", "20", "--report", "report.html"],
);

say("A penguin on Dream island, and nothing else is known about it:");
run("predict", "penguins.json", "unknown.json", "--digits", "3", "--quiet");

say(`The report with pictures: ${pathToFileURL(join(folder, "report.html")).href}
Next: conformant --help, and docs/cli.md.`);

function write(name: string, rows: readonly Penguin[]): void {
  writeFileSync(join(folder, name), JSON.stringify(rows));
}

function say(text: string): void {
  console.log(`\n${text}\n`);
}

/** Shows a command line and runs it in the folder; the first failure ends the program. */
function run(...words: readonly string[]): void {
  console.log(`  ${relative(repository, folder)}$ conformant ${words.join(" ")}\n`);
  const { status } = spawnSync(command, words, { cwd: folder, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
