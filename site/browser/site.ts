// On every page of the site: shows it, searches, and loads the figures where the page has any.

import { startSearch } from "./search.ts";

const script = document.currentScript as HTMLScriptElement;
document.body.style.removeProperty("display"); // typedoc hides a page until its own navigation is there
startSearch(new URL(script.src));
const names = ["expected-answer", "two-models", "what-a-mixture-adds"];
if (names.some((name) => document.querySelector(`img[src$="/${name}.svg"]`))) {
  const figures = document.createElement("script");
  figures.src = new URL("figures.js", script.src).href;
  document.head.append(figures);
}
