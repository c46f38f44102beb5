// Prints `N passed, N failed[, N skipped]` from a JSON report of vitest; fails when a test did or none ran.
//
//   node scripts/count-tests.mjs reports/tests.json

import { readFileSync } from "node:fs";

const report = JSON.parse(readFileSync(process.argv[2], "utf8"));

// A file can fail without a failing test: when it cannot be loaded, or in a hook.
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === "failed" && !assertionResults.some((test) => test.status === "failed"),
);
const passed = report.numPassedTests;
const failed = report.numFailedTests + brokenFiles.length;
const skipped = report.numPendingTests + report.numTodoTests;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
