/** Whether a stream gets colors: a terminal without NO_COLOR (https://no-color.org), or with FORCE_COLOR. */
function hasColour(
  stream: { readonly isTTY?: boolean },
  environment: NodeJS.ProcessEnv = process.env,
): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR && environment.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && environment.TERM !== "dumb";
}

export type Paint = (text: string) => string;

/** Functions that style text for a stream; they return it unchanged where colors are off. */
export function palette(stream: {
  readonly isTTY?: boolean;
}): Readonly<Record<"bold" | "dim" | "red" | "yellow" | "green", Paint>> {
  const on = hasColour(stream);
  const style =
    (open: number, close: number): Paint =>
    (text) =>
      on ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
  };
}
