/** A number that the reader of a figure chooses with a slider. */
export interface Control {
  readonly name: string;
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly start: number;
}

/** What the sliders of a figure say, by the names of its controls. */
export type Settings = Readonly<Record<string, number>>;

/** A picture that is computed by the library: once for the page, and in the browser whenever a slider moves. */
export interface Figure {
  /** Name of its picture in docs/images, without the ending. */
  readonly name: string;
  readonly controls: readonly Control[];
  readonly draw: (settings: Settings) => Drawing;
}

export interface Drawing {
  /** The elements of the picture, in classes of palette.ts. */
  readonly svg: string;
  /** What the picture shows, in one sentence. */
  readonly caption: string;
}

/** The settings that a figure begins with. */
export function startOf({ controls }: Figure): Settings {
  return Object.fromEntries(controls.map(({ name, start }) => [name, start]));
}
