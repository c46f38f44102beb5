/** The formats of exported models, besides the page. */
export const exportFormats = ["onnx", "sql", "js", "python", "r", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];
