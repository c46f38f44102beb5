import { type Column, conformMixture, createClassifier, type Row, random } from "conformant";
import type { Question } from "./ask-exported.ts";

/** Made by what would run if a name became code. */
export const WITNESS = "witness";

/** Pieces of names that end literals, lines, comments and calls in Python and R, or mean something there. */
const PIECES = [
  `'''`, `"""`, `'`, `"`, "`", "\\", "\\\\", `\\"`, `\\'`, "\n", "\r", "\r\n", "\t", "\v", "\f", "\u0085", "\u2028", "\u2029",
  "%", "%s", "%d%%", "{}", "{0}", "{x!r}", `\${x}`, "$", "#", ";", "=", "==", ",", "(", ")", "[", "]", "{", "}", "@", "~", "|>", "<-",
  "é", "ß", "日本", "🦊", "👩‍🔬", "e\u0301", "\u202e", "\ufeff", "\u00a0", " ", "\u0001", "\u007f", "\\u0041", "\\U{41}", "\\x41", "\\N{DASH}",
  "class", "def", "None", "True", "import", "lambda", "self", "nan", "NA", "NULL", "TRUE", "function", "if", "else", "next", "...",
  "..1", "T", "c", "data", "model", "label", "names", "__proto__", "constructor", "0", "1", "1.0", "01", "-1", "1e5", "Infinity",
  `'''); open('${WITNESS}', 'w') #`, `"""); open('${WITNESS}', 'w') #`, `\\'''); open('${WITNESS}', 'w')\n#`,
  `"); file.create("${WITNESS}") #`, `'); file.create('${WITNESS}') #`, `\\"); file.create("${WITNESS}")\n#`, `)"; file.create("${WITNESS}") #`,
]; // biome-ignore format: a list of pieces

/** Characters that a text of R cannot hold. */
const NOT_IN_R = ["\0", "\ud800", "\udc00x"];

/** A small model whose columns, categories and classes have names that look like code, and rows of its values. */
export function hostileQuestion(seed: number, forR: boolean): Question {
  const { uniform, integer, normal } = random(seed);
  const pieces = forR ? PIECES : [...PIECES, ...NOT_IN_R];
  const names = (count: number): string[] => {
    const found = new Set<string>();
    while (found.size < count)
      found.add(Array.from({ length: 1 + integer(3) }, () => pieces[integer(pieces.length)]).join(""));
    return [...found];
  };
  const columns = names(2 + integer(3)).map((name, i): Column => {
    if (i === 0 || uniform() < 0.2) return { name, kind: "numeric" };
    return uniform() < 0.2
      ? { name, kind: "binary" }
      : { name, kind: "categorical", values: names(2 + integer(3)) };
  });
  const classes = names(2 + integer(2));
  const slots = columns.reduce(
    (sum, column) => sum + (column.kind === "categorical" ? column.values.length : 1),
    0,
  );
  const classifier = createClassifier({
    schema: { columns },
    classes,
    intercept: Float64Array.from(classes, () => normal()),
    weights: Float64Array.from({ length: slots * classes.length }, () => normal()),
  });
  const rows = Array.from({ length: 12 }, (_, r): Row => {
    const cells = columns.flatMap((column): [string, Row[string]][] => {
      if (r % 6 > 0 && uniform() < 0.3) return [];
      if (column.kind === "categorical") return [[column.name, column.values[integer(column.values.length)]]];
      return [[column.name, column.kind === "binary" ? integer(2) : normal()]];
    });
    return Object.fromEntries(cells);
  });
  const model = conformMixture(classifier, rows, {
    components: 1 + (seed % 2),
    numeric: seed % 3 === 0 ? "gaussian" : "atoms",
    maxIterations: 2,
    restarts: 1,
    seed,
  });
  return { name: `seed ${seed}: ${JSON.stringify(columns)}`, model, rows };
}
