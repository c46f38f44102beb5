// On every page of the site: loads the figures where the page has any.

const script = document.currentScript as HTMLScriptElement;
const names = ["expected-answer", "two-models", "what-a-mixture-adds"];
if (names.some((name) => document.querySelector(`img[src$="/${name}.svg"]`))) {
  const figures = document.createElement("script");
  figures.src = new URL("figures.js", script.src).href;
  document.head.append(figures);
}
