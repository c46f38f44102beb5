/**
 * Models in other forms.
 *
 * @module
 */

export { exportAnswering } from "../export/export-answering.ts";
export { exportJavascript } from "../export/export-javascript.ts";
export { exportJson } from "../export/export-json.ts";
export { exportOnnx, type OnnxExportOptions } from "../export/export-onnx.ts";
export { exportPython } from "../export/export-python.ts";
export { exportR } from "../export/export-r.ts";
export { exportSql, type SqlExportOptions } from "../export/export-sql.ts";
export { requireExportable } from "../export/require-exportable.ts";
