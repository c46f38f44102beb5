import { existsSync } from "node:fs";
import { join } from "node:path";
import { readText, root } from "../repository.ts";

/** A package that is installed for the tests or with the command. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Whether users of the command get it, too. */
  readonly shipped: boolean;
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const LOCKFILE = "package-lock.json";

/** All packages of the lockfile but our own, each version once, by name. */
export function readDependencies(): Dependency[] {
  const { packages } = JSON.parse(readText(LOCKFILE)) as { packages: Record<string, Locked> };
  const found = Object.entries(packages).flatMap(([path, { version, license, dev, devOptional, link }]) => {
    const name = path.split("node_modules/").at(-1);
    if (!path.includes("node_modules/") || link || !name || !version) return [];
    return [{ name, version, license: license ?? licenseOf(path), shipped: !dev && !devOptional }];
  });
  const once = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** For packages that the lockfile has no license of. */
function licenseOf(path: string): string {
  const file = `${path}/package.json`;
  if (!existsSync(join(root, file))) return "unknown";
  const { license, licenses } = JSON.parse(readText(file)) as {
    license?: string | { type: string };
    licenses?: readonly { type: string }[];
  };
  if (typeof license === "string") return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(" OR ") ?? "unknown";
}

/** Licenses that ask for no more than to keep their text. */
const PERMISSIVE = [
  "0BSD",
  "Apache-2.0",
  "BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Python-2.0",
  "Unlicense",
];
/** What tools may have besides: they are used, not given away. */
const FOR_TOOLS = ["MPL-2.0"];

/** Whether we may use a package as we do. */
export function isAllowed({ license, shipped }: Dependency): boolean {
  const allowed = shipped ? PERMISSIVE : [...PERMISSIVE, ...FOR_TOOLS];
  const words = license.replace(/[()]/g, "").split(/ OR | AND /);
  return license.includes(" OR ")
    ? words.some((word) => allowed.includes(word))
    : words.every((word) => allowed.includes(word));
}

/** The page docs/licenses.md. */
export function licensesPage(dependencies: readonly Dependency[]): string {
  const lines = (some: readonly Dependency[]) => {
    const kinds = [...new Set(some.map(({ license }) => license))].sort();
    return kinds.map((kind) => {
      const names = some
        .filter(({ license }) => license === kind)
        .map(({ name, version }) => `${name} ${version}`);
      return `| ${kind} | ${names.length} | ${names.join(", ")} |`;
    });
  };
  const table = (some: readonly Dependency[]) =>
    ["| license | packages | which |", "| --- | --- | --- |", ...lines(some)].join("\n");
  return `# Licenses of the dependencies

Written by \`npm run licenses\` from package-lock.json; a test checks that it is true and that every license is permissive. The library has no dependencies.

## Installed with the command

${table(dependencies.filter(({ shipped }) => shipped))}

## Used to build and test

Not part of any package, but what bundlers put into the page: preact (MIT) and Vite's helpers (MIT).

${table(dependencies.filter(({ shipped }) => !shipped))}
`;
}
