import { isDateText, isMissingText, readNumberText, trimText } from "conformant/texts";
import { quoteLiteral } from "conformant-workbench/sql";
import type { Ask } from "../opened-source.ts";

/** A column of texts. */
export interface TextColumn {
  /** SQL: the text. */
  readonly raw: string;
  /** The possible type of its values, judged by the first ones. */
  readonly may: "number" | "time" | "text";
}

/** The possible type of a column, judged by its first values. */
export function guessKind(sample: readonly string[], gaps: readonly string[]): TextColumn["may"] {
  const values = sample.map(trimText).filter((text) => !isMissingText(text, gaps));
  if (values.length === 0) return "text";
  if (values.every((text) => readNumberText(text) !== undefined)) return "number";
  return values.every(isDateText) ? "time" : "text";
}

/** The most digits of the engine's decimals, and of numbers that doubles preserve. */
const [MOST_DIGITS, DOUBLE_DIGITS] = [38, 15];

/** Columns per pass over the file. */
const TOGETHER = 200;

/**
 * SQL of each text column in a type that can be computed with and loses nothing: `007`, and numbers with more digits than a
 * decimal of the engine holds, stay texts. All values of a column are checked.
 *
 * @param gaps texts that stand for a missing value
 */
export async function exactTypes(
  ask: Ask,
  relation: string,
  columns: readonly TextColumn[],
  gaps: readonly string[],
): Promise<string[]> {
  const types = columns.map(() => "VARCHAR");
  const candidates = columns.flatMap(({ raw, may }, c) =>
    may === "text" ? [] : [{ c, raw, checks: may === "number" ? NUMBERS : TIMES }],
  );
  for (let start = 0; start < candidates.length; start += TOGETHER) {
    const part = candidates.slice(start, start + TOGETHER);
    const questions = part.map(({ raw, checks }) => checks.ask(trimmed(raw), isGap(raw, gaps)));
    const [answers] = await ask(
      `SELECT ${questions.flat().join(", ")} FROM ${relation}`,
      questions.flat().length,
    );
    let at = 0;
    part.forEach(({ c, checks }, p) => {
      types[c] = checks.decide(answers.slice(at, at + questions[p].length));
      at += questions[p].length;
    });
  }
  return columns.map(({ raw }, c) => {
    const value = types[c] === "VARCHAR" ? raw : `CAST(${trimmed(raw)} AS ${types[c]})`;
    return `CASE WHEN ${isGap(raw, gaps)} THEN NULL ELSE ${value} END`;
  });
}

/** Sums over all values of a column, and the type they imply. */
interface Checks {
  readonly ask: (text: string, isGap: string) => string[];
  readonly decide: (answers: readonly (string | null)[]) => string;
}

const NUMBERS: Checks = {
  ask: (text, gap) => {
    const digits = `ltrim(regexp_replace(${text}, '[eE].*|[-.]', '', 'g'), '0')`;
    const double = `TRY_CAST(${text} AS DOUBLE)`;
    const isExact = `${double} = 0 AND ${digits} NOT SIMILAR TO '.*[1-9].*' OR abs(${double}) BETWEEN 1e-300 AND 1e300 AND (length(${digits}) <= ${DOUBLE_DIGITS} OR CAST(${double} AS VARCHAR) = ${text})`;
    const plain = `regexp_full_match(${text}, '-?(0|[1-9][0-9]*)?([.][0-9]+)?')`;
    return [
      all(`regexp_full_match(${text}, '0|-?[1-9][0-9]*') AND TRY_CAST(${text} AS HUGEINT) IS NOT NULL`, gap),
      all(`TRY_CAST(${text} AS BIGINT) IS NOT NULL`, gap),
      all(
        `regexp_full_match(${text}, '-?(0|[1-9][0-9]*)?([.][0-9]*)?([eE][-+]?[0-9]+)?') AND (${isExact})`,
        gap,
      ),
      all(plain, gap),
      `max(CASE WHEN ${gap} THEN 0 ELSE length(ltrim(split_part(${text}, '.', 1), '-')) END)`,
      `max(CASE WHEN ${gap} THEN 0 ELSE length(split_part(${text}, '.', 2)) END)`,
    ];
  },
  decide: ([isWhole, isShort, isDouble, isPlain, before, after]) => {
    if (isWhole === "true") return isShort === "true" ? "BIGINT" : "HUGEINT";
    if (isDouble === "true") return "DOUBLE";
    const width = Number(before) + Number(after);
    return isPlain === "true" && width <= MOST_DIGITS ? `DECIMAL(${width}, ${after})` : "VARCHAR";
  },
};

const TIMES: Checks = {
  ask: (text, gap) => {
    // Without a time zone, and no finer than the engine's resolution.
    const isFine = `NOT regexp_matches(${text}, '[.][0-9]{6}[0-9]*[1-9]|[zZ]|UTC|:.*[-+]')`;
    return ["DATE", "TIMESTAMP", "TIME"].map((type) =>
      all(
        type === "DATE"
          ? `length(${text}) = 10 AND TRY_CAST(${text} AS DATE) IS NOT NULL`
          : `TRY_CAST(${text} AS ${type}) IS NOT NULL AND ${isFine} AND length(${text}) ${type === "TIME" ? "<" : ">="} 10`,
        gap,
      ),
    );
  },
  decide: ([isDate, isTimestamp, isTime]) => {
    if (isDate === "true") return "DATE";
    return isTimestamp === "true" ? "TIMESTAMP" : isTime === "true" ? "TIME" : "VARCHAR";
  },
};

function all(condition: string, gap: string): string {
  return `bool_and(${gap} OR COALESCE(${condition}, false))`;
}

function trimmed(raw: string): string {
  return `trim(${raw})`;
}

/** SQL: whether a text stands for a missing value. */
function isGap(raw: string, gaps: readonly string[]): string {
  return [`${raw} IS NULL`, ...gaps.map((gap) => `${trimmed(raw)} = ${quoteLiteral(gap)}`)].join(" OR ");
}
