/** Attributes whose kind a plugin declares. */
import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import type { StrapiProject } from "../project.ts";
import { isSchemaFile } from "../schemas.ts";
import type { Finding } from "./finding.ts";

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

const fieldsIn = (file: string, text: string): readonly Finding[] => {
  const root = parseTree(text);
  const attributes = root && findNodeAtLocation(root, ["attributes"]);
  return (attributes?.children ?? []).flatMap((property: Node): readonly Finding[] => {
    const [key, value] = property.children ?? [];
    const uid = value && findNodeAtLocation(value, ["customField"]);
    if (key === undefined || uid === undefined) return [];
    const name = `${String(key.value)}: ${String(uid.value)}`;
    const note = "is kept as the type that `cms generate` knows, or names in a warning";
    return [{ kind: "customField", name, at: { file, line: lineAt(text, key.offset) }, note }];
  });
};

/** A finding for each attribute that is a custom field. */
export const customFieldFindings = ({ files, reader }: StrapiProject): readonly Finding[] =>
  files.filter(isSchemaFile).flatMap((file) => fieldsIn(file, reader.text(file)));
