/** The part of the engine's WebAssembly that is used; the language's own types do not have it. */
export interface Engine {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
