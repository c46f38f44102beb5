import { ELEMENT, type OnnxTensor } from "./onnx-proto.ts";

/** The numbers of a tensor in any of its storage forms. */
export function numbersOf(tensor: OnnxTensor): ArrayLike<number> {
  if (tensor.location === 1) throw new RangeError("a tensor is kept in another file, which is not opened");
  if (tensor.raw) return fromRaw(tensor.raw, tensor.type);
  const lists = [tensor.floats, tensor.doubles, tensor.ints64, tensor.ints32];
  return lists.find((list) => list.length > 0) ?? [];
}

export function textsOf(bytes: readonly Uint8Array[]): string[] {
  const decoder = new TextDecoder();
  return bytes.map((text) => decoder.decode(text));
}

function fromRaw(raw: Uint8Array, type: number | undefined): ArrayLike<number> {
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const read = (size: number, at: (offset: number) => number): Float64Array => {
    if (raw.byteLength % size !== 0)
      throw new RangeError(`a tensor has ${raw.byteLength} bytes, expected a multiple of ${size}`);
    return Float64Array.from({ length: raw.byteLength / size }, (_, j) => at(j * size));
  };
  switch (type) {
    case ELEMENT.float:
      return read(4, (at) => view.getFloat32(at, true));
    case ELEMENT.double:
      return read(8, (at) => view.getFloat64(at, true));
    case ELEMENT.int64:
      return read(8, (at) => Number(view.getBigInt64(at, true)));
    case ELEMENT.int32:
      return read(4, (at) => view.getInt32(at, true));
    default:
      throw new RangeError(`a tensor has the element type ${type}, expected float, double, int32 or int64`);
  }
}

/** Whole numbers as a tensor. */
export function tensorOfInts(name: string, dims: readonly number[], values: readonly number[]): OnnxTensor {
  return { ...EMPTY, name, dims, type: ELEMENT.int64, ints64: values };
}

/** Doubles as a tensor. */
export function tensorOfDoubles(
  name: string,
  dims: readonly number[],
  values: readonly number[],
): OnnxTensor {
  const raw = new Uint8Array(values.length * 8);
  const view = new DataView(raw.buffer);
  values.forEach((value, j) => {
    view.setFloat64(j * 8, value, true);
  });
  return { ...EMPTY, name, dims, type: ELEMENT.double, raw };
}

/** Texts as a tensor of one dimension. */
export function tensorOfTexts(name: string, texts: readonly string[]): OnnxTensor {
  const encoder = new TextEncoder();
  return {
    ...EMPTY,
    name,
    dims: [texts.length],
    type: ELEMENT.string,
    strings: texts.map((text) => encoder.encode(text)),
  };
}

const EMPTY: OnnxTensor = { dims: [], floats: [], ints32: [], strings: [], ints64: [], doubles: [] };
