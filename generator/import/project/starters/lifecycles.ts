/** Lifecycles: a hook for each that has an equivalent here. */
import { type Node, SyntaxKind } from "ts-morph";
import { exportedMembers, type Member } from "../code/members.ts";
import { type CodeReader, isCode, placeOf } from "../code/parse.ts";
import { resolved } from "../code/resolve.ts";
import { subscriptionsOf } from "../findings/calls.ts";
import type { StrapiProject } from "../project.ts";
import type { Piece } from "./piece.ts";

const FILLING: ReadonlySet<string> = new Set(["beforeCreate", "beforeUpdate"]);

/** `data.slug`, `event.params.data.slug`, `params.data["slug"]`. */
const FILLED = /(?:^|\.)data(?:\.([\w$]+)|\[["']([^"']+)["']\])$/;

/** The attributes that a function assigns to. */
const filledBy = (node: Node): readonly string[] => [
  ...new Set(
    node.getDescendantsOfKind(SyntaxKind.BinaryExpression).flatMap((each) => {
      if (each.getOperatorToken().getText() !== "=") return [];
      const [, dotted, quoted] = FILLED.exec(each.getLeft().getText()) ?? [];
      const name = dotted ?? quoted;
      return name === undefined ? [] : [name];
    }),
  ),
];

const LATER: ReadonlySet<string> = new Set(["afterCreate", "afterUpdate", "afterDelete"]);

const codeOf = (uid: string, name: string): string | undefined => {
  if (FILLING.has(name)) return `${name}: ({ data }) => data`;
  if (name === "beforeDelete") return "beforeDelete: () => {}";
  if (!LATER.has(name)) return undefined;
  return `${name}({ services }) {\n  services.log.warn("${name} of ${uid} is not written yet");\n}`;
};

const remarkOf = (name: string, filled: readonly string[]): string => {
  if (LATER.has(name)) return "Writes to the log until it is written.";
  if (filled.length === 0) return "Changes nothing until it is written.";
  return `Filled ${filled.join(", ")}: return the data with ${filled.length === 1 ? "it" : "them"}, { ...data, … }.`;
};

const pieceOf = (reader: CodeReader, uid: string, { name, node, whole }: Member): readonly Piece[] => {
  const code = codeOf(uid, name);
  if (code === undefined) return [];
  const filled = FILLING.has(name) ? filledBy(resolved(reader, node)) : [];
  const common = { at: placeOf(whole), original: whole.getText(), remark: remarkOf(name, filled) };
  return [{ ...common, uid, section: "hooks", key: name, code }];
};

const LIFECYCLES = /^src\/(api|extensions)\/([^/]+)\/content-types\/([^/]+)\/lifecycles\.\w+$/;

/** A hook for each lifecycle of the imported types, and for each that code subscribes to. */
export const lifecyclePieces = ({ files, reader }: StrapiProject, uids: ReadonlySet<string>): readonly Piece[] =>
  files.filter(isCode).flatMap((file) => {
    const [, folder, owner, type] = LIFECYCLES.exec(file) ?? [];
    const uid = `${folder === "api" ? "api" : "plugin"}::${owner}.${type}`;
    const members = uids.has(uid) ? exportedMembers(reader, file).map((member) => ({ models: [uid], member })) : [];
    return [...members, ...subscriptionsOf(reader, file)].flatMap(({ models, member }) =>
      models.filter((model) => uids.has(model)).flatMap((model) => pieceOf(reader, model, member)),
    );
  });
