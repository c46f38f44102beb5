/** A fenced code block of a Markdown page. */
export interface Block {
  /** First word of the info string: `ts`, `sh`, `text`, … */
  readonly language: string;
  /** The rest of the info string. */
  readonly note: string;
  readonly text: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** Whether only blank lines lie between this block and the one before. */
  readonly followsDirectly: boolean;
}

const openingFence = /^(?<indent> *)(?<fence>`{3,})(?<language>[^\s`]*)\s*(?<note>[^`]*)$/;

/** Reads the fenced code blocks of a Markdown page, in order; `page` is its name in an error. */
export function readBlocks(page: string, markdown: string): Block[] {
  const lines = markdown.split(/\r?\n/);
  const blocks: Block[] = [];
  let followsDirectly = false;
  for (let i = 0; i < lines.length; i++) {
    const opening = openingFence.exec(lines[i])?.groups;
    if (!opening) {
      if (lines[i].trim() !== "") followsDirectly = false;
      continue;
    }
    const { indent, fence, language, note } = opening;
    const end = lines.findIndex((line, j) => j > i && isClosingFence(line, fence));
    if (end < 0) throw new Error(`${page}:${i + 1}: the code block is not closed`);
    const text = lines.slice(i + 1, end).map((line) => removeIndent(line, indent.length));
    blocks.push({ language, note: note.trim(), text: text.join("\n"), line: i + 1, followsDirectly });
    followsDirectly = true;
    i = end;
  }
  return blocks;
}

/** A block ends at a line of at least as many backticks as it began with. */
function isClosingFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.startsWith(fence) && /^`+$/.test(text);
}

/** A block inside a list is indented as a whole; that much is not part of its text. */
function removeIndent(line: string, width: number): string {
  return line.replace(new RegExp(`^ {0,${width}}`), "");
}
