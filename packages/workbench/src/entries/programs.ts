/**
 * Programs in other languages that write classifiers as files to import.
 *
 * @module
 */

export { programText } from "../import/programs/program-text.ts";
