/** CRC-32 (ISO 3309) of a text's UTF-16 code units, as eight hexadecimal digits: it finds accidents, not forgery. */
export function checksum(text: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    crc = TABLE[(crc ^ unit) & 0xff] ^ (crc >>> 8);
    crc = TABLE[(crc ^ (unit >>> 8)) & 0xff] ^ (crc >>> 8);
  }
  return ((crc ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0");
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
