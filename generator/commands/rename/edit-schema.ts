/** Edits schema files as text, which preserves their formatting. */
import { applyEdits, type Edit, type Node, parseTree } from "jsonc-parser";
import { properties, property } from "../../diagnostics/positions.ts";

export interface AttributeRename {
  /** The type or component that has the attribute. */
  readonly uid: string;
  readonly from: string;
  readonly to: string;
}

const member = (node: Node | undefined, key: string): Node | undefined => node && property(node, key)?.value;

const replace = ({ offset, length }: Node, to: string): Edit => ({ offset, length, content: JSON.stringify(to) });

/** `"renamedFrom"` for the attribute's own object, with the white space before its last key. */
const renamedFrom = (text: string, attribute: Node, from: string): readonly Edit[] => {
  if (attribute.type !== "object") return [];
  const known = member(attribute, "renamedFrom");
  if (known) return [replace(known, from)];
  const content = `"renamedFrom": ${JSON.stringify(from)}`;
  const last = attribute.children?.at(-1);
  if (!last) return [{ offset: attribute.offset + 1, length: 0, content }];
  const [space = ""] = /\s*$/.exec(text.slice(0, last.offset)) ?? [];
  const separator = space === "" || space.includes("\n") ? space : " ";
  return [{ offset: last.offset + last.length, length: 0, content: `,${separator}${content}` }];
};

/** Keys of an attribute that name an attribute of its own type, and of its target. */
const OWN_REFERENCES = ["targetField"];
const TARGET_REFERENCES = ["inversedBy", "mappedBy", "morphBy"];

const references = (attributes: Node, uid: string, isOwner: boolean): readonly Node[] =>
  properties(attributes).flatMap(({ value }) => {
    const isTarget = member(value, "target")?.value === uid;
    const keys = [...(isOwner ? OWN_REFERENCES : []), ...(isTarget ? TARGET_REFERENCES : [])];
    return keys.flatMap((key) => member(value, key) ?? []);
  });

/**
 * The text of a schema file after the rename; unchanged if the file is not affected.
 * @param isOwner whether the file describes the type or component that has the attribute
 */
export const renameInSchema = (text: string, { uid, from, to }: AttributeRename, isOwner: boolean): string => {
  // A byte order mark is not part of JSON.
  const top = parseTree(text.replace(/^\u{FEFF}/u, " "));
  const attributes = member(top, "attributes");
  if (!attributes) return text;
  const own = isOwner ? property(attributes, from) : undefined;
  const hidden = own && member(member(top, "options"), "privateAttributes")?.children;
  const named = [...references(attributes, uid, isOwner), ...(hidden ?? [])].filter(({ value }) => value === from);
  return applyEdits(text, [
    ...named.map((node) => replace(node, to)),
    ...(own ? [replace(own.name, to)] : []),
    ...(own?.value ? renamedFrom(text, own.value, from) : []),
  ]);
};
