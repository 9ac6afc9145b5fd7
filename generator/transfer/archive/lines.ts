/**
 * The lines of a stream. Only a line feed ends one: values hold U+2028 and U+2029 as they are, at which `readline` of
 * Node would cut.
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of body) {
    const [first = "", ...rest] = decoder.decode(chunk, { stream: true }).split("\n");
    pieces.push(first);
    for (const next of rest) {
      yield pieces.join("");
      pieces = [next];
    }
  }
  yield pieces.join("") + decoder.decode();
}
