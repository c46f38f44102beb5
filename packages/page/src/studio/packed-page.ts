import {
  collectPage,
  ICON,
  INDEX,
  type PageFiles,
  type PageParts,
  PLACES,
  packPage,
} from "conformant-workbench";
import { readPageFile } from "../frame/page-files.ts";

/** This page with other files of its own, as one HTML file. */
export async function packedPage(own: PageFiles): Promise<string> {
  return packPage(await partsOfThisPage(), own);
}

/** What is beside this page, or in it where it is one file itself. */
async function partsOfThisPage(): Promise<PageParts> {
  const [program, style] = [PLACES.program, PLACES.style].map(
    (id) => document.getElementById(id)?.textContent,
  );
  if (!program || !style) return collectPage(readPageFile, false);
  return { html: await readPageFile(INDEX), program, style, icon: await readPageFile(ICON) };
}
