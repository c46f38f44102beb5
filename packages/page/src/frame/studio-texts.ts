// Every text of the studio that people read.

import { quoted, type Remedies } from "conformant-workbench";
import type { ClassifierWords } from "conformant-workbench/import";

/** The steps, in order. */
export const STEPS = {
  data: "Data",
  question: "Question",
  fit: "Fit",
  worth: "Worth",
  use: "Use",
  keep: "Keep",
} as const;

export const FRAME = {
  title: "Make a model from a table",
  about:
    "From a file to answers that hold when some cells are unknown. Everything is computed in this browser; nothing you open is sent anywhere.",
  steps: "Steps",
  loading: "Loading …",
  next: (step: string): string => `Next: ${step}`,
  clear: "Start again with another file",
  back: (name: string): string => `Back to ${name}`,
  clearHint: "The file, the model and all choices are kept in this browser until you clear them.",
  notKept:
    "This browser does not keep what you do here: it has no room for it, or the window is a private one. All goes on as it is until the page is closed or loaded again.",
  footer: "Everything is computed in this browser; what you open is not sent anywhere. Made with conformant.",
} as const;

export const DATA = {
  heading: "Your table",
  meaning:
    "One row per case, one column per thing you know about it. Cells may be empty: that is what this is for.",
  drop: "Drop a CSV, TSV, Parquet or JSON-lines file anywhere on this page, or",
  choose: "choose a file",
  paste: "Or paste rows, with the names of the columns in the first line",
  usePasted: "Use what is pasted",
  pastedName: "pasted.csv",
  examples: "Or try an example",
  reading: (rows: number): string =>
    rows === 0 ? "Reading …" : `Reading … ${rows.toLocaleString("en")} rows`,
  summary: (rows: number, columns: number, gaps: string): string =>
    `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}, ${columns} ${columns === 1 ? "column" : "columns"}, ${gaps} of the cells empty`,
  columns: "Columns",
  columnsMeaning:
    "What each column is taken for; change it where it is wrong. The dark marks under a name show where in the file cells are empty.",
  moreColumns: (shown: number, all: number): string =>
    `Show more: these are ${shown} of ${all.toLocaleString("en")} columns`,
  kindOf: (name: string): string => `What ${name} is`,
  kinds: {
    auto: "as found",
    numeric: "number",
    binary: "yes or no (1 and 0)",
    categorical: "category",
    out: "leave out",
  },
  found: { numeric: "a number", binary: "yes or no", categorical: "a category", out: "left out" },
  foundAs: (what: string): string => `found: ${what}`,
  different: (n: number): string => (n === 1 ? "1 value" : `${n.toLocaleString("en")} different values`),
  gaps: (share: string): string => `${share} empty`,
  noGaps: "no gaps",
  meansUnknown: (text: string): string => `Take “${text}” for unknown`,
  preview: "Rows",
  previewLabel: "All rows, to scroll through",
  previewMeaning: "The table as it was read. Hatched cells are empty.",
  previewPart: (shown: number, all: number): string =>
    `These are the first ${shown} of ${all.toLocaleString("en")} columns.`,
  settings: "If it was read wrongly",
  header: "The first line has the names of the columns",
  headerChoices: { auto: "find out", yes: "yes", no: "no" },
  gapTexts: "Texts that also mean “unknown”, separated by commas",
  gapPlaceholder: "?, unknown, -99",
  decimal: "Fractions are written with",
  decimalChoices: { auto: "find out", point: "a point: 3.75", comma: "a comma: 3,75" },
} as const;

/** The examples, by the name of their file. */
export const EXAMPLES = [
  {
    file: "churn.csv",
    title: "Who leaves?",
    about: "Customers of a phone company, made up; some answers are missing",
    label: "churned",
  },
  {
    file: "penguins.csv",
    title: "Which penguin?",
    about: "344 penguins of Palmer station, by their measures",
    label: "species",
  },
  {
    file: "loans.csv",
    title: "Paid back?",
    about: "Small loans, made up, with many gaps in income",
    label: "repaid",
  },
  {
    file: "machines.csv",
    title: "Will it fail?",
    about: "Readings of machines, made up, mostly numbers",
    label: "failure",
  },
] as const;

export const QUESTION = {
  heading: "What do you want to predict?",
  meaning:
    "Choose the column with the answer. It needs the answer in every row, and at least two different ones.",
  meaningBrought:
    "A classifier that was trained elsewhere says itself what it predicts. It is used as it is, on the columns it asks for.",
  label: "Predict",
  none: "choose a column",
  classes: (n: number): string => `${n} different answers`,
  gapsInLabel: (gaps: number): string =>
    `${gaps.toLocaleString("en")} ${gaps === 1 ? "row has" : "rows have"} no answer in this column; the model needs one in every row.`,
  tooMany:
    "This column has a different value in nearly every row: it is a name or a number, not an answer that comes again.",
  oneOnly: "This column has the same value everywhere: there is nothing to predict.",
  how: "How",
  logistic: "Logistic regression",
  logisticAbout: "adds up what each column says; quick, and its reasons are exact",
  trees: "Boosted trees",
  treesAbout: "can follow combinations of columns; slower",
  brought: "A classifier file",
  broughtAbout: "that was trained elsewhere; it stays as it is, and what its gaps mean is learned here",
  answers: "The right answers, if the table has them, to find out what it is worth",
  noAnswers: "not in the table",
  more: "For experts",
  seed: "Seed of all that is random: the same number gives the same model",
  usedColumns: (n: number): string => `It will learn from ${n} ${n === 1 ? "column" : "columns"}`,
  leftOut: (names: string): string => `Left out: ${names}`,
  start: "Make the model",
  problems: "Something has to be decided first, on the page “Data”:",
} as const;

/** A classifier that was trained elsewhere. */
export const BROUGHT = {
  choose: "choose the file",
  another: "choose another file",
  endings: ".json,.ubj,.txt,.csv,.tsv,.model",
  formats:
    "A logistic regression as JSON or a table of coefficients, or trees of XGBoost, LightGBM or scikit-learn. ONNX and PMML are read by the command conformant fit --classifier.",
  found: (kind: "logistic" | "trees", classes: readonly string[], columns: readonly string[]): string =>
    `${kind === "trees" ? "trees" : "a logistic regression"} for ${classes.join(", ")}, from ${columns.length === 1 ? "the column" : `the ${columns.length} columns`} ${columns.join(", ")}.`,
  names: "If it lacks names",
  naming: {
    classes: "Names of its classes, in its order",
    columns: "Names of its columns, in its order",
    categories: "Names of the values of a column, in its order",
  },
  examples: { classes: "no, yes", columns: "age, income", categories: "city=Paris, Rome" },
} as const;

/** What can be said about a classifier, by the names of the fields. */
export const CLASSIFIER_WORDS: ClassifierWords = {
  columns: `“${BROUGHT.naming.columns}”`,
  classes: `“${BROUGHT.naming.classes}”`,
  categories: `“${BROUGHT.naming.categories}”`,
  gap: (text) => `${quoted(text)} among the texts that mean “unknown”`,
};

export const FIT = {
  heading: "Making the model",
  none: "No model yet",
  done: "The model is ready",
  doneIn: (seconds: number): string =>
    `Made in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} seconds.`,
  cancel: "Cancel",
  cancelled: "Cancelled. Nothing is lost: your table and your choices are as they were.",
  interrupted:
    "The page was left before the model was ready. Nothing is lost: your table and your choices are as they were.",
  again: "Make it again",
  starting: "Starting",
  judging: "The model can be used already; what it is worth is being found out.",
  sizes: "Sizes of the model that were compared",
  sizesMeaning:
    "Each point is a model of another size, judged on rows it has not seen. Higher is better; the smallest that is good enough is taken.",
  size: "parts of the mixture",
  likelihood: "how well unseen rows fit",
  failed: "The model could not be made",
  madeOf: (rows: number, columns: number): string =>
    `Learned from ${rows.toLocaleString("en")} rows and ${columns} ${columns === 1 ? "column" : "columns"}.`,
  classes: "Answers in the table",
  itsClasses: "What it tells apart",
  leftOut: "Columns that were left out",
  untried: (sizes: string): string =>
    `The search for a size took so long that it was ended; ${sizes} parts were not tried. On a faster machine another model may come out.`,
  change: "The table or the choices have changed since this model was made.",
} as const;

/** What the work is called while it goes on. */
export const WORK: Readonly<Record<string, string>> = {
  "counting values": "Looking at the columns",
  "reading rows": "Reading the rows",
  "cross-validating": "Checking on rows that were held out",
  training: "Training",
  "choosing the size of the mixture": "Learning what gaps mean: comparing sizes",
  "fitting the mixture": "Learning what gaps mean",
  "training on rows with gaps": "Training on rows with gaps",
  "learning mean": "Preparing the comparison",
  "learning knn": "Preparing the comparison",
  evaluating: "Hiding cells and comparing answers",
  predicting: "Answering rows",
  "judging columns": "Finding out which columns matter",
};

export const WORTH = {
  heading: "What it is worth when answers are missing",
  pending: "This is being found out. You can use the model meanwhile.",
  stopped:
    "This was stopped before it was found out. The model is whole; to make it again finds out what it is worth, too.",
  noAnswers:
    "The table has no column with the right answers, so nobody can say how often the model is right. Choose one under “Question” to find out.",
  meaning:
    "Cells of rows were hidden at random, and each way had to answer from what was left. All ways use the same classifier; they differ in what they do about the gaps.",
  level:
    "The rows were also used for training, so the heights are a little too good; the comparison between the lines is fair.",
  levelBrought:
    "If the classifier was trained on these rows, the heights are a little too good; the comparison between the lines is fair.",
  accuracy: "How often the answer is right",
  hiddenAxis: "share of cells hidden",
  rightAxis: "right answers",
  methods: {
    ours: "this model",
    mean: "gaps filled with the mean",
    knn: "gaps filled from similar rows",
    native: "the trees’ own way",
  } as Readonly<Record<string, string>>,
  best: (rate: string, ours: string, other: string, theirs: string): string =>
    `With ${rate} of the cells unknown, this model is right in ${ours} of the rows; ${other}: ${theirs}.`,
  commonest: (share: string): string => `Always saying the most frequent answer would be right in ${share}.`,
  ahead: "This model gives the better answers.",
  even: "In this table the ways differ little.",
  surer: "It is right about as often, but what it says about how sure it is comes closer to the truth.",
  behind: "In this table another way gives the better answers at this share.",
  loss: "How far off the probabilities are",
  lossAxis: "log loss, lower is better",
  confusion: (rate: string): string =>
    `Which answers are mistaken for which, with ${rate} of the cells unknown`,
  truth: "in truth",
  said: "it said",
  calibration: "Can the percentages be trusted?",
  calibrationMeaning:
    "Where it says 70 %, it should be right in 70 % of such rows: the points should lie on the line.",
  saidAxis: "what it says",
  happenedAxis: "how often that is right",
  columns: "Which columns matter",
  columnsMeaning: "The share of rows that get another answer when this column alone is not known.",
  rows: (n: number): string => `${n.toLocaleString("en")} rows were judged.`,
} as const;

export const KEEP = {
  heading: "Keep it",
  model: "Model file",
  modelAbout:
    "The whole model as one file, the same, byte for byte, as the command makes from this table. Load it with conformant in JavaScript, Python, R or SQL.",
  download: "Download the model",
  report: "Report",
  reportAbout: "Table, model and worth on paper, or as a PDF.",
  print: "Print the report",
  page: "A page of its own",
  pageAbout:
    "One file with the form, the table and this model, for anyone to use: it opens in a browser by a double click, without a server and without a network.",
  downloadPage: "Download the page",
  elsewhere: "For other systems",
  elsewhereAbout:
    "Files that answer rows with gaps as this model does, the same, byte for byte, as the command makes from the model file.",
  forms: { python: "Python", onnx: "ONNX", sql: "SQL" },
  formsAbout: {
    python: "one file that needs NumPy and nothing else; with scikit-learn it is an estimator",
    onnx: "a graph for ONNX Runtime, in any language that has it",
    sql: "one query that scores a table in a database",
  },
  downloadForm: { python: "Download Python", onnx: "Download ONNX", sql: "Download SQL" },
  dialect: "Database",
  table: "Name of the table there",
  otherForm: "The model file, the page, and perhaps another form carry it.",
  command: "On the command line",
  exportAbout: "The command makes R or JavaScript from the model file:",
  commandAbout: "The same model on the command line:",
} as const;

/** Dialects of SQL, by the names that the command has for them. */
export const DIALECTS = {
  ansi: "any (ANSI SQL)",
  postgres: "PostgreSQL",
  duckdb: "DuckDB",
  sqlite: "SQLite",
  clickhouse: "ClickHouse",
} as const;

export const OF_TABLES = {
  tooLarge: "The command conformant fit reads files of any size.",
  noMemory: "The table needs more memory than this browser gives a page.",
  fileGone: "The file can no longer be read: it was moved or changed. Open it again.",
  twiceNamed: "Rename one of them, or say that the first line is a row.",
  notText: (name: string, encoding: string): string =>
    `${quoted(name)}: the file is not in ${encoding.toUpperCase()}`,
  saveAsUtf8: "Save the table as CSV in UTF-8.",
  saveAsCsv: "Save the table as CSV and open that.",
  noTable: (name: string, is: string): string => `${quoted(name)} is ${is}, expected a table as text`,
  spreadsheet: "a spreadsheet",
  brokenParquet: (name: string, why: string): string =>
    `${quoted(name)} cannot be read as a Parquet file: ${why}`,
  damaged: (name: string): string =>
    `${quoted(name)} is cut off or damaged, or what is packed in it is not in UTF-8`,
  image: "an image",
  pdf: "a PDF document",
  webPage: "a web page",
} as const;

/** What can be done about a table, in clicks. */
export const REMEDIES: Remedies = {
  keepColumn: () => "choosing what it is keeps it",
  keepCategories: () => "choosing “category” keeps it",
  strangeText: (_, text) =>
    `If ${quoted(text)} means unknown, say so under “If it was read wrongly”; or choose “category” for the column.`,
  nearlyNumbers: (decimal) =>
    decimal
      ? `“Fractions are written with a ${decimal}” reads them as numbers`
      : "take away what stands around the digits to have numbers",
  ambiguousNumber: (mark, fraction, thousands) =>
    `Say under “If it was read wrongly” how fractions are written: with a ${mark} it is ${fraction}, else ${thousands}.`,
  wrongValue: (text) => `If ${quoted(text)} means unknown, say so under “If it was read wrongly”.`,
  date: (_, part) => `make a column of the part that matters, for example the ${part}`,
  tooManyValues: "Leave it out.",
  tooManyClasses:
    "A number is no answer to choose from; make a column with classes of it, for example high and low.",
  missingLabels: () => "Take those rows out of the file, or fill in the answer.",
  strangeCategories: `Spell the values in the table as the classifier does; ${CLASSIFIER_WORDS.categories} says what its file only counts.`,
};
