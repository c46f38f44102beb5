/**
 * Excel workbooks; apart, because the page loads the reader only for such a file.
 *
 * @module
 */

export { readWorkbookText, type WorkbookOptions } from "../workbook/read-workbook-text.ts";
export type { ArchiveFile } from "../workbook/zip-archive.ts";
