/** Lifecycles that fill attributes. */
import { type Node, SyntaxKind } from "ts-morph";
import { exportedMembers } from "../code/members.ts";
import { placeOf } from "../code/parse.ts";
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

const LIFECYCLES = /^src\/api\/([^/]+)\/content-types\/([^/]+)\/lifecycles\.\w+$/;

/** A hook for each lifecycle that fills attributes of the types that are taken over. */
export const lifecyclePieces = ({ files, reader }: StrapiProject, uids: ReadonlySet<string>): readonly Piece[] =>
  files.flatMap((file) => {
    const [, api, type] = LIFECYCLES.exec(file) ?? [];
    const uid = `api::${api}.${type}`;
    if (!uids.has(uid)) return [];
    return exportedMembers(reader, file).flatMap((member): readonly Piece[] => {
      const filled = FILLING.has(member.name) ? filledBy(member.node) : [];
      if (filled.length === 0) return [];
      return [
        {
          uid,
          section: "hooks",
          key: member.name,
          code: `${member.name}: ({ data }) => data`,
          at: placeOf(member.whole),
          original: member.whole.getText(),
          remark: `Filled ${filled.join(", ")}: return the data with ${filled.length === 1 ? "it" : "them"}, { ...data, … }.`,
        },
      ];
    });
  });
