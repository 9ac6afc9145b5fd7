import { SetupError } from "../../../runtime/base/thrown.ts";

/** The maximum characters per line: a Strapi row is one line, and must fit in memory. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The lines of a stream. Only a line feed ends one: values may contain U+2028 and U+2029, at which Node's `readline`
 * would split.
 *
 * @param name the source's name in messages
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
