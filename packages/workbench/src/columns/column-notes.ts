import { categoryKey, MISSING_TEXTS } from "conformant/texts";
import { count, counted } from "../source/count.ts";
import { listed } from "../source/quoted.ts";
import type { Remedies } from "../source/remedies.ts";
import type { NumberCount, NumberCounts } from "./column-counts.ts";

/** What a note is about. */
export type NoteKind =
  | "id"
  | "group"
  | "name"
  | "constant"
  | "empty"
  | "unsupported"
  | "many-values"
  | "missing-code"
  | "missing-text"
  | "stray-text"
  | "amount"
  | "date"
  | "mixed-formats"
  | "rounded"
  | "spellings"
  | "copy"
  | "determined"
  | "leak"
  | "problem";

/** What was decided about a column, or is doubtful, and what changes it. */
export interface ColumnNote {
  readonly about: NoteKind;
  readonly text: string;
  /** An option of the command, or a click. */
  readonly remedy?: string | undefined;
  /** Whether nothing was changed, because only a person can know. */
  readonly doubtful: boolean;
}

/** A note as one sentence. */
export function noteText({ text, remedy }: ColumnNote): string {
  return remedy ? `${text}; ${remedy}` : text;
}

/** Words of a name that say that a column identifies rows. */
const ID_NAME =
  /^(?:.*[_\s.-])?(?:id|ids|uid|uuid|guid|pid|seqn|row[_\s.-]?(?:id|no|num|number|names?)|index|obs(?:[_\s.-]?(?:id|no|num))?|case[_\s.-]?(?:id|no|num)|serial|phone|telephone|mobile|fax|ssn|e[-_]?mail|account|iban)(?:[_\s.-]?(?:no|nr|num|number|code))?$/i;
const CAMEL_ID = /[a-z](?:Id|ID|Uid|UUID)$/;
/** Rows from which on different numbers mean something. */
const ENOUGH_ROWS = 10;
const MANY_ROWS = 100;
/** The largest distance of a quantile of evenly spread numbers from its place, as a share of the range. */
const EVENLY = 0.1;

/** Whether whole numbers identify rows by the name of their column, also in a sample of the rows. */
export function isId(name: string, { whole, different, known }: NumberCounts): boolean {
  return (
    whole && known >= ENOUGH_ROWS && different > known / 2 && (ID_NAME.test(name) || CAMEL_ID.test(name))
  );
}

/** Whether whole numbers, all different and evenly spread over their range, may identify rows. */
export function mayBeId({ whole, different, known, least, most, marginal }: NumberCounts): boolean {
  if (!whole || known < MANY_ROWS || different !== known || marginal.exact) return false;
  let before = 0;
  return marginal.values.every((value, j) => {
    const place = (before + marginal.counts[j] / 2) / known;
    before += marginal.counts[j];
    return Math.abs((value - least) / (most - least) - place) <= EVENLY;
  });
}

/** Words of a name that say that rows with the same value belong together. */
const GROUP_NAME =
  /(?:^|[_\s.-])(?:patient|subject|participant|person|customer|client|user|member|employee|student|pupil|household|family|litter|herd|farm|animal|rat|chick|plant|plot|school|hospital|clinic|center|centre|site|session|batch|device|machine|group|cluster)(?:[_\s.-]?(?:id|no|nr|num|number|code|key))?$/i;
/** Values that groups have at least, and rows per value on average: at least, at least where the name is that of an id, and at most. */
const FEWEST_GROUPS = 10;
const [FEWEST_PER_GROUP, FEWEST_PER_ID, MOST_PER_GROUP] = [2, 1.05, 50];

/** A note about a column that names groups of rows, perhaps, by its name and by how often its values come again. */
export function noteOfGroup(
  name: string,
  different: number,
  known: number,
  remedies: Remedies,
): ColumnNote[] {
  const perGroup = known / different;
  const isIdentity = ID_NAME.test(name) || CAMEL_ID.test(name);
  const least = isIdentity
    ? FEWEST_PER_ID
    : GROUP_NAME.test(name)
      ? FEWEST_PER_GROUP
      : Number.POSITIVE_INFINITY;
  if (different < FEWEST_GROUPS || perGroup < least || perGroup > MOST_PER_GROUP) return [];
  return [
    {
      about: "group",
      text: `${count(different)} values in ${counted(known, "row")}: rows with the same value may be of one case`,
      remedy: remedies.group(name),
      doubtful: true,
    },
  ];
}

/** Numbers that surveys write for an answer that is missing. */
const NEGATIVE_CODES = new Set([
  -7, -8, -9, -77, -88, -97, -98, -99, -777, -888, -997, -998, -999, -9998, -9999, -99999, -999999,
]);
const POSITIVE_CODES = new Set([9, 97, 98, 99, 997, 998, 999, 9997, 9998, 9999, 99999, 999999, 9999999]);
/** A code is so far from the other numbers: these are at most this share of it. */
const FAR = 0.6;
/** Or it is so many times as frequent as the number next to it. */
const FREQUENT = 5;

/** Numbers at the ends of a column that look like codes for a missing value. */
export function missingCodes({ lowest = [], highest = [], different, bits }: NumberCounts): NumberCount[] {
  if (bits || different < 4) return [];
  return [...endCodes(lowest, NEGATIVE_CODES), ...endCodes(highest, POSITIVE_CODES)];
}

/** Codes before the first number, from outside, that is none; that one is far from them. */
function endCodes(end: readonly NumberCount[], codes: ReadonlySet<number>): NumberCount[] {
  const first = end.findIndex(({ number }) => !codes.has(number));
  if (first < 1) return [];
  const found = end.slice(0, first);
  const inner = end[first];
  const { number: code } = found[found.length - 1];
  const rows = found.reduce((sum, { rows }) => sum + rows, 0);
  if (rows < (Math.abs(code) > 90 ? 1 : 2)) return [];
  const isFar =
    code < 0 ? inner.number >= FAR * code && (inner.number >= 0 || code <= -90) : inner.number <= FAR * code;
  return isFar || (code > 0 && rows >= FREQUENT * inner.rows && rows >= FREQUENT) ? found : [];
}

export function noteOfCodes(codes: readonly NumberCount[], remedies: Remedies): ColumnNote[] {
  if (codes.length === 0) return [];
  const texts = codes.map(({ number }) => String(number));
  const rows = codes.reduce((sum, { rows }) => sum + rows, 0);
  return [
    {
      about: "missing-code",
      text: `${texts.join(", ")} (${counted(rows, "row")}) may be a code for a missing value and is used as a number`,
      remedy: remedies.readAsMissing(texts),
      doubtful: true,
    },
  ];
}

/** Texts that people write where a value is not known, and that may also be an answer. */
const MISSING_WORDS = new Set(
  "?|-|--|–|none|nil|unknown|unk|not known|missing|refused|refusal|don't know|dont know|do not know|dk|not available|not applicable|not stated|not reported|no answer|no response|n.a.|n. a.|inap|unspecified|undefined".split(
    "|",
  ),
);

/** A note about categories that may mean that a value is missing. */
export function noteOfWords(counts: ReadonlyMap<string, number>, remedies: Remedies): ColumnNote[] {
  const found = [...counts].filter(([text]) => MISSING_WORDS.has(text.toLowerCase()));
  if (found.length === 0) return [];
  const texts = found.map(([text]) => text);
  const rows = found.reduce((sum, [, n]) => sum + n, 0);
  return [
    {
      about: "missing-text",
      text: `${listed(texts, 4)} (${counted(rows, "row")}) may mean missing and is used as a category`,
      remedy: remedies.readAsMissing(texts),
      doubtful: true,
    },
  ];
}

/** Spellings of a missing value that nobody takes for anything else. */
const PLAIN_GAPS = new Set(["", "NA", "NaN", "nan", "null", "NULL"]);

/** A note about texts that are read as missing without being asked for. */
export function noteOfGaps(texts: readonly (string | null)[], gaps: readonly string[]): ColumnNote[] {
  const usual = new Set(MISSING_TEXTS.filter((text) => gaps.includes(text) && !PLAIN_GAPS.has(text)));
  const found = texts.filter((text) => text !== null && usual.has(text)) as string[];
  if (found.length === 0) return [];
  return [
    {
      about: "missing-text",
      text: `${listed([...new Set(found)], 4)} is read as missing (${counted(found.length, "row")} of the first ${count(texts.length)})`,
      doubtful: false,
    },
  ];
}

/** A note about categories that are one in several spellings. */
export function noteOfSpellings(
  counts: ReadonlyMap<string, number>,
  merged: ReadonlyMap<string, number>,
): ColumnNote[] {
  const others = [...counts.keys()].filter((text) => !merged.has(text) && !merged.has(categoryKey(text)));
  if (others.length === 0) return [];
  return [
    {
      about: "spellings",
      text: `${listed(others, 4)} ${others.length === 1 ? "is" : "are"} read as the category that differs only in case or blanks`,
      doubtful: false,
    },
  ];
}

/** A note about texts beside numbers. */
export function noteOfStrays(
  texts: readonly string[],
  rows: number,
  known: number,
  remedy: string,
): ColumnNote {
  return {
    about: "stray-text",
    text: `${count(rows)} of ${counted(known, "value")} are not numbers (${listed(texts, 4)}) and are read as missing`,
    remedy,
    doubtful: false,
  };
}

/** A note about the numbers of a column that identify rows, perhaps. */
export function noteOfId(name: string, remedies: Remedies): ColumnNote {
  return {
    about: "id",
    text: "every row has a different whole number: it may be an id",
    remedy: remedies.exclude(name),
    doubtful: true,
  };
}
