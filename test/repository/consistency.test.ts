import { expect, test } from "vitest";
import { documentationPages, packageFolders, readText } from "../repository.ts";

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: object;
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const readManifest = (folder: string) => JSON.parse(readText(`${folder}/package.json`)) as Manifest;
const workspace = readManifest(".");

test("all packages and the citation name the same version", () => {
  const cited = /^version: (.*)$/m.exec(readText("CITATION.cff"))?.[1];
  const versions = packageFolders().map((folder) => readManifest(folder).version);
  expect(new Set([workspace.version, cited, ...versions]).size).toBe(1);
});

test("the address of the repository is the same wherever it stands (scripts/set-address.mjs sets it)", () => {
  const address = workspace.bugs.replace(/\/issues$/, "");
  const published = ["packages/conformant", "packages/cli"].map(
    (folder) => [folder, readManifest(folder)] as const,
  );
  for (const [directory, { homepage, bugs, repository }] of published) {
    expect([homepage, bugs]).toEqual([`${address}#readme`, `${address}/issues`]);
    expect(repository).toEqual({ type: "git", url: `git+${address}.git`, directory });
  }
  expect(readText("CITATION.cff")).toContain(`\nrepository-code: ${address}\n`);
  const [owner, name] = address.split("/").slice(-2);
  expect(readText("README.md")).toContain(`https://${owner.toLowerCase()}.github.io/${name}/demo/`);
  expect(readText(".github/ISSUE_TEMPLATE/config.yml")).toContain(`${address}/security/advisories/new`);
});

test("every package carries the license", () => {
  for (const folder of packageFolders()) expect(readText(`${folder}/LICENSE`)).toBe(readText("LICENSE"));
});

test("development tools are pinned to exact versions", () => {
  for (const version of Object.values(workspace.devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test("the lockfile installs from whichever registry npm is set to", () => {
  expect(readText("package-lock.json")).not.toMatch(/"resolved": "\w+:/);
});

// The changelog also names scripts of the past.
const current = documentationPages().filter((page) => page !== "CHANGELOG.md");

test.each(current)("every npm script that %s names exists", (page) => {
  const named = Array.from(readText(page).matchAll(/npm run ([\w:-]+)/g), ([, script]) => script);
  expect(named.filter((script) => !(script in workspace.scripts))).toEqual([]);
});
