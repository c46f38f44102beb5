/*
 * The kernels for processors that work on two numbers at once, in AssemblyScript, TypeScript's syntax for WebAssembly.
 * `npm run kernels` compiles these files into ../src/kernels/simd-binary.ts. ../src/kernels/kernels.ts documents the functions; the files
 * plain-*.ts beside it do the same, operation by operation, to the last bit.
 *
 * Addresses are in bytes: a number has 8, a lane of four numbers 32, and a vector two numbers.
 */

export { addLeaves } from "./add-leaves.ts";
export { addStates } from "./add-states.ts";
export { addToBins, divideRows, findCut, gatherDerivatives, subtractBins } from "./boosting.ts";
export { addNumbers, classProbabilities } from "./class-kernels.ts";
export { conditionRows } from "./condition-rows.ts";
export { eliminate } from "./eliminate.ts";
export { drainTable, fillTable } from "./entry-changes.ts";
export { scatterEntries, scoreEntries } from "./entry-kernels.ts";
export { exponentials } from "./exponentials.ts";
export { combineSolved, solveColumns, spreadAtoms, weighAtoms } from "./newton-columns.ts";
export { scoreTiles } from "./score-tiles.ts";
export { shareRows } from "./share-rows.ts";
export { tiltColumns } from "./tilt-columns.ts";
