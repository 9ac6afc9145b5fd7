/** Bodies of uploads, with pictures that are made as they are needed. */
import { deflateSync } from "node:zlib";
import type { Part } from "./scenario.ts";

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

const crc32 = (bytes: Buffer): number => {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
};

const picture = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 2;
  const lines = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (__, x) => [(x * 255) / width, (y * 255) / height, 128]).flat()]),
  );
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(lines))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
};

/** `png:80x60`, or `text:` and the text. */
const fixture = (name: string): Buffer => {
  const size = /^png:(\d+)x(\d+)$/.exec(name);
  if (size) return picture(Number(size[1]), Number(size[2]));
  if (name.startsWith("text:")) return Buffer.from(name.slice("text:".length));
  throw new Error(`Unknown fixture ${name}`);
};

const BOUNDARY = "----conformance7d1c0a93";

const contentOf = ({ fixture: name, value }: Part): Buffer => {
  if (name !== undefined) return fixture(name);
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
};

export const multipartBody = (parts: readonly Part[]): { readonly type: string; readonly body: Buffer } => ({
  type: `multipart/form-data; boundary=${BOUNDARY}`,
  body: Buffer.concat([
    ...parts.flatMap((part) => {
      const file = part.filename === undefined ? "" : `; filename="${part.filename}"`;
      const type = part.type === undefined ? "" : `Content-Type: ${part.type}\r\n`;
      const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${part.name}"${file}\r\n${type}\r\n`;
      return [Buffer.from(head), contentOf(part), Buffer.from("\r\n")];
    }),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]),
});
