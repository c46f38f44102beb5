const compiled = new Map<string, (...words: unknown[]) => number>();

/** Computes the formulas of an exported spreadsheet, the few functions it uses; a second opinion beside a real program. */
export function computeSheet(cells: readonly (readonly string[])[]): (address: string) => number | string {
  const memo = new Map<string, number | string>();
  const cell = (address: string): number | string => {
    const known = memo.get(address);
    if (known !== undefined) return known;
    const [, letters, row] = /^([A-Z]+)(\d+)$/.exec(address) as unknown as [string, string, string];
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    const text = cells[Number(row) - 1]?.[column] ?? "";
    const value = text.startsWith("=")
      ? compute(text.slice(1))
      : text !== "" && Number.isFinite(Number(text))
        ? Number(text)
        : text;
    memo.set(address, value);
    return value;
  };
  const range = (from: string, to: string): number[] => {
    const [a, b] = [from, to].map((address) => /^([A-Z]+)(\d+)$/.exec(address) as unknown as string[]);
    if (a[1] !== b[1]) return letters(a[1], b[1]).map((letter) => cell(letter + a[2]) as number);
    return Array.from(
      { length: Number(b[2]) - Number(a[2]) + 1 },
      (_, r) => cell(a[1] + (Number(a[2]) + r)) as number,
    );
  };
  const functions = {
    cell,
    range,
    IF: (condition: boolean, yes: () => number, no: () => number) => (condition ? yes() : no()),
    CHOOSE: (position: number, ...values: number[]) => values[position - 1],
    EXACT: (a: unknown, b: unknown) => Number(a === b),
    CHAR: (code: number) => String.fromCharCode(code),
    EXP: Math.exp,
    MAX: (...values: (number | number[])[]) => Math.max(...values.flat()),
    SUM: (...values: (number | number[])[]) => values.flat().reduce((sum, x) => sum + x, 0),
  };
  const compute = (formula: string): number | string => {
    const texts: string[] = [];
    const script = formula
      .replace(/"((?:[^"]|"")*)"/g, (_, text: string) => `¤${texts.push(text.replaceAll('""', '"')) - 1};`)
      .replaceAll("&", "+")
      .replace(/\$?([A-Z]+)\$?(\d+):\$?([A-Z]+)\$?(\d+)/g, 'range("$1$2","$3$4")')
      .replace(/(?<!["A-Z\d])\$?([A-Z]{1,3})\$?(\d+)(?!["(])/g, 'cell("$1$2")')
      .replace(/IF\((cell\("[A-Z]+\d+"\))=(¤\d+;),([^,]+),(.*)\)$/, "IF($1===$2,()=>$3,()=>$4)")
      .replace(/¤(\d+);/g, (_, t: string) => JSON.stringify(texts[Number(t)]));
    const run =
      compiled.get(script) ??
      (new Function(...Object.keys(functions), `return (${script});`) as (...words: unknown[]) => number);
    compiled.set(script, run);
    return run(...Object.values(functions));
  };
  return cell;
}

function letters(from: string, to: string): string[] {
  const number = (text: string): number =>
    [...text].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
  const name = (n: number): string =>
    n <= 26 ? String.fromCharCode(64 + n) : name(Math.floor((n - 1) / 26)) + name(((n - 1) % 26) + 1);
  return Array.from({ length: number(to) - number(from) + 1 }, (_, j) => name(number(from) + j));
}
