// Searches all pages in the dialog that typedoc has for names: results with the place where the words stand.

import { type Found, type SearchSection, searchSections } from "./search-sections.ts";

declare global {
  interface Window {
    /** What `assets/sections.js` brings. */
    siteSections?: readonly SearchSection[];
  }
}

/** Takes over the input of the dialog; typedoc opens and closes it. */
export function startSearch(assets: URL): void {
  const [input, list, status] = ["tsd-search-input", "tsd-search-results", "tsd-search-status"].map((id) =>
    document.getElementById(id),
  );
  if (!(input instanceof HTMLInputElement) || !list || !status) return;
  const base = new URL("../", assets);
  let isAsked = false;
  let selected = -1;
  const select = (at: number): void => {
    const items = [...list.children];
    items[selected]?.setAttribute("aria-selected", "false");
    selected = items.length === 0 ? -1 : (at + items.length) % items.length;
    const item = items[selected];
    item?.setAttribute("aria-selected", "true");
    item?.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", item?.id ?? "");
  };
  const show = (): void => {
    const found = searchSections(window.siteSections ?? [], input.value);
    list.replaceChildren(...found.map((one, i) => itemOf(one, i, base)));
    selected = -1;
    if (found.length > 0) select(0);
    const isEmpty = input.value.trim() === "";
    const words =
      found.length === 0 ? `No page has all of these words: ${input.value}` : `${found.length} found`;
    status.textContent = isEmpty ? "" : window.siteSections ? words : "Loading …";
  };
  const load = (): void => {
    if (isAsked) return;
    isAsked = true;
    const script = document.createElement("script");
    script.src = new URL("sections.js", assets).href;
    script.addEventListener("load", show);
    document.head.append(script);
  };
  // Before typedoc's own listeners, which would show names without excerpts.
  const before = (event: Event): boolean => {
    if (event.target !== input) return false;
    event.stopImmediatePropagation();
    return true;
  };
  addEventListener("focus", (event) => event.target === input && load(), true);
  addEventListener(
    "input",
    (event) => {
      if (!before(event)) return;
      load();
      show();
    },
    true,
  );
  addEventListener(
    "keydown",
    (event) => {
      if (event.target !== input || !["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) return;
      before(event);
      event.preventDefault();
      if (event.key === "Enter") list.children[selected]?.querySelector("a")?.click();
      else select(selected + (event.key === "ArrowDown" ? 1 : -1));
    },
    true,
  );
}

function itemOf({ page, heading, address, excerpt }: Found, i: number, base: URL): HTMLLIElement {
  const item = document.createElement("li");
  item.id = `found-${i}`;
  item.setAttribute("role", "option");
  item.setAttribute("aria-selected", "false");
  const link = document.createElement("a");
  link.href = new URL(address, base).href;
  link.tabIndex = -1;
  const title = document.createElement("b");
  title.textContent = heading === "" || heading === page ? page : `${page} › ${heading}`;
  const text = document.createElement("span");
  for (const piece of excerpt) {
    const part = document.createElement(piece.isMarked ? "mark" : "span");
    part.textContent = piece.text;
    text.append(part);
  }
  link.append(title, text);
  item.append(link);
  return item;
}
