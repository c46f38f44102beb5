import { XMLParser } from "fast-xml-parser";

/** An element of an XML document: names without prefix, entities resolved. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** The parser's output, in document order: one key for the name, ":@" for the attributes. */
type Parsed = Readonly<Record<string, readonly Parsed[] | Readonly<Record<string, string>> | string>>;

/** The parser expands no entities; documents that declare any are rejected before. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  removeNSPrefix: true,
});

/** Parses a document to its root element; throws where it is not well-formed. */
export function parseXml(text: string): Element {
  if (/<!DOCTYPE/i.test(text)) throw new RangeError("a document type declaration is not allowed");
  const [root] = (parser.parse(text, true) as readonly Parsed[]).map(toElement).filter(isElement);
  if (!root) throw new RangeError("the document has no element");
  return root;
}

function isElement({ name }: Element): boolean {
  return name !== "#text";
}

function toElement(parsed: Parsed): Element {
  const name = Object.keys(parsed).find((key) => key !== ":@") ?? "#text";
  const attributes = Object.entries((parsed[":@"] ?? {}) as Record<string, string>);
  const content = parsed[name];
  const inner = Array.isArray(content) ? content.map(toElement) : [];
  return {
    name,
    attributes: new Map(attributes.map(([key, value]) => [key, unescapeXml(String(value))])),
    children: inner.filter(isElement),
    text: Array.isArray(content)
      ? inner.map((child) => (isElement(child) ? "" : child.text)).join("")
      : unescapeXml(String(content ?? "")),
  };
}

const PREDEFINED = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["apos", "'"],
  ["quot", '"'],
]);
const LAST_CHARACTER = 0x10ffff;

/** The five predefined entities and the character references; others do not exist without a declaration. */
function unescapeXml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return PREDEFINED.get(name) ?? whole;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    if (code > LAST_CHARACTER) throw new RangeError(`${whole} is not a character`);
    return String.fromCodePoint(code);
  });
}

/** The children of a name. */
export function childrenOf(element: Element | undefined, name: string): readonly Element[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

export function childOf(element: Element | undefined, name: string): Element | undefined {
  return element?.children.find((child) => child.name === name);
}
