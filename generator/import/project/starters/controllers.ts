/** Core controllers that add populate to clients' queries. */
import { Node, SyntaxKind } from "ts-morph";
import { exportedMembers } from "../code/members.ts";
import { placeOf } from "../code/parse.ts";
import type { Value } from "../code/value-type.ts";
import { valueOf } from "../code/value.ts";
import type { StrapiProject } from "../project.ts";
import { keyText } from "../settings/setting.ts";
import type { Piece } from "./piece.ts";
import { isPopulate, type Schemas } from "./populate.ts";

const CONTROLLER = /^src\/api\/([^/]+)\/controllers\/([^/]+)\.\w+$/;
const ACTIONS: ReadonlySet<string> = new Set(["find", "findOne"]);

/** A value as TypeScript; undefined if only running the code reveals it. */
const literalText = (value: Value): string | undefined => {
  if (value.kind === "literal") return JSON.stringify(value.value);
  if (value.kind === "variable" || value.kind === "unknown") return undefined;
  const parts =
    value.kind === "list"
      ? value.items.map(literalText)
      : [...value.members].map(([name, member]) => {
          const text = literalText(member);
          return text === undefined ? undefined : `${keyText(name)}: ${text}`;
        });
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length) return undefined;
  return value.kind === "list" ? `[${known.join(", ")}]` : `{ ${known.join(", ")} }`;
};

/** The `populate` in a function: assigned to the query, or a member of an object. */
const populatesIn = (node: Node): readonly Node[] => [
  ...node
    .getDescendantsOfKind(SyntaxKind.BinaryExpression)
    .filter((each) => /\bquery\.populate$/.test(each.getLeft().getText()) && each.getOperatorToken().getText() === "=")
    .map((each) => each.getRight()),
  ...node.getDescendantsOfKind(SyntaxKind.PropertyAssignment).flatMap((each) => {
    const value = each.getName() === "populate" ? each.getInitializer() : undefined;
    const isOutermost = each.getAncestors().every((other) => !Node.isPropertyAssignment(other) || other === node);
    return value && isOutermost ? [value] : [];
  }),
];

const callsCore = (node: Node, action: string): boolean => new RegExp(`\\bsuper\\.${action}\\(`).test(node.getText());

/** A default query for each core controller action whose populate is readable and valid. */
export const controllerPieces = ({ files, reader }: StrapiProject, schemas: Schemas): readonly Piece[] =>
  files.flatMap((file) => {
    const [, api, name] = CONTROLLER.exec(file) ?? [];
    const uid = `api::${api}.${name}`;
    if (!schemas.types.has(uid)) return [];
    return exportedMembers(reader, file).flatMap((member): readonly Piece[] => {
      if (!ACTIONS.has(member.name) || !callsCore(member.node, member.name)) return [];
      const [populate, ...more] = populatesIn(member.node);
      if (populate === undefined) return [];
      const value = valueOf(reader, populate);
      const text = more.length === 0 && isPopulate(schemas, uid, value) ? literalText(value) : undefined;
      return [
        {
          uid,
          section: "queries",
          key: member.name,
          code: text === undefined ? `${member.name}: {}` : `${member.name}: { populate: ${text} }`,
          at: placeOf(member.whole),
          original: member.whole.getText(),
          remark:
            text === undefined
              ? "Set populate: name here what it has to be. It holds where clients send none."
              : "Set populate: that is done, where clients send none. Look at what else it did.",
        },
      ];
    });
  });
