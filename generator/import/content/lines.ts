import { SetupError } from "../../../runtime/base/setup-error.ts";

/** Most characters of a line: a row of Strapi is one line, and has to be in memory. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The lines of a stream. Only a line feed ends one: values hold U+2028 and U+2029 as they are, at which `readline` of
 * Node would cut.
 *
 * @param name what is read, for messages
 * @throws SetupError for a line that is too long
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>, name: string): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of body) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    length += first.length;
    if (length > LONGEST) throw new SetupError(`${name}:${number} has more than ${LONGEST} characters in one line.`);
    pieces.push(first);
    for (const next of rest) {
      yield pieces.join("");
      pieces = [next];
      length = next.length;
      number += 1;
    }
  }
  yield pieces.join("") + decoder.decode();
}
