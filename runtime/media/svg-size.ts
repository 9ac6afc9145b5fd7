/**
 * Reads the size of an SVG from its first element. Rendering libraries measure a drawing without a size by processing
 * all its content, and two kilobytes of nested references can take them minutes.
 */

/** Units in pixels, at 72 pixels per inch as in other libraries. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  px: 1,
  in: 72,
  cm: 72 / 2.54,
  mm: 72 / 25.4,
  pt: 1,
  pc: 12,
  em: 12,
  ex: 6,
};

/** Larger sizes are treated as mistakes. */
const LARGEST = 1_000_000;

/** Matches a whole `<svg>` tag. Its alternatives begin with different characters, so matching takes linear time. */
const tag = /<svg(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/iy;
const attribute = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The position after the next `end`; the end of the text if there is none. */
const after = (text: string, end: string, from: number): number => {
  const at = text.indexOf(end, from);
  return at < 0 ? text.length : at + end.length;
};

/** The position after a declaration, which may contain others in brackets. */
const afterDeclaration = (text: string, from: number): number => {
  const end = after(text, ">", from);
  const bracket = text.indexOf("[", from);
  return bracket < 0 || bracket > end ? end : after(text, ">", after(text, "]", bracket));
};

const rootAttributes = (text: string): ReadonlyMap<string, string> | undefined => {
  let at = text.indexOf("<");
  while (at >= 0) {
    if (text.startsWith("<!--", at)) at = after(text, "-->", at);
    else if (text.startsWith("<?", at)) at = after(text, "?>", at);
    else if (text.startsWith("<!", at)) at = afterDeclaration(text, at);
    else break;
    at = text.indexOf("<", at);
  }
  if (at < 0) return undefined;
  tag.lastIndex = at;
  const found = tag.exec(text)?.[1];
  if (found === undefined) return undefined;
  return new Map([...found.matchAll(attribute)].map(([, name = "", one, other]) => [name, one ?? other ?? ""]));
};

/** A length in pixels; undefined for relative ones such as `100%`. */
const lengthOf = (text: string | undefined): number | undefined => {
  const [, digits, unit = ""] = /^\s*(\+?[\d.]{1,20}(?:e[+-]?\d{1,3})?)([a-z]*)\s*$/i.exec(text ?? "") ?? [];
  const factor = units[unit.toLowerCase()];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
};

const isSize = (length: number): boolean => length >= 0.5 && length <= LARGEST;

/**
 * The size of an SVG in whole pixels: from `width` and `height`, or from `viewBox` if those are missing.
 *
 * @param head the beginning of the file
 * @returns undefined if the first element is not `svg`, or has no size
 */
export const svgSize = (head: string): { readonly width: number; readonly height: number } | undefined => {
  const attributes = rootAttributes(head);
  if (!attributes) return undefined;
  const [, , across = Number.NaN, down = Number.NaN] = (attributes.get("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const given = { width: lengthOf(attributes.get("width")), height: lengthOf(attributes.get("height")) };
  const width = given.width ?? (given.height === undefined ? across : (given.height * across) / down);
  const height = given.height ?? (given.width === undefined ? down : (given.width * down) / across);
  return isSize(width) && isSize(height) ? { width: Math.round(width), height: Math.round(height) } : undefined;
};
