// Writes the site into reports/site: the pages of docs/, the typed interface, one search and the page of a model, as files that need no server.
//
//   npm run site

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Converter,
  type DocumentReflection,
  JSX,
  KindRouter,
  type Reflection,
  TSConfigReader,
  TypeDocReader,
} from "typedoc";
import { build } from "vite";
import { documentationPages, root } from "../test/repository.ts";
import { arrange } from "./contents.ts";
import { paletteStyle } from "./figures/palette.ts";
import { searchSections } from "./search-index.ts";
import { type NavigationSection, SiteTheme } from "./theme.ts";

const own = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const out = join(root, "reports/site");
const parts = mkdtempSync(join(tmpdir(), "conformant-site-"));
const sections = arrange(documentationPages());
/** The name by which typedoc knows a page, and where the page stands. */
const places = new Map(
  sections.flatMap(({ title, pages }) => pages.map((page) => [page.replace(/\.md$/, ""), { title, page }])),
);
/** The tree of the library is open until the reader closes it. */
const OPENED = `try { localStorage["tsd-accordion-Modules"] ??= "true"; } catch {}`;
const fileNames = new WeakMap<Reflection, string>();
/** The Markdown files of documents, from the root of the repository. */
const sources = new WeakMap<Reflection, string>();

/** Pages are called after their files, so that an address stays when a title changes. */
class FileRouter extends KindRouter {
  protected override getIdealBaseName(reflection: Reflection): string {
    const name = fileNames.get(reflection);
    return name === undefined ? super.getIdealBaseName(reflection) : `pages/${name.toLowerCase()}`;
  }
}

try {
  await buildScripts();
  writeFileSync(join(parts, "style.css"), readFileSync(own("style.css"), "utf8") + figureStyle());
  const app = await Application.bootstrapWithPlugins(
    {
      readme: "site/landing.md",
      projectDocuments: sections.flatMap(({ pages }) => pages),
      out,
      router: "file",
      customCss: join(parts, "style.css"),
      customJs: join(parts, "site.js"),
      favicon: join(root, "packages/page/public/mark.svg"),
      navigation: { includeGroups: true, includeCategories: true },
      navigationLeaves: [],
      theme: "site",
      highlightLanguages: [
        "bash",
        "sh",
        "ts",
        "json",
        "python",
        "r",
        "sql",
        "ini",
        "nginx",
        "yaml",
        "html",
        "csv",
      ],
      lightHighlightTheme: "github-light-high-contrast",
      darkHighlightTheme: "github-dark-high-contrast",
      hideGenerator: true,
    },
    [new TypeDocReader(), new TSConfigReader()],
  );
  app.renderer.defineRouter("file", FileRouter);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => entitle(document));
  app.renderer.defineTheme("site", SiteTheme);
  app.renderer.hooks.on("head.end", () =>
    JSX.createElement("script", null, JSX.createElement(JSX.Raw, { html: OPENED })),
  );
  const project = await app.convert();
  if (!project) throw new Error("typedoc found no project");
  // typedoc's own lists are of the library only.
  project.groups = (project.groups ?? []).filter(
    ({ children }) => !children.every((child) => child.isDocument()),
  );
  SiteTheme.sections = navigationOf(project.documents ?? []);
  rmSync(out, { recursive: true, force: true });
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error("the site has errors, see above");
  copyFileSync(join(parts, "figures.js"), join(out, "assets/figures.js"));
  const found = JSON.stringify(searchSections(out)).replaceAll("</", "<\\/");
  writeFileSync(join(out, "assets/sections.js"), `window.siteSections = ${found};`);
  writeDemo();
  console.log(`${join(out, "index.html")}`);
} finally {
  rmSync(parts, { recursive: true });
}

/** The page of a model of the penguins, which README and the landing page show. */
function writeDemo(): void {
  const conformant = (...words: string[]) =>
    execFileSync(process.execPath, [join(root, "packages/cli/dist/main.js"), ...words, "--quiet"]);
  const model = join(parts, "penguins.json");
  conformant("fit", join(root, "examples/penguins.csv"), "--label", "species", "-o", model);
  // A folder for a server, and one file that the landing page shows also where it is opened without one.
  for (const place of ["demo", "demo.html"])
    conformant("export", model, "--to", "page", "--title", "Which penguin is it?", "-o", join(out, place));
}

/** A page has its first heading for a title, and the group of its section. */
function entitle(document: DocumentReflection): void {
  const place = places.get(document.name);
  if (!place) return;
  fileNames.set(document, basename(document.name));
  sources.set(document, place.page);
  const title = /^# (.*)\n/.exec(document.content[0].text)?.[1];
  if (!title) throw new Error(`${place.page} does not begin with a heading`);
  document.name = title;
}

/** What runs in the browser: a few lines on every page, and the figures with the library, which they load where there are any. */
async function buildScripts(): Promise<void> {
  for (const name of ["site", "figures"]) {
    await build({
      configFile: false,
      logLevel: "warn",
      build: {
        outDir: parts,
        emptyOutDir: false,
        lib: {
          entry: own(`browser/${name}.ts`),
          formats: ["iife"],
          name: "conformantSite",
          fileName: () => `${name}.js`,
        },
      },
    });
  }
}

/** The colours of the figures, by the theme that the reader chose on the page. */
function figureStyle(): string {
  const dark = paletteStyle("dark", ":root[data-theme=os] ");
  return [
    paletteStyle("light"),
    `@media (prefers-color-scheme:dark){${dark}}`,
    paletteStyle("dark", ":root[data-theme=dark] "),
  ].join("\n");
}

/** The sections with the pages that typedoc has made of their files. */
function navigationOf(documents: readonly DocumentReflection[]): NavigationSection[] {
  const byPage = new Map(documents.map((document) => [sources.get(document), document]));
  return sections.map(({ title, pages }) => ({
    title,
    entries: pages.flatMap((page) => {
      const document = byPage.get(page);
      return document ? [{ title: document.name, document }] : [];
    }),
  }));
}
