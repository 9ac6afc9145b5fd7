/** Wide characters of East Asian scripts, and pictographs: two columns each. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const ZERO = /\p{Mn}|\p{Me}|\p{Cf}/u;

const characterWidth = (character: string): number => (ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** How wide a line of a generated file may be: what formatters are set to. */
export const LINE_WIDTH = 120;

/** How many columns of a terminal a text takes. */
export const textWidth = (text: string): number => {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
};
