/** What a column of a hostile table holds; each source has a type for it. */
export type HostileKind = "key" | "wide" | "decimal" | "double" | "uuid" | "date" | "time" | "code" | "text";

/** A column: its name, and its values as texts, null where there is none. */
export interface HostileColumn {
  readonly name: string;
  readonly kind: HostileKind;
  /** Digits after the point of decimal numbers. */
  readonly scale: number;
  readonly values: readonly (string | null)[];
}

const PIECES = [
  ..."\"',;|\t\n\\=+-@#%{}[]()<>$&*?!~^`._:/ ",
  ...[
    "é",
    "ß",
    "日本",
    "😀",
    "e\u0301",
    "\u200b",
    "\u00a0",
    "NULL",
    "\\N",
    "NaN",
    "nan",
    "null",
    "true",
    "1e5",
    "-0",
    "007",
    "x",
    "A",
    "''",
    '""',
    "--",
    "/*",
  ],
];
const KINDS: readonly HostileKind[] = [
  "key",
  "wide",
  "decimal",
  "double",
  "uuid",
  "date",
  "time",
  "code",
  "text",
];

/** Columns of several random tables side by side, each with a key, and columns of other kinds; all names are different in any case of letters. */
export function hostileColumns(draw: () => number, tables: number, rows: number): HostileColumn[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(draw() * items.length)];
  return Array.from({ length: tables }, (_, t) => {
    const kinds = [
      pick(["key", "wide", "uuid", "code", "text"] as const),
      ...Array.from({ length: 3 }, () => pick(KINDS)),
    ];
    return kinds.map((kind, c): HostileColumn => {
      const scale = 1 + Math.floor(draw() * 18);
      const hasGaps = draw() < 0.5;
      const values = Array.from({ length: rows }, () =>
        hasGaps && draw() < 0.2 ? null : hostileValue(draw, kind, scale),
      );
      // The last value stands in every row, so that a column is never all missing.
      return {
        name: `${hostileText(draw, 3).trim()}${t}_${c}`,
        kind,
        scale,
        values: [...values.slice(0, -1), hostileValue(draw, kind, scale)],
      };
    });
  }).flat();
}

function hostileValue(draw: () => number, kind: HostileKind, scale: number): string {
  const whole = (most: number): number => Math.floor(draw() * most);
  const digits = (length: number): string => Array.from({ length }, () => whole(10)).join("");
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = (): string => `${1971 + whole(130)}-${two(1 + whole(12))}-${two(1 + whole(28))}`;
  const sign = draw() < 0.3 ? "-" : "";
  switch (kind) {
    case "key": // around and beyond 2⁵³
      return draw() < 0.5
        ? `${9007199254740990n + BigInt(whole(9))}`
        : `${sign}${1 + whole(9)}${digits(whole(18))}`;
    case "wide":
      return `${sign}${1 + whole(9)}${digits(18 + whole(19))}`;
    case "decimal":
      return draw() < 0.3
        ? `1.${"0".repeat(scale - 1)}${whole(3)}`
        : `${sign}${1 + whole(9)}${digits(whole(19))}.${digits(scale)}`;
    case "double":
      return draw() < 0.2
        ? ["-0", "0", "1", "-1", "100000"][whole(5)]
        : String((draw() - 0.5) * 10 ** (whole(40) - 20));
    case "uuid":
      return [8, 4, 4, 4, 12]
        .map((length) => Array.from({ length }, () => whole(16).toString(16)).join(""))
        .join("-");
    case "date":
      return day();
    case "time":
      return `${day()} ${two(whole(24))}:${two(whole(60))}:${two(whole(60))}`;
    case "code":
      return draw() < 0.5
        ? digits(1 + whole(8))
        : ["-0", "1.50", "1.5", "+5", "1e5", "0x10", " 7 ", "1,5", "NA", "007"][whole(10)];
    case "text":
      return hostileText(draw, 6);
  }
}

function hostileText(draw: () => number, most: number): string {
  return Array.from(
    { length: 1 + Math.floor(draw() * most) },
    () => PIECES[Math.floor(draw() * PIECES.length)],
  ).join("");
}
