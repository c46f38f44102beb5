/** What a model can be written as, besides a page. */
export const exportFormats = ["onnx", "sql", "js", "python", "r", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];
