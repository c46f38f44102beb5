import { count } from "../source/count.ts";
import { quoted } from "../source/quoted.ts";
import { TableError } from "../source/table-error.ts";
import type { CsvFormat } from "./csv-format.ts";

/** Characters of a record at most: what is longer is a quote that is not closed, or no table. */
export const LONGEST = 1 << 22;

/**
 * Reads a CSV text that comes in pieces, record by record. An empty line is none, unless the table has a single column, where it is
 * a gap; an empty field behind the last separator of a line is none either. This stays our own code because papaparse takes one kind of
 * line end per file (a file with both `\r\n` and `\n` loses rows) and does not report the line of an error.
 */
export class CsvReader {
  readonly #name: string;
  readonly #format: CsvFormat;
  readonly #take: (fields: readonly (string | null)[]) => void;
  /** What has come and is not read yet: the beginning of a record that may go on. */
  #rest = "";
  /** The next quote in it, its length where there is none; −1 before it is searched for. */
  #nextQuote = -1;
  #line = 0;
  #rows = 0;

  /** @param take is handed the fields of each row; null for one that is not there */
  constructor(name: string, format: CsvFormat, take: (fields: readonly (string | null)[]) => void) {
    [this.#name, this.#format, this.#take] = [name, format, take];
  }

  /** Reads all records that are whole by now. */
  push(text: string): void {
    this.#rest += text;
    this.#read(false);
  }

  /** Reads what is left. */
  finish(): void {
    this.#read(true);
  }

  #read(isEnd: boolean): void {
    const text = this.#rest;
    this.#nextQuote = -1;
    let at = 0;
    while (at < text.length) {
      const end =
        this.#line < this.#format.skip ? lineEnd(text, at, isEnd) : this.#recordEnd(text, at, isEnd);
      if (end === undefined) break;
      const { stop, next } = end;
      if (this.#line >= this.#format.skip) this.#record(text, at, stop);
      this.#line += lineCount(text, at, next);
      at = next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > LONGEST)
      this.#refuse(`expected lines of at most ${count(LONGEST)} characters; a quote may not be closed`);
  }

  /** Where the record that begins at a place ends; undefined where more text may belong to it. */
  #recordEnd(text: string, from: number, isEnd: boolean): RecordEnd | undefined {
    const { quote } = this.#format;
    const plain = lineEnd(text, from, isEnd);
    // Each character is searched once: a search per record would read the rest of a text without quotes again for each.
    if (this.#nextQuote < from) {
      const found = text.indexOf(quote, from);
      this.#nextQuote = found < 0 ? text.length : found;
    }
    if (this.#nextQuote >= (plain?.stop ?? text.length)) return plain;
    let at = from;
    while (at <= text.length) {
      at = this.#fieldEnd(text, at);
      if (at < 0) {
        if (isEnd) this.#refuse("a quote is not closed, or is followed by text");
        return undefined;
      }
      if (!text.startsWith(this.#format.separator, at)) return lineEnd(text, at, isEnd);
      at += this.#format.separator.length;
    }
    return undefined;
  }

  /** Where a field ends: at a separator, a line end or the end of the text; −1 inside of quotes that are open. */
  #fieldEnd(text: string, from: number): number {
    const { quote, escape: before, separator } = this.#format;
    let at = from;
    if (text[at] === quote) {
      for (at++; ; at++) {
        if (at >= text.length) return -1;
        if (text[at] === before && text[at + 1] === quote) at++;
        else if (text[at] === quote) break;
      }
      at++;
    }
    while (at < text.length && text[at] !== "\n" && text[at] !== "\r" && !text.startsWith(separator, at))
      at++;
    return at;
  }

  #record(text: string, from: number, to: number): void {
    const { names, separator, quote } = this.#format;
    const width = names.length;
    if (from === to) {
      if (width === 1) this.#row([null]);
      return;
    }
    const line = text.slice(from, to);
    const fields = line.includes(quote) ? this.#fields(line) : line.split(separator);
    if (fields.length === width + 1 && fields[width] === "") fields.pop();
    if (fields.length !== width) this.#refuse(`expected ${width} fields, found ${fields.length}`);
    this.#row(fields);
  }

  #row(fields: readonly (string | null)[]): void {
    this.#rows++;
    this.#take(fields);
  }

  #fields(line: string): string[] {
    const { quote, escape: before, separator } = this.#format;
    const fields: string[] = [];
    for (let at = 0; at <= line.length; at += separator.length) {
      const end = this.#fieldEnd(line, at);
      const field = line.slice(at, end);
      fields.push(field.startsWith(quote) ? this.#unquoted(field, quote, before) : field);
      at = end;
      if (at >= line.length) break;
    }
    return fields;
  }

  #unquoted(field: string, quote: string, before: string): string {
    if (field.length < 2 || !field.endsWith(quote))
      this.#refuse("a quote is not closed, or is followed by text");
    return field.slice(1, -1).replaceAll(before + quote, quote);
  }

  #refuse(what: string): never {
    const where = `${quoted(this.#name)}, row ${this.#rows + 1} (line ${this.#line + 1})`;
    throw new TableError("csv", `${where}: ${what}`);
  }
}

/** Where the text of a record stops, and where the next one begins. */
interface RecordEnd {
  readonly stop: number;
  readonly next: number;
}

/** The end of a line; undefined where it has not come yet. A carriage return at the very end may be half of one. */
function lineEnd(text: string, from: number, isEnd: boolean): RecordEnd | undefined {
  let stop = from;
  while (stop < text.length && text[stop] !== "\n" && text[stop] !== "\r") stop++;
  if (stop === text.length) return isEnd ? { stop, next: stop } : undefined;
  if (text[stop] === "\n") return { stop, next: stop + 1 };
  if (stop + 1 === text.length && !isEnd) return undefined;
  return { stop, next: text[stop + 1] === "\n" ? stop + 2 : stop + 1 };
}

function lineCount(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === "\n" || (text[at] === "\r" && text[at + 1] !== "\n")) lines++;
  }
  return lines;
}
