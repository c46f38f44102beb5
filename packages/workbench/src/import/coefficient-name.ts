import type { TableColumn } from "../source/table-source.ts";

/** The meaning of a coefficient's name. */
export type CoefficientMeaning =
  | { readonly kind: "intercept" }
  /** A column, or a value of one as `column=value`; `guessed` where the name is ambiguous. */
  | { readonly kind: "feature"; readonly feature: string; readonly guessed: boolean }
  | { readonly kind: "refused"; readonly why: string };

const INTERCEPTS = new Set(["(intercept)", "intercept", "const", "_cons"]);

/** patsy, as in statsmodels: `sex[T.male]`, `C(sex)[T.male]`, `C(sex, Treatment(reference="x"))[T.male]`. */
const PATSY = /^(?:C\((?<inner>[^,()]+)(?:,.*)?\)|(?<plain>[^[\]]+))\[(?<kind>[A-Z]\.)?(?<value>.*)\]$/s;
/** R: `factor(class)2`. */
const R_FACTOR = /^(?:as\.)?factor\((?<column>[^()]+)\)(?<value>.+)$/s;

/** Reads the name of a coefficient as written by R, statsmodels or this project, given the columns of the data. */
export function readCoefficientName(name: string, columns: readonly TableColumn[]): CoefficientMeaning {
  if (INTERCEPTS.has(name.toLowerCase())) return { kind: "intercept" };
  const has = (column: string): boolean => columns.some((known) => known.name === column);
  if (has(name)) return { kind: "feature", feature: name, guessed: false };
  const at = name.indexOf("=");
  if (at > 0 && has(name.slice(0, at))) return { kind: "feature", feature: name, guessed: false };
  const plain = name.replaceAll("`", ""); // R puts names that are not identifiers in backticks
  if (has(plain)) return { kind: "feature", feature: plain, guessed: false };
  const patsy = PATSY.exec(plain)?.groups;
  if (patsy) {
    if (patsy.kind && patsy.kind !== "T.")
      return {
        kind: "refused",
        why: "is not a treatment contrast (one weight per value, reference level 0)",
      };
    return meaningOfValue(columns, (patsy.inner ?? patsy.plain).trim(), patsy.value);
  }
  const factor = R_FACTOR.exec(plain)?.groups;
  if (factor) return meaningOfValue(columns, factor.column.trim(), factor.value);
  return readDummy(plain, columns);
}

/** R's treatment contrasts: the name of the column followed directly by the value. */
function readDummy(name: string, columns: readonly TableColumn[]): CoefficientMeaning {
  const parents = columns.filter(
    (column) => name.startsWith(column.name) && (column.storage === "text" || column.storage === "boolean"),
  );
  if (parents.length > 1) {
    const names = parents.map((column) => column.name).join(" or ");
    return { kind: "refused", why: `may be a value of ${names}; write it as column=value` };
  }
  if (parents.length === 1)
    return meaningOfValue(columns, parents[0].name, name.slice(parents[0].name.length));
  if (name.includes(":")) return { kind: "refused", why: "is an interaction, which is not additive" };
  return { kind: "refused", why: "is neither a column of the data nor a value of one" };
}

function meaningOfValue(columns: readonly TableColumn[], column: string, value: string): CoefficientMeaning {
  const known = columns.find(({ name }) => name === column);
  if (!known) return { kind: "refused", why: `needs the column ${JSON.stringify(column)}` };
  // A boolean is one bit; the reference level is FALSE.
  if (known.storage === "boolean" && /^true$/i.test(value))
    return { kind: "feature", feature: column, guessed: false };
  if (value.includes(":")) return { kind: "refused", why: "is an interaction, which is not additive" };
  return { kind: "feature", feature: `${column}=${value}`, guessed: true };
}
