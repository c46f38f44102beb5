/** Colours of the pictures, by class; those of the lines are by Okabe and Ito, lighter where the ground is dark. */
const COLORS = {
  ground: { light: "#ffffff", dark: "#16181d" },
  ink: { light: "#1f2328", dark: "#e6e8ec" },
  soft: { light: "#59636e", dark: "#a3abb6" },
  rule: { light: "#d8dee4", dark: "#343b46" },
  ours: { light: "#0067a8", dark: "#4db4f0" },
  other: { light: "#c24f00", dark: "#ff9a52" },
  third: { light: "#9a4f80", dark: "#e6a0cb" },
  truth: { light: "#007a58", dark: "#3fd0a2" },
} as const;

export type Color = keyof typeof COLORS;

/** The style of the classes: `stroke-NAME` for lines, `fill-NAME` for areas and texts. */
export function paletteStyle(scheme: "light" | "dark", within = ""): string {
  return Object.entries(COLORS)
    .map(
      ([name, { [scheme]: color }]) =>
        `${within}.stroke-${name}{stroke:${color}}${within}.fill-${name}{fill:${color}}`,
    )
    .join("");
}
