/** Attributes whose type a plugin declares. */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { groupBy } from "../../../base/lists.ts";
import type { StrapiProject } from "../project.ts";
import { isSchemaFile } from "../schemas.ts";
import { type Finding, finding } from "./finding.ts";

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

interface Use {
  readonly field: string;
  readonly attribute: string;
  readonly at: Finding["at"];
}

const usesIn = (file: string, text: string): readonly Use[] => {
  const root = parseTree(text);
  const attributes = root && findNodeAtLocation(root, ["attributes"]);
  return (attributes?.children ?? []).flatMap((property: Node): readonly Use[] => {
    const [key, value] = property.children ?? [];
    const uid = value && findNodeAtLocation(value, ["customField"]);
    if (key === undefined || uid === undefined) return [];
    const at = { file, line: lineAt(text, key.offset) };
    return [{ field: String(uid.value), attribute: String(key.value), at }];
  });
};

/** A finding for each custom field, at the first attribute that uses it. */
export const customFieldFindings = ({ files, reader }: StrapiProject): readonly Finding[] => {
  const uses = files.filter(isSchemaFile).flatMap((file) => usesIn(file, reader.text(file)));
  return [...groupBy(uses, ({ field }) => field)].flatMap(([field, [first, ...others]]): readonly Finding[] => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    const note = "is kept as the type that `cms generate` knows, or names in a warning";
    return [finding("customField", `${first.attribute}${more}: ${field}`, first.at, note)];
  });
};
