// Prints the scores of a method on a split of a table: evaluate-split.ts ROWS SPLIT METHOD

import { readFileSync } from "node:fs";
import { evaluateMethod } from "./evaluate-method.ts";
import { tableOf } from "./tables/compare-table.ts";

const [rows, split, method] = process.argv.slice(2);
console.log(JSON.stringify(evaluateMethod(tableOf(readFileSync(rows, "utf8")), Number(split), method)));
