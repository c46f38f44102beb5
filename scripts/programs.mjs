// The programs that tests use where a machine has them, and the Debian packages that bring them. Tests that lack theirs are skipped.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PYTHON = "/usr/bin/python3"; // Debian's, which finds Debian's modules
const CHROMIUM = "/usr/bin/chromium";
const CLICKHOUSE = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];

const programs = [
  { name: "Chromium", packages: ["chromium"], isHere: () => existsSync(CHROMIUM) },
  {
    name: "ClickHouse",
    packages: ["clickhouse-server"],
    isHere: () => CLICKHOUSE.some((path) => existsSync(path)),
  },
  { name: "fish", packages: ["fish"], isHere: () => runs("fish", "--version") },
  { name: "groff", packages: ["groff"], isHere: () => runs("groff", "--version") },
  { name: "jq", packages: ["jq"], isHere: () => runs("jq", "--version") },
  { name: "man", packages: ["man-db"], isHere: () => runs("man", "--version") },
  { name: "PostgreSQL", packages: ["postgresql"], isHere: () => existsSync("/usr/lib/postgresql") },
  { name: "SQLite", packages: ["sqlite3"], isHere: () => runs("sqlite3", "--version") },
  { name: "Zstandard", packages: ["zstd"], isHere: () => runs("zstd", "--version") },
  { name: "zsh", packages: ["zsh"], isHere: () => runs("zsh", "--version") },
  ...["onnx", "pandas", "sklearn", "statsmodels", "xgboost"].map((module) => ({
    name: `Python's ${module}`,
    packages: [`python3-${module}`],
    isHere: () => runs(PYTHON, "-c", `import ${module}`),
  })),
  ...["pip", "venv"].map((module) => ({
    name: `Python's ${module}`,
    packages: [`python3-${module}`],
    isHere: () => runs(PYTHON, "-c", `import ${module}, ensurepip`),
  })),
  ...["glmnet", "jsonlite", "MASS", "mgcv", "nnet", "randomForest", "ranger", "rpart", "survival"].map(
    (library) => ({
      name: `R's ${library}`,
      packages: ["r-base-core", `r-cran-${library.toLowerCase()}`],
      isHere: () => runs("Rscript", "-e", `stopifnot(requireNamespace("${library}", quietly = TRUE))`),
    }),
  ),
];

function runs(command, ...words) {
  return spawnSync(command, words, { stdio: "ignore" }).status === 0;
}

/** The programs that this machine lacks. */
export function missingPrograms() {
  return programs.filter(({ isHere }) => !isHere());
}
