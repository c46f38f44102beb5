import { readBlocks } from "./read-blocks.ts";

/** The languages whose blocks are run. A `python` block is a part of a program that a test of its own completes. */
const languages = ["ts", "sh", "py"] as const;

/** A program that a page shows, and what the page says it prints. */
export interface Snippet {
  readonly language: (typeof languages)[number];
  readonly program: string;
  /** Line of the page where the program's block begins. */
  readonly line: number;
  /** The `text` block that follows directly, if one does. */
  readonly expectedOutput: string | undefined;
  /** Why the program is not run, from an info string such as `sh no-run: needs a clone`. */
  readonly notRunBecause: string | undefined;
  /** A program it calls that not every machine has, from an info string such as `sh needs: Rscript`. */
  readonly needs: string | undefined;
}

/** Other names of these languages: a block under one of these would not be run. */
const aliases = new Map([
  ["js", "ts"],
  ["javascript", "ts"],
  ["typescript", "ts"],
  ["bash", "sh"],
  ["shell", "sh"],
  ["console", "sh"],
]);

/** Reads the programs of a Markdown page. Throws where a block would escape the check by a slip of its info string. */
export function readSnippets(page: string, markdown: string): Snippet[] {
  const blocks = readBlocks(page, markdown);
  return blocks.flatMap(({ language, note, text, line }, i) => {
    const canonical = aliases.get(language);
    if (canonical) throw new Error(`${page}:${line}: write \`${canonical}\` instead of \`${language}\``);
    const known = languages.find((name) => name === language);
    if (!known) return [];
    const next = blocks[i + 1];
    const expectedOutput = next?.followsDirectly && next.language === "text" ? next.text : undefined;
    return [
      {
        language: known,
        program: text,
        line,
        expectedOutput,
        ...readNote(note, `${page}:${line}`),
      },
    ];
  });
}

/** A note `no-run: reason` or `needs: program`; an empty note means the program runs. */
function readNote(note: string, where: string): Pick<Snippet, "notRunBecause" | "needs"> {
  if (note === "") return { notRunBecause: undefined, needs: undefined };
  const [, kind, text] = /^(no-run|needs):\s*(\S.*)$/.exec(note) ?? [];
  if (!text)
    throw new Error(
      `${where}: expected nothing, \`no-run: reason\` or \`needs: program\`, found \`${note}\``,
    );
  return kind === "needs"
    ? { notRunBecause: undefined, needs: text }
    : { notRunBecause: text, needs: undefined };
}
