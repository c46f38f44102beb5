import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where measured results are kept: what is there is not measured again, so an interrupted run is resumed. */
const FOLDER = "reports/compare";

/** A result that was measured before, or is measured now and kept. */
export async function kept<Result>(
  words: readonly (string | number)[],
  measure: () => Result | Promise<Result>,
): Promise<Result> {
  const file = join(
    FOLDER,
    `${words.map((word) => String(word).replaceAll(/[^a-z0-9+]+/gi, "-")).join("/")}.json`,
  );
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Result;
  console.error(words.join(", "));
  const result = await measure();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(result));
  renameSync(`${file}.part`, file);
  return result;
}
