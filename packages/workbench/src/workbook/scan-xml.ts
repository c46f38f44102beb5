/** What a scanner of XML calls. Names are without namespace prefix. */
export interface XmlHandler {
  /** @param attributes the text between the name and the end of the tag */
  readonly open: (name: string, attributes: string) => void;
  readonly close: (name: string) => void;
  /** A piece of text between tags; entities are not decoded yet, because a piece may end within one. */
  readonly text: (piece: string) => void;
}

/** A comment, a CDATA section, an instruction or declaration, or a tag. */
const MARKUP =
  /<(?:!--[\s\S]*?--|!\[CDATA\[([\s\S]*?)\]\]|[?!][^>]*|(\/?)([^\s/>!?]+)([^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*))>/y;

/** Returns a function that takes the pieces of a document one after the other. */
export function xmlScanner({ open, close, text }: XmlHandler): (piece: string) => void {
  let rest = "";
  return (piece) => {
    const all = rest + piece;
    let at = 0;
    for (;;) {
      const next = all.indexOf("<", at);
      if (next < 0 ? at < all.length : next > at) text(all.slice(at, next < 0 ? all.length : next));
      if (next < 0) {
        rest = "";
        return;
      }
      MARKUP.lastIndex = next;
      const found = MARKUP.exec(all);
      if (!found) {
        rest = all.slice(next);
        return;
      }
      at = MARKUP.lastIndex;
      const [, verbatim, slash, name, attributes] = found;
      if (verbatim !== undefined) text(verbatim.replaceAll("&", "&amp;"));
      if (name === undefined) continue;
      const local = name.slice(name.indexOf(":") + 1);
      if (slash === "/") close(local);
      else {
        open(local, attributes);
        if (attributes.endsWith("/")) close(local);
      }
    }
  };
}

/** The value of an attribute, by its name without namespace prefix. */
export function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found ? decodeEntities(found[1] ?? found[2]) : undefined;
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(?:x([0-9a-f]+)|(\d+))|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
