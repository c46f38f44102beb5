/**
 * The reader of PMML. An entry of its own, because its parser of XML is more than a page should load.
 *
 * @module
 */

export { readPmml } from "../import/pmml/read-pmml.ts";
