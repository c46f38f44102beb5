import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** How a field is encoded; a table in place of the type is a nested message. */
export interface WireField {
  readonly number: number;
  readonly type: "int64" | "float" | "double" | "string" | "bytes" | WireTable;
  readonly repeated: boolean;
}

/** The fields of a message by their names in the program; others are skipped. */
export type WireTable = Readonly<Record<string, WireField>>;

export const one = (number: number, type: WireField["type"]): WireField => ({
  number,
  type,
  repeated: false,
});
export const many = (number: number, type: WireField["type"]): WireField => ({
  number,
  type,
  repeated: true,
});

type Fields = Record<string, unknown>;

/** Reads a message. Repeated fields are lists, other missing fields are absent; integers are numbers. */
export function decodeMessage<T>(table: WireTable, bytes: Uint8Array): T {
  const names = new Map(Object.entries(table).map(([name, field]) => [field.number, name]));
  const message: Fields = {};
  for (const [name, { repeated }] of Object.entries(table)) if (repeated) message[name] = [];
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    const name = names.get(number);
    if (name === undefined) reader.skip(wire, number);
    else if (table[name].repeated) readInto(message[name] as unknown[], table[name], reader, wire);
    else message[name] = readValue(table[name], reader, wire);
  }
  return message as T;
}

/** One value of a repeated field, or many in packed encoding. */
function readInto(list: unknown[], field: WireField, reader: BinaryReader, wire: WireType): void {
  if (wire !== WireType.LengthDelimited || wireTypeOf(field) === WireType.LengthDelimited) {
    list.push(readValue(field, reader, wire));
    return;
  }
  const packed = new BinaryReader(reader.bytes());
  while (packed.pos < packed.len) list.push(readValue(field, packed, wireTypeOf(field)));
}

function readValue(field: WireField, reader: BinaryReader, wire: WireType): unknown {
  if (wire !== wireTypeOf(field))
    throw new RangeError(`field ${field.number} has wire type ${wire}, expected ${wireTypeOf(field)}`);
  switch (field.type) {
    case "int64":
      return Number(reader.int64());
    case "float":
      return reader.float();
    case "double":
      return reader.double();
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    default:
      return decodeMessage(field.type, reader.bytes());
  }
}

/** Writes a message; absent fields and empty lists take no space. */
export function encodeMessage(table: WireTable, message: object): Uint8Array {
  const writer = new BinaryWriter();
  for (const [name, field] of Object.entries(table)) {
    const value = (message as Fields)[name];
    if (value === undefined) continue;
    const values = field.repeated ? (value as unknown[]) : [value];
    if (field.repeated && wireTypeOf(field) !== WireType.LengthDelimited) {
      if (values.length === 0) continue;
      writer.tag(field.number, WireType.LengthDelimited).fork();
      for (const item of values) writeValue(field, writer, item);
      writer.join();
    } else for (const item of values) writeValue(field, writer.tag(field.number, wireTypeOf(field)), item);
  }
  return writer.finish();
}

function writeValue(field: WireField, writer: BinaryWriter, value: unknown): void {
  if (typeof field.type === "object") writer.bytes(encodeMessage(field.type, value as object));
  else if (field.type === "string") writer.string(value as string);
  else if (field.type === "bytes") writer.bytes(value as Uint8Array);
  else writer[field.type](value as number);
}

function wireTypeOf({ type }: WireField): WireType {
  if (type === "int64") return WireType.Varint;
  if (type === "float") return WireType.Bit32;
  return type === "double" ? WireType.Bit64 : WireType.LengthDelimited;
}
