/** Edits schema files as text, so that their formatting stays. */
import { ts } from "ts-morph";

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const apply = (text: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (result, { start, end, text: replacement }) => result.slice(0, start) + replacement + result.slice(end),
      text,
    );

const member = (node: ts.Node | undefined, key: string): ts.PropertyAssignment | undefined =>
  node && ts.isObjectLiteralExpression(node)
    ? node.properties
        .filter(ts.isPropertyAssignment)
        .findLast(({ name }) => ts.isStringLiteral(name) && name.text === key)
    : undefined;

const literalText = (property: ts.PropertyAssignment | undefined): string | undefined =>
  property && ts.isStringLiteral(property.initializer) ? property.initializer.text : undefined;

export interface AttributeRename {
  /** Whose attribute it is. */
  readonly uid: string;
  readonly from: string;
  readonly to: string;
}

/** `"renamedFrom"` for the attribute's own object, with the white space that stands before its first key. */
const renamedFrom = (source: ts.JsonSourceFile, value: ts.Node, from: string): Edit[] => {
  if (!ts.isObjectLiteralExpression(value)) return [];
  const known = member(value, "renamedFrom");
  if (known) {
    return [{ start: known.initializer.getStart(source), end: known.initializer.getEnd(), text: JSON.stringify(from) }];
  }
  const last = value.properties.at(-1);
  if (!last)
    return [
      {
        start: value.getStart(source) + 1,
        end: value.getStart(source) + 1,
        text: `"renamedFrom": ${JSON.stringify(from)}`,
      },
    ];
  const space = source.text.slice(last.getFullStart(), last.getStart(source));
  const separator = space === "" ? "" : /\n/.test(space) ? space : " ";
  return [{ start: last.getEnd(), end: last.getEnd(), text: `,${separator}"renamedFrom": ${JSON.stringify(from)}` }];
};

const replaceText = (source: ts.JsonSourceFile, node: ts.Node, to: string): Edit => ({
  start: node.getStart(source),
  end: node.getEnd(),
  text: JSON.stringify(to),
});

/** Keys of an attribute that name an attribute of its own type, and of its target. */
const OWN_REFERENCES = ["targetField"];
const TARGET_REFERENCES = ["inversedBy", "mappedBy", "morphBy"];

const referenceEdits = (
  source: ts.JsonSourceFile,
  attributes: ts.Node | undefined,
  { uid, from, to }: AttributeRename,
  isOwner: boolean,
): Edit[] => {
  if (!attributes || !ts.isObjectLiteralExpression(attributes)) return [];
  return attributes.properties.filter(ts.isPropertyAssignment).flatMap(({ initializer }) => {
    const target = literalText(member(initializer, "target"));
    const keys = [...(isOwner ? OWN_REFERENCES : []), ...(target === uid ? TARGET_REFERENCES : [])];
    return keys
      .map((key) => member(initializer, key))
      .filter((property) => property !== undefined)
      .filter((property) => literalText(property) === from)
      .map((property) => replaceText(source, property.initializer, to));
  });
};

const hiddenEdits = (source: ts.JsonSourceFile, top: ts.Node, { from, to }: AttributeRename): Edit[] => {
  const hidden = member(member(top, "options")?.initializer, "privateAttributes")?.initializer;
  if (!hidden || !ts.isArrayLiteralExpression(hidden)) return [];
  return hidden.elements
    .filter((element) => ts.isStringLiteral(element))
    .filter((element) => element.text === from)
    .map((element) => replaceText(source, element, to));
};

/**
 * The text of a schema file after the rename; the same text when the file has nothing to do with it.
 * @param isOwner whether the file describes the type or component whose attribute it is
 */
export const renameInSchema = (file: string, text: string, rename: AttributeRename, isOwner: boolean): string => {
  const source = ts.parseJsonText(file, text);
  const top = source.statements[0]?.expression;
  if (!top) return text;
  const attributes = member(top, "attributes")?.initializer;
  const edits = referenceEdits(source, attributes, rename, isOwner);
  const own = isOwner ? member(attributes, rename.from) : undefined;
  if (own) {
    edits.push(replaceText(source, own.name, rename.to), ...renamedFrom(source, own.initializer, rename.from));
    edits.push(...hiddenEdits(source, top, rename));
  }
  return apply(text, edits);
};
