import type { Column, Model } from "conformant";
import { csvField } from "../memory/csv-text.ts";
import { TableError } from "../source/table-error.ts";
import { requireAtoms } from "./require-atoms.ts";
import { constantRow, scoreTable, weightRow } from "./score-table.ts";

/** Cells with formulas: what a person can look through and a spreadsheet can hold. */
const MOST_CELLS = 20_000;
/** Spreadsheets refuse longer formulas, and CHOOSE with more values. */
const [MOST_CHARACTERS, MOST_VALUES] = [8000, 250];

/** The first row of a column of the model: after the title, the answers and the heading. */
const FIRST_ROW = 6;

/**
 * A model as a CSV file with formulas, so that a prediction can be checked by hand. Column B takes the values of a row, an
 * empty cell is a gap; column C shows the atom of the value (0 for a gap), where it counts; from column D on stands what the column adds to
 * the score of each component and class, and below their sums and powers. The answers are at the top.
 */
export function exportSpreadsheet(model: Model): string {
  requireAtoms(model, "a spreadsheet");
  const {
    schema,
    response: { outputs: classes },
  } = model;
  const [K, n] = [classes.length, schema.columns.length];
  const starts = constantRow(model);
  if (starts.length * (n + 3) > MOST_CELLS)
    throw tooLarge(`${starts.length * (n + 3)} cells, expected at most ${MOST_CELLS}`);
  const letters = starts.map((_, a) => columnLetters(3 + a));
  const [last, sum, power] = [FIRST_ROW + n, FIRST_ROW + n + 1, FIRST_ROW + n + 2];
  const range = (row: number): string => `$${letters[0]}$${row}:$${letters[letters.length - 1]}$${row}`;
  const shares = classes.map((_, k) => {
    const own = letters.filter((_, a) => a % K === k).map((letter) => `${letter}${power}`);
    return `=(${own.join("+")})/SUM(${range(power)})`;
  });
  const rows = [
    ["Type a row into column B; an empty cell is a gap. The probabilities follow."],
    ["", "", "", ...classes.map(cellText)],
    ["probability", "", "", ...shares],
    [],
    ["column", "value", "atom", ...starts.map((_, a) => heading(model, a))],
    ["start", "", "", ...starts.map(String)],
    ...schema.columns.map((column, i) => columnCells(model, column, i)),
    ["score", "", "", ...letters.map((letter) => `=SUM(${letter}${FIRST_ROW}:${letter}${last})`)],
    ["power", "", "", ...letters.map((letter) => `=EXP(MAX(-700,${letter}${sum}-MAX(${range(sum)})))`)],
  ];
  return `${rows.map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
}

function columnCells(model: Model, column: Column, i: number): string[] {
  const row = FIRST_ROW + 1 + i;
  const table = scoreTable(model, i);
  if (table.length > MOST_VALUES)
    throw tooLarge(
      `column ${JSON.stringify(column.name)} with ${table.length - 1} values, expected at most ${MOST_VALUES - 1}`,
    );
  const weights = column.kind === "numeric" ? weightRow(model, i) : [];
  const [gaps, known] = [table[table.length - 1], table.slice(0, -1)];
  const plain = column.kind === "numeric" && model.components.length === 1;
  const scores = gaps.map((gap, a) => {
    if (plain) return `=IF($B${row}="",${gap},${weights[a]}*$B${row})`;
    const chosen = `CHOOSE($C${row}+1,${[gap, ...known.map((scores) => scores[a])].join(",")})`;
    return column.kind === "numeric" ? `=${chosen}+IF($B${row}="",0,${weights[a]}*$B${row})` : `=${chosen}`;
  });
  const cells = [cellText(column.name), "", plain ? "" : atomFormula(model, column, i, row), ...scores];
  const long = cells.find((cell) => cell.length > MOST_CHARACTERS);
  if (long)
    throw tooLarge(`a formula of ${long.length} characters for column ${JSON.stringify(column.name)}`);
  return cells;
}

/** The number of the atom that the value falls into, counted from 1; 0 for a gap and for a value that is not known. */
function atomFormula(model: Model, column: Column, i: number, row: number): string {
  const cell = `$B${row}`;
  if (column.kind === "categorical")
    return `=${column.values.map((value, code) => `EXACT(${cell},${quote(value)})*${code + 1}`).join("+")}`;
  if (column.kind === "binary") return `=IF(${cell}="",0,1+${cell})`;
  const edges = column.kind === "binned" ? column.edges : [...(model.atoms.columns[i].edges ?? [])];
  return `=IF(${cell}="",0,1${edges.map((edge) => `+(${cell}>=${edge})`).join("")})`;
}

/** The class, and in a mixture the component, that a column of scores belongs to. */
function heading({ response: { outputs: classes }, components }: Model, a: number): string {
  const name = classes[a % classes.length];
  return cellText(components.length === 1 ? name : `${Math.floor(a / classes.length) + 1}: ${name}`);
}

/** A text that no spreadsheet takes for a formula or a number. */
function cellText(text: string): string {
  return /^[A-Za-z_][\w .:-]*$/.test(text) ? text : `=${quote(text)}`;
}

/** A text in a formula; programs differ in how a quote inside is written, but all know its number. */
function quote(text: string): string {
  return text
    .split('"')
    .map((part) => `"${part}"`)
    .join("&CHAR(34)&");
}

/** 0 is A, 25 is Z, 26 is AA. */
function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

function tooLarge(what: string): TableError {
  return new TableError("not-exportable", `the model is too large to be checked by hand: ${what}`, {
    hint: "fit with fewer --columns, --bins or --components for a model that fits",
  });
}
