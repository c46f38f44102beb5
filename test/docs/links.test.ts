import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { documentationPages, readText, root } from "../repository.ts";
import { anchorsOf, linksOf } from "./prose.ts";

/** What is wrong with a link of a page, if anything is. Addresses of other hosts are not asked for. */
function complaint(page: string, target: string): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path, anchor] = target.split("#");
  const file = path === "" ? page : posix.join(dirname(page), decodeURIComponent(path));
  if (!existsSync(join(root, file))) return `there is no ${file}`;
  if (anchor === undefined || !file.endsWith(".md")) return undefined;
  return anchorsOf(readText(file)).has(anchor) ? undefined : `${file} has no heading #${anchor}`;
}

test.each(documentationPages())("every link of %s leads somewhere", (page) => {
  const wrong = linksOf(readText(page)).flatMap(({ target, line }) => {
    const words = complaint(page, target);
    return words ? [`${page}:${line}: ${words}`] : [];
  });
  expect(wrong).toEqual([]);
});

test("a link to a page, heading or picture that is not there is found", () => {
  for (const target of ["nowhere.md", "docs/cli.md#nothing", "#nothing", "docs/images/nothing.png"])
    expect(complaint("README.md", target)).toBeDefined();
  expect(complaint("README.md", "docs/cli.md#from-a-csv-file-to-predictions")).toBeUndefined();
});
