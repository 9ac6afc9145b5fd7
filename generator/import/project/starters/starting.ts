/** Startup and shutdown code. */
import { Node } from "ts-morph";
import { exportedMembers } from "../code/members.ts";
import { placeOf } from "../code/parse.ts";
import { resolved } from "../code/resolve.ts";
import type { StrapiProject } from "../project.ts";
import type { Piece } from "./piece.ts";

const PLACES: ReadonlyMap<string, "bootstrap" | "destroy"> = new Map([
  ["register", "bootstrap"],
  ["bootstrap", "bootstrap"],
  ["destroy", "destroy"],
]);

const isEmpty = (node: Node): boolean => {
  const body = Node.isBodyable(node) || Node.isArrowFunction(node) ? node.getBody() : undefined;
  return body === undefined || (Node.isBlock(body) && body.getStatements().length === 0);
};

/** One piece for each non-empty function of `src/index`. */
export const startingPieces = ({ files, reader }: StrapiProject): readonly Piece[] =>
  files
    .filter((file) => /^src\/index\.[cm]?[jt]s$/.test(file))
    .flatMap((file) => exportedMembers(reader, file))
    .flatMap((member): readonly Piece[] => {
      const key = PLACES.get(member.name);
      if (key === undefined || isEmpty(resolved(reader, member.node))) return [];
      return [
        {
          uid: undefined,
          section: "starting",
          key,
          code: `${key}({ services }) {\n  services.log.warn("${key} is not written yet");\n}`,
          at: placeOf(member.whole),
          original: member.whole.getText(),
          remark: "Writes to the log until it is written.",
        },
      ];
    });
