import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SearchSection } from "./browser/search-sections.ts";

/** What a page shows, between these. */
const [BEGIN, END] = ['<div class="col-content">', '<div class="col-sidebar">'];
/** Characters of a section that can be found; examples of output may be long. */
const MOST = 6000;

/** The text of every page below a folder, cut at its headings. */
export function searchSections(folder: string): SearchSection[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html") && !/^(?:demo|hierarchy|media)/.test(name))
    .sort()
    .flatMap((name) => sectionsOf(name.replaceAll("\\", "/"), readFileSync(join(folder, name), "utf8")));
}

function sectionsOf(address: string, html: string): SearchSection[] {
  const page = textOf(/<title>(.*?)<\/title>/.exec(html)?.[1] ?? "").replace(/ \| conformant$/, "");
  const content = html.slice(html.indexOf(BEGIN) + BEGIN.length, html.indexOf(END));
  return content.split(/(?=<h[1-4][ >])/).flatMap((part): SearchSection[] => {
    const [, id, heading = ""] = /^<h[1-4](?:[^>]*? id="([^"]*)")?[^>]*>(.*?)<\/h[1-4]>/s.exec(part) ?? [];
    const text = textOf(part.replace(/^<h[1-4].*?<\/h[1-4]>/s, "")).slice(0, MOST);
    const isOfLibrary = !/^(?:pages\/|index)/.test(address);
    // Above its first heading a page of the library has only its place in the tree.
    if (heading === "" ? text === "" || isOfLibrary : text === "" && textOf(heading) === page) return [];
    return [{ page, heading: textOf(heading), address: id ? `${address}#${id}` : address, text }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

/** The text of HTML without buttons and pictures. */
function textOf(html: string): string {
  return html
    .replace(/<(button|svg|script|style)[ >].*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex, digits) =>
      String.fromCodePoint(Number.parseInt(digits, hex ? 16 : 10)),
    )
    .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, " ")
    .replace(/ ([,.;:)])/g, "$1")
    .trim();
}
