import { linkPrograms, neededBy, type PageFiles } from "./link-programs.ts";

/** The parts of a single-file page. */
export interface PageParts {
  /** The built page, which refers to its files. */
  readonly html: string;
  readonly program: string;
  readonly style: string;
  readonly icon: string;
}

/** Where the parts are in a single-file page, and the files that it reads. */
export const PLACES = { program: "program", style: "style", files: "files" } as const;

/** The page's own document and its icon. */
export const [INDEX, ICON] = ["index.html", "mark.svg"];

/**
 * Collects the parts of a single-file page. vite-plugin-singlefile cannot do this: it packs at build time and leaves workers as separate
 * files, while the studio packs a page in the browser, with a model and all workers.
 *
 * @param read returns the text of a file of the built page
 * @param withLater whether lazily loaded parts, that is the studio, are needed
 */
export async function collectPage(
  read: (name: string) => Promise<string>,
  withLater: boolean,
): Promise<PageParts> {
  const html = await read(INDEX);
  const [main, style] = [SCRIPT, STYLE].map((pattern) => pattern.exec(html)?.groups?.name ?? "");
  const modules: Record<string, string> = {};
  const collect = async (name: string): Promise<void> => {
    if (Object.hasOwn(modules, name)) return;
    modules[name] = await read(name);
    for (const other of neededBy(modules[name], withLater)) await collect(other);
  };
  await collect(main);
  return { html, program: linkPrograms(modules, main), style: await read(style), icon: await read(ICON) };
}

const SCRIPT = /\s*<script[^>]* src="\.\/(?<name>[^"]+)"><\/script>/;
const STYLE = /\s*<link rel="stylesheet"[^>]* href="\.\/(?<name>[^"]+)"[^>]*>/;

/**
 * The page as one HTML file that opens without a server. Its policy allows it to load nothing but itself.
 *
 * @param own the files that the page reads: its settings, a model
 */
export async function packPage({ html, program, style, icon }: PageParts, own: PageFiles): Promise<string> {
  const script = program.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const policy = `default-src 'none'; script-src '${await digest(script)}' blob: 'wasm-unsafe-eval'; style-src '${await digest(style)}'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'`;
  const files = JSON.stringify({ ...own, [INDEX]: html, [ICON]: icon }).replaceAll("<", "\\u003c");
  return html
    .replace(SCRIPT, "")
    .replace(STYLE, () => `\n    <style id="${PLACES.style}">${style}</style>`)
    .replace(/\s*<link rel="modulepreload"[^>]*>/g, "")
    .replace(/(http-equiv="Content-Security-Policy"\s+content=")[^"]*/, `$1${policy}`)
    .replace(`href="./${ICON}"`, `href="data:image/svg+xml,${encodeURIComponent(icon)}"`)
    .replace(
      "</body>",
      () =>
        `  <script type="application/json" id="${PLACES.files}">${files}</script>\n` +
        `    <script id="${PLACES.program}">${script}</script>\n  </body>`,
    );
}

/** The hash by which a content security policy identifies a script or style. */
async function digest(text: string): Promise<string> {
  const { crypto, TextEncoder, btoa } = globalThis as unknown as Host;
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `sha256-${btoa(String.fromCharCode(...bytes))}`;
}

/** Available in browsers and in Node. */
interface Host {
  readonly crypto: {
    readonly subtle: { readonly digest: (name: string, bytes: Uint8Array) => Promise<ArrayBuffer> };
  };
  readonly TextEncoder: new () => { readonly encode: (text: string) => Uint8Array };
  readonly btoa: (binary: string) => string;
}
