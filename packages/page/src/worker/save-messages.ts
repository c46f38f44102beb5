/** What a model can be kept as, besides its file and a page. */
export type SaveFormat = "onnx" | "python" | "sql";

/** What the worker that writes a model for other systems is asked, once. */
export interface SaveRequest {
  /** The file of the model. */
  readonly model: string;
  readonly form: SaveFormat;
  /** Of SQL, the name of the dialect and of the table. */
  readonly dialect: string;
  readonly table: string;
}

/** What it says. */
export type SaveReply = { readonly content: string | Uint8Array<ArrayBuffer> } | { readonly problem: string };
