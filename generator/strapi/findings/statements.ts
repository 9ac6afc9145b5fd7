/** Code that runs from top to bottom, statement by statement: what runs at the start, and what changes plugins. */
import { Node } from "ts-morph";
import { exportedMembers } from "../code/members.ts";
import { type CodeReader, placeOf } from "../code/parse.ts";
import { exportsOf, resolved } from "../code/resolve.ts";
import type { Finding, FindingKind } from "./finding.ts";

const LONGEST = 90;

/** The first line of a piece of code. */
export const firstLine = (text: string): string => {
  const [line = ""] = text.trim().split(/\r?\n|[\u2028\u2029]/);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};

const statementsOf = (node: Node): readonly Node[] => {
  const body = Node.isBodyable(node) || Node.isArrowFunction(node) ? node.getBody() : undefined;
  if (body === undefined) return [];
  return Node.isBlock(body) ? body.getStatements() : [body];
};

const isReturn = (node: Node): boolean =>
  Node.isReturnStatement(node) && /^return(?:\s+plugin)?;?$/.test(node.getText().trim());

const tell = (kind: FindingKind, owner: string, nodes: readonly Node[]): readonly Finding[] =>
  nodes
    .filter((node) => !isReturn(node))
    .map((node) => ({
      kind,
      name: `${owner}: \`${firstLine(node.getText()).replaceAll("`", "'")}\``,
      at: placeOf(node),
    }));

/** What `register`, `bootstrap` and `destroy` of `src/index` do. */
export const startFindings = (reader: CodeReader, file: string): readonly Finding[] => {
  const members = exportedMembers(reader, file);
  const found = members.flatMap(({ name, node }) => tell("bootstrap", name, statementsOf(resolved(reader, node))));
  if (found.length > 0 || members.length > 0) return found;
  return [{ kind: "bootstrap", name: "what the file does", at: { file, line: 1 } }];
};

/** What an extension does to its plugin. */
export const extensionFindings = (reader: CodeReader, file: string, owner: string): readonly Finding[] => {
  const parsed = reader.parse(file);
  const exported = "source" in parsed ? exportsOf(parsed.source).get("") : undefined;
  const found = exported ? tell("extension", owner, statementsOf(resolved(reader, exported))) : [];
  return found.length > 0 ? found : [{ kind: "extension", name: owner, at: { file, line: 1 } }];
};
