// Puts a figure with sliders in the place of each picture that one draws.

import { type Figure, type Settings, startOf } from "../figures/figure.ts";
import { figures } from "../figures/figures.ts";

for (const figure of figures) {
  const image = document.querySelector(`img[src$="/${figure.name}.svg"]`);
  if (image) image.replaceWith(build(figure));
}

function build(figure: Figure): HTMLElement {
  const box = create("figure", "live-figure");
  const drawing = create("div", "drawing");
  const caption = create("figcaption", "caption");
  caption.setAttribute("aria-live", "polite");
  let settings: Settings = startOf(figure);
  const show = () => {
    const { svg, caption: words } = figure.draw(settings);
    drawing.innerHTML = svg;
    caption.textContent = words;
  };
  const sliders = figure.controls.map(({ name, label, least, most, step, start }) => {
    const line = create("label", "slider");
    const [words, value] = [create("span", "words"), create("output", "value")];
    const input = document.createElement("input");
    words.textContent = label;
    value.textContent = String(start);
    Object.assign(input, { type: "range", min: least, max: most, step, value: start });
    input.addEventListener("input", () => {
      settings = { ...settings, [name]: input.valueAsNumber };
      value.textContent = input.value;
      show();
    });
    line.append(words, input, value);
    return line;
  });
  show();
  box.append(drawing, ...sliders, caption);
  return box;
}

function create(name: string, className: string): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  return element;
}
