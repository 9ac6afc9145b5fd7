/** Messages of PostgreSQL's protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */

const LENGTH = 4;

/** A message to the server. */
export const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(1 + LENGTH);
  head.write(type, "latin1");
  head.writeInt32BE(LENGTH + body.length, 1);
  return Buffer.concat([head, body]);
};

/** A text in a message. */
export const textIn = (value: string): Buffer => Buffer.from(`${value}\0`);

/** A row as texts. */
export type Texts = readonly (string | null)[];

/** The values in the body of a DataRow. */
export const textsIn = (body: Buffer): Texts => {
  const texts: (string | null)[] = [];
  for (let at = 2; at < body.length;) {
    const length = body.readInt32BE(at);
    at += 4;
    texts.push(length < 0 ? null : body.toString("utf8", at, (at += length)));
  }
  return texts;
};

const NOTHING = Buffer.alloc(0);

/** Returns the function to give what arrives from the server: it calls `take` for each message that is complete. */
export const messageReader = (take: (type: string, body: Buffer) => void): ((arrived: Buffer) => void) => {
  let rest: Buffer = NOTHING;
  return (arrived) => {
    let bytes = rest.length === 0 ? arrived : Buffer.concat([rest, arrived]);
    while (bytes.length > LENGTH) {
      const end = 1 + bytes.readInt32BE(1);
      if (bytes.length < end) break;
      take(String.fromCharCode(bytes[0] ?? 0), bytes.subarray(1 + LENGTH, end));
      bytes = bytes.subarray(end);
    }
    rest = bytes;
  };
};
