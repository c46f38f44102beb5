/**
 * Models in other forms.
 *
 * @module
 */

export { exportJson } from "../exporting/export-json.ts";
export { exportSklearn } from "../exporting/export-sklearn.ts";
export { exportSpreadsheet } from "../exporting/export-spreadsheet.ts";
export { exportSql, type SqlExportOptions } from "../exporting/export-sql.ts";
export { exportTreesJson } from "../exporting/export-trees-json.ts";
export { exportAnswering } from "../exporting/javascript/export-answering.ts";
export { exportJavascript } from "../exporting/javascript/export-javascript.ts";
export { exportOnnx, type OnnxExportOptions } from "../exporting/onnx/export-onnx.ts";
export { exportPython } from "../exporting/python/export-python.ts";
export { exportR } from "../exporting/r/export-r.ts";
export { requireExportable } from "../exporting/require-exportable.ts";
