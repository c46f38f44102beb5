/** A part of a page under one heading. */
export interface SearchSection {
  /** The title of the page. */
  readonly page: string;
  /** Empty above the first heading. */
  readonly heading: string;
  /** From the root of the site. */
  readonly address: string;
  readonly text: string;
}

/** A section that was found, with the place in it where the words stand. */
export interface Found extends Omit<SearchSection, "text"> {
  readonly excerpt: readonly Piece[];
}

/** A part of an excerpt; marked where it is one of the words. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Sections that are shown, of one page at most so many, and characters before and in an excerpt. */
const [SHOWN, OF_A_PAGE, BEFORE, LENGTH] = [12, 3, 60, 200];
/** What a word counts in the title of a page, in a heading, and in the text, and what a whole name counts. */
const [IN_PAGE, IN_HEADING, IN_TEXT, WHOLE] = [6, 8, 1, 40];
/** Pages of the library, and of the project, come after others that have the words as often. */
const [OF_LIBRARY, OF_PROJECT] = [0.25, 0.5];
const PROJECT = /^pages\/(?:changelog|licenses|contributing|security|code_of_conduct|architecture|results)/;

/** The sections that have all words, best first. */
export function searchSections(sections: readonly SearchSection[], typed: string): Found[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const ranked = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  const perPage = new Map<string, number>();
  return ranked
    .filter(({ section: { address } }) => {
      const [page] = address.split("#");
      const count = (perPage.get(page) ?? 0) + 1;
      perPage.set(page, count);
      return count <= OF_A_PAGE;
    })
    .slice(0, SHOWN)
    .map(({ section: { page, heading, address, text } }) => ({
      page,
      heading,
      address,
      excerpt: excerptOf(text, words),
    }));
}

/** 0 where a word is missing. */
function scoreOf({ page, heading, address, text }: SearchSection, words: readonly string[]): number {
  const [title, own, body] = [page, heading, text].map((part) => part.toLowerCase());
  let score = [title, own].includes(words.join(" ")) ? WHOLE : 0;
  for (const word of words) {
    const times = body.split(word).length - 1;
    const found =
      (title.includes(word) ? IN_PAGE : 0) +
      (own.includes(word) ? IN_HEADING : 0) +
      IN_TEXT * Math.log2(1 + times);
    if (found === 0) return 0;
    score += found;
  }
  if (PROJECT.test(address)) return OF_PROJECT * score;
  return /^(?:pages\/|index)/.test(address) ? score : OF_LIBRARY * score;
}

/** The text about the first of the words, with all of them marked. */
function excerptOf(text: string, words: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const start = from > first ? first : from;
  const cut = text.slice(start, start + LENGTH);
  const pattern = new RegExp(
    `(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")})`,
    "gi",
  );
  const pieces = cut.split(pattern).map((piece, i) => ({ text: piece, isMarked: i % 2 === 1 }));
  return [
    ...(start > 0 ? [{ text: "… ", isMarked: false }] : []),
    ...pieces.filter((piece) => piece.text !== ""),
    ...(start + LENGTH < text.length ? [{ text: " …", isMarked: false }] : []),
  ];
}
