import * as Plot from "@observablehq/plot";
import { JSDOM } from "jsdom";

/** A plot in the measures of the report, in the colours of the reader's scheme; an SVG element as text. */
export function drawPlot(options: Plot.PlotOptions): string {
  const { document } = new JSDOM("").window;
  const svg = Plot.plot({
    document,
    width: 460,
    height: 300,
    marginLeft: 48,
    marginBottom: 40,
    style: { background: "transparent", fontSize: "12px", overflow: "visible" },
    ...options,
  });
  return svg.outerHTML.replaceAll("white", "var(--ground)");
}
