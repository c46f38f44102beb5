// Every text of the studio that people read.

import { quoted, type Remedies } from "conformant-workbench";
import type { ClassifierWords } from "conformant-workbench/import";

/** The steps, in order. */
export const STEPS = {
  data: "Data",
  question: "Question",
  fit: "Fit",
  evaluate: "Evaluate",
  use: "Use",
  save: "Save",
} as const;

export const FRAME = {
  title: "Train a model on a table",
  about:
    "Train a model that also predicts rows with missing values. Everything is computed in this browser. Nothing you open is sent anywhere.",
  steps: "Steps",
  loading: "Loading …",
  next: (step: string): string => `Next: ${step}`,
  clear: "Start over with another file",
  forgetAll: "Delete it from this browser",
  askForget: (name: string): string => `Delete ${name}, its model and settings from this browser?`,
  forget: "Delete",
  keep: "Keep",
  back: (name: string): string => `Back to ${name}`,
  clearHint: "The file, the model and your settings stay in this browser until you delete them.",
  notSaved:
    "This browser cannot store your work because it has no space left or the window is private. You can continue, but closing or reloading the page loses it.",
  footer: "Made with conformant.",
} as const;

export const DATA = {
  heading: "Your table",
  meaning: "One row per case, one column per attribute. Cells may be empty.",
  drop: "Drop a CSV, TSV, Excel, Parquet or JSON-lines file anywhere on this page, or",
  choose: "choose a file",
  paste: "Or paste rows, with column names in the first line",
  usePasted: "Use pasted rows",
  pastedName: "pasted.csv",
  examples: "Or try an example",
  reading: (rows: number): string =>
    rows === 0 ? "Reading …" : `Reading … ${rows.toLocaleString("en")} rows`,
  summary: (rows: number, columns: number, gaps: string): string =>
    `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}, ${columns} ${columns === 1 ? "column" : "columns"}, ${gaps} of the cells missing`,
  columns: "Columns",
  columnsMeaning:
    "The detected type of each column; change it if it is wrong. Marks show where in the file values are missing.",
  undecided: (n: number): string => `${n} ${n === 1 ? "column needs" : "columns need"} a decision`,
  undecidedMeaning: "Decide here, or change the type. All other columns are ready.",
  asCategory: "Use as category",
  leaveOut: "Exclude",
  mostRows: (rows: number): string =>
    `highest bar: ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`,
  andMore: (n: number): string => `and ${n.toLocaleString("en")} more`,
  moreColumns: (shown: number, all: number): string =>
    `Show more (${shown} of ${all.toLocaleString("en")} columns shown)`,
  kindOf: (name: string): string => `Type of ${name}`,
  kinds: {
    auto: "as detected",
    numeric: "number",
    binary: "binary (1 or 0)",
    categorical: "category",
    out: "exclude",
  },
  found: { numeric: "number", binary: "binary", categorical: "category", out: "excluded" },
  foundAs: (what: string): string => `detected: ${what}`,
  different: (n: number): string => (n === 1 ? "1 value" : `${n.toLocaleString("en")} distinct values`),
  gaps: (share: string): string => `${share} missing`,
  noGaps: "none missing",
  meansUnknown: (text: string): string => `Treat “${text}” as missing`,
  together: "Missing together",
  togetherMeaning: "The most frequent combinations of columns that are missing in the same row.",
  togetherRows: (rows: number, share: string): string =>
    `${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"} (${share})`,
  preview: "Rows",
  previewLabel: "All rows, scrollable",
  previewMeaning: "The table as it was read. Hatched cells are missing.",
  previewPart: (shown: number, all: number): string =>
    `The first ${shown} of ${all.toLocaleString("en")} columns are shown.`,
  settings: "Reading options",
  sheet: "Sheet",
  header: "The first line contains column names",
  headerChoices: { auto: "auto", yes: "yes", no: "no" },
  encoding: "Encoding",
  encodings: {
    "utf-8": "UTF-8",
    "windows-1252": "Western European (Windows-1252, Latin-1)",
    "windows-1250": "Central European (Windows-1250)",
    "windows-1251": "Cyrillic (Windows-1251)",
  },
  gapTexts: "Other texts for missing values, separated by commas",
  gapPlaceholder: "?, unknown, -99",
  decimal: "Decimal separator",
  decimalChoices: { auto: "auto", point: "point: 3.75", comma: "comma: 3,75" },
} as const;

/** The examples, by the name of their file. */
export const EXAMPLES = [
  {
    file: "churn.csv",
    title: "Who leaves?",
    about: "Customers of a phone company (simulated), with missing values",
    label: "churned",
  },
  {
    file: "penguins.csv",
    title: "Which penguin?",
    about: "Measurements of 344 penguins at Palmer Station",
    label: "species",
  },
  {
    file: "loans.csv",
    title: "Paid back?",
    about: "Small loans (simulated), often without an income",
    label: "repaid",
  },
  {
    file: "machines.csv",
    title: "Will it fail?",
    about: "Machine readings (simulated), mostly numbers",
    label: "failure",
  },
] as const;

export const QUESTION = {
  heading: "What do you want to predict?",
  meaning: "Choose the column to predict: a category, or a number. Rows without a value in it are skipped.",
  meaningImported: "An imported classifier is used as it is, with the columns it needs.",
  label: "Predict",
  none: "choose a column",
  classes: (n: number): string => `${n} distinct values`,
  gapsInLabel: (gaps: number): string =>
    `${gaps.toLocaleString("en")} ${gaps === 1 ? "row has" : "rows have"} no value in this column and ${gaps === 1 ? "is" : "are"} skipped.`,
  noLabel: "No row has a value in this column.",
  predictsNumber: (name: string): string => `The model will predict ${name} as a number.`,
  predictsClass: (n: number): string => `The model will predict one of ${n.toLocaleString("en")} classes.`,
  task: "Predict it as",
  tasks: {
    auto: "automatic",
    classification: "a class: one of its values",
    regression: "a number",
  },
  linear: "Linear regression",
  tooMany: "This column has a different value in nearly every row. Choose one with repeating values.",
  oneOnly: "This column has the same value in every row, so there is nothing to predict.",
  how: "Classifier",
  auto: "Choose automatically",
  autoAbout: "logistic regression, or boosted trees if they predict new rows better",
  logistic: "Logistic regression",
  logisticAbout: "adds the effects of the columns; fast, with exact explanations",
  trees: "Boosted trees",
  treesAbout: "can use combinations of columns; slower",
  imported: "Existing classifier",
  importedAbout: "imports a file and fits the distribution of its inputs; the classifier does not change",
  answers: "Column with the true class, for the evaluation (optional)",
  noAnswers: "none",
  more: "Advanced options",
  seed: "Random seed",
  usedColumns: (n: number): string => `Uses ${n} ${n === 1 ? "column" : "columns"}`,
  leftOut: (names: string): string => `Excluded: ${names}`,
  start: "Fit the model",
  problems: "Fix this first in the step “Data”:",
} as const;

/** An imported classifier. */
export const IMPORTED = {
  choose: "choose the file",
  another: "choose another file",
  endings: ".json,.ubj,.txt,.csv,.tsv,.model",
  formats:
    "Logistic regression as JSON or a table of coefficients; trees of XGBoost, LightGBM or scikit-learn. For ONNX and PMML use the command conformant fit --classifier.",
  found: (kind: "logistic" | "trees", classes: readonly string[], columns: readonly string[]): string =>
    `${kind === "trees" ? "trees" : "logistic regression"} for ${classes.join(", ")}, from ${columns.length === 1 ? "the column" : `the ${columns.length} columns`} ${columns.join(", ")}.`,
  names: "If the file lacks names",
  naming: {
    classes: "Class names, in order",
    columns: "Column names, in order",
    categories: "Category names of a column, in order",
  },
  examples: { classes: "no, yes", columns: "age, income", categories: "city=Paris, Rome" },
} as const;

/** Names of the fields that messages about an imported classifier refer to. */
export const CLASSIFIER_WORDS: ClassifierWords = {
  columns: `“${IMPORTED.naming.columns}”`,
  classes: `“${IMPORTED.naming.classes}”`,
  categories: `“${IMPORTED.naming.categories}”`,
  gap: (text) => `${quoted(text)} in the texts for missing values`,
};

export const FIT = {
  heading: "Fitting the model",
  none: "No model yet",
  done: "The model is ready",
  doneIn: (seconds: number): string =>
    `Fitted in ${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} seconds.`,
  cancel: "Cancel",
  canceled: "Canceled. Your table and your settings are unchanged.",
  interrupted: "The page was closed before the model was ready. Your table and your settings are unchanged.",
  again: "Fit again",
  starting: "Starting",
  seconds: (seconds: number): string => `${seconds} s`,
  evaluating: "You can use the model now. The evaluation is still running.",
  sizes: "Mixture sizes compared",
  sizesMeaning:
    "Each point is a mixture with a different number of components, scored on held-out rows. Higher is better. The smallest mixture close to the best is used.",
  size: "components",
  likelihood: "log-likelihood of held-out rows",
  failed: "The model could not be fitted",
  madeOf: (rows: number, columns: number): string =>
    `Fitted to ${rows.toLocaleString("en")} rows and ${columns} ${columns === 1 ? "column" : "columns"}.`,
  ofNumber: (name: string, low: string, high: string): string =>
    `It predicts the number ${name}, which is ${low} to ${high} in the table.`,
  classes: "Classes in the table",
  itsClasses: "Classes",
  leftOut: "Excluded columns",
  untried: (sizes: string): string => `The table is large: mixtures of ${sizes} components were not tried.`,
  change: "The table or the settings have changed since this model was fitted.",
} as const;

/** Names of the stages shown while they run. */
export const WORK: Readonly<Record<string, string>> = {
  "counting values": "Analyzing the columns",
  "reading rows": "Reading the rows",
  "choosing the penalty": "Choosing the penalty",
  "trying trees": "Trying boosted trees",
  "comparing models": "Comparing models",
  training: "Training",
  "choosing the size of the mixture": "Choosing the size of the mixture",
  "fitting the mixture": "Fitting the mixture",
  "training on incomplete rows": "Training on incomplete rows",
  "fitting mean": "Preparing the comparison",
  "fitting knn": "Preparing the comparison",
  evaluating: "Scoring masked rows",
  "scoring new rows": "Scoring new rows",
  predicting: "Predicting rows",
  "scoring columns": "Measuring the importance of columns",
};

export const EVALUATE = {
  heading: "Accuracy with missing values",
  pending: "The evaluation is running. You can use the model in the meantime.",
  stopped: "The evaluation was interrupted. The model is complete; fit it again to evaluate it.",
  noAnswers:
    "The table has no column with the true class, so the model cannot be evaluated. Choose one in the step “Question”.",
  meaning:
    "Cells were masked at random and each method predicted the rest. All methods use the same classifier and differ only in how they handle missing values.",
  level:
    "These rows were also used for training, so their accuracy is too high: use it to compare methods. “How good is this model?” is about new rows.",
  levelImported:
    "If the classifier was trained on these rows, their accuracy is too high: use it to compare methods.",
  accuracy: "Accuracy",
  maskedAxis: "share of cells masked",
  rightAxis: "accuracy on these rows",
  methods: {
    ours: "this model",
    mean: "mean imputation",
    knn: "nearest neighbors",
    native: "native handling of the trees",
  } as Readonly<Record<string, string>>,
  best: (rate: string, ours: string, other: string, theirs: string): string =>
    `With ${rate} of the cells masked, the accuracy of this model is ${ours}; ${other}: ${theirs}.`,
  ahead: "This model is more accurate.",
  even: "The methods differ little on this table.",
  surer: "The accuracy is about the same, but the probabilities of this model are better (lower log loss).",
  behind: "Another method is more accurate on this table at this share.",
  meaningOfNumbers:
    "Cells were masked at random and each method predicted the rest. All methods use the same regression model and differ only in how they handle missing values.",
  levelOfNumbers:
    "These rows were also used for training, so their errors are too low: use them to compare methods. “How good is this model?” is about new rows.",
  errorHeading: "Error with missing values",
  rmse: "Root mean squared error",
  rmseAxis: "root mean squared error, lower is better",
  r2: "Explained variance (R²)",
  r2Axis: "R², higher is better",
  bestError: (rate: string, ours: string, other: string, theirs: string): string =>
    `With ${rate} of the cells masked, this model is off by ${ours} (root mean squared error); ${other}: ${theirs}.`,
  lowerError: "This model has the lower error.",
  higherError: "Another method has the lower error on this table at this share.",
  evenError: "The errors differ by no more than chance.",
  loss: "Log loss",
  lossAxis: "log loss, lower is better",
  confusion: "Which classes are mistaken for which",
  asTheyAre: "New rows as they are, with their own missing values.",
  withMasked: (rate: string): string => `With ${rate} of the cells masked.`,
  trueAndPredicted: "true ╲ predicted",
  never: (names: string): string => `Never predicted: ${names}.`,
  mistake: (rows: number, of: number, truth: string, said: string): string =>
    `${truth} taken for ${said}: ${rows.toLocaleString("en")} of ${of.toLocaleString("en")}`,
  moreClasses: (n: number): string => `and ${n} more classes`,
  moreColumns: (n: number): string => `and ${n} more columns`,
  calibration: "Calibration",
  calibrationMeaning:
    "A prediction of 70% should be right in 70% of such rows. The points should lie on the line.",
  saidAxis: "predicted probability",
  happenedAxis: "observed frequency",
  columns: "Importance of columns",
  columnsMeaning: "The share of rows whose prediction changes when only this column is missing.",
  rows: (n: number): string => `${n.toLocaleString("en")} rows were scored.`,
} as const;

export const SAVE = {
  heading: "Save the model",
  model: "Model file",
  modelAbout: "The model as one JSON file, byte for byte the same as the command writes for this table.",
  download: "Download the model",
  report: "Report",
  reportAbout: "Table, model and evaluation on paper or as a PDF.",
  print: "Print the report",
  page: "Web form",
  pageAbout:
    "One HTML file with this model, for anyone to use. It opens in a browser without a server or network.",
  downloadPage: "Download the page",
  elsewhere: "For other systems",
  elsewhereAbout:
    "Files that predict rows with missing values, byte for byte the same as conformant export writes.",
  forms: { python: "Python", onnx: "ONNX", sql: "SQL" },
  formsAbout: {
    python: "one file that needs only NumPy; a scikit-learn estimator if scikit-learn is installed",
    onnx: "a graph for ONNX Runtime",
    sql: "one query that predicts the rows of a table",
  },
  downloadForm: { python: "Download Python", onnx: "Download ONNX", sql: "Download SQL" },
  dialect: "Database",
  table: "Table name in the database",
  otherForm: "Use the model file, the web form or another format.",
  command: "On the command line",
  exportAbout: "For R or JavaScript, run:",
  commandAbout: "The same model on the command line:",
} as const;

/** The model on paper. */
export const REPORT = {
  title: "Model report",
  file: "File",
  date: "Date",
  question: "Predicted column",
  classifier: "Model",
  kinds: {
    trees: "trees",
    "regression-trees": "trees",
    additive: "logistic regression",
    linear: "linear regression",
  } as Readonly<Record<string, string>>,
  chosen: {
    auto: ", chosen by cross-validation",
    logistic: "",
    trees: "",
    imported: ", imported",
  },
  range: "Range in the table",
  table: "Table",
  size: (rows: number, columns: number): string =>
    `${rows.toLocaleString("en")} rows, ${columns} ${columns === 1 ? "column" : "columns"} used`,
  columns: "Columns",
  leftOut: "Excluded",
  classes: "Classes (rows)",
} as const;

/** SQL dialects, by the names that the command uses. */
export const DIALECTS = {
  ansi: "any (ANSI SQL)",
  postgres: "PostgreSQL",
  duckdb: "DuckDB",
  sqlite: "SQLite",
  clickhouse: "ClickHouse",
} as const;

export const OF_TABLES = {
  tooLarge: "The command conformant fit reads files of any size.",
  noMemory: "The table needs more memory than the browser allows.",
  fileGone: "The file was moved or changed. Open it again.",
  twiceNamed: "Rename one of them, or choose “no” for “The first line contains column names”.",
  notText: (name: string, encoding: string): string =>
    `${quoted(name)}: the file is not in ${encoding.toUpperCase()}`,
  chooseEncoding: "Choose its encoding under “Reading options”, or save the table as CSV in UTF-8.",
  saveAsCsv: "Save the table as CSV or .xlsx and open that file.",
  toChooseSheet: "“Sheet” under “Reading options”",
  noTable: (name: string, is: string): string => `${quoted(name)} is ${is}, expected a table as text`,
  spreadsheet: "a spreadsheet",
  document: "a text document",
  slides: "a presentation",
  archive: "a ZIP archive such as a spreadsheet",
  brokenParquet: (name: string, why: string): string =>
    `${quoted(name)} cannot be read as a Parquet file: ${why}`,
  damaged: (name: string): string => `${quoted(name)} is truncated, damaged, or not UTF-8 inside`,
  image: "an image",
  pdf: "a PDF document",
  webPage: "a web page",
} as const;

/** Hints for problems of a table, in terms of the page. */
export const REMEDIES: Remedies = {
  keepColumn: () => "choose a type to keep it",
  keepCategories: () => "choose “category” to keep it",
  strangeText: (_, text) =>
    `If ${quoted(text)} means missing, add it under “Reading options”. Otherwise choose “category” for the column.`,
  nearlyNumbers: (decimal) =>
    decimal
      ? `the decimal separator “${decimal}” reads them as numbers`
      : "remove the text around the digits to read numbers",
  ambiguousNumber: (mark, fraction, thousands) =>
    `Choose the decimal separator under “Reading options”: with a ${mark} it is ${fraction}, otherwise ${thousands}.`,
  exclude: () => "exclude the column if so",
  readAsMissing: (texts) =>
    `add ${texts.map(quoted).join(", ")} to the texts for missing values under “Reading options” if so`,
  group: () => "the command fit --group holds them out together",
  wrongValue: (text) => `If ${quoted(text)} means missing, add it under “Reading options”.`,
  date: (_, part) => `add a column with the relevant part, for example the ${part}`,
  tooManyValues: "Exclude it.",
  tooManyClasses: "Choose “automatic” or “a number” under “Advanced options” to predict a number.",
  predictClasses: "“Advanced options” can predict classes",
  strangeCategories: `Spell the values as the classifier does, or list its categories in ${CLASSIFIER_WORDS.categories}.`,
};
