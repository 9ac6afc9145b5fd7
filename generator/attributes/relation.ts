/** Relations: a column with the target's documentId, a link table, or nothing if the other side stores it. */
import type { RelationAttribute } from "../model/model.ts";
import { commonView, type ModelIndex, options } from "./common.ts";
import { memberAccess, propertyKey, stringLiteral } from "./literal.ts";

const quoted = (text: string | undefined): string => (text === undefined ? "" : stringLiteral(text));

const columnView = (key: string | undefined, column: string | undefined) =>
  key !== undefined &&
  column !== undefined && { key: propertyKey(key), member: memberAccess(key), column: stringLiteral(column) };

const isMorphInverse = ({ relation }: RelationAttribute): boolean =>
  relation === "morphOne" || relation === "morphMany";

const storageView = (attribute: RelationAttribute) => {
  const { storage, relation, inverse } = attribute;
  const column = storage?.kind === "column" ? storage : undefined;
  const by = storage?.kind === "inverse" ? stringLiteral(storage.by) : "";
  return {
    /** The column's name, or below the link table's constant. */
    column: quoted(column?.column),
    /** The other columns that a relation may have. */
    type: columnView(column?.typeKey, column?.typeColumn),
    position: columnView(column?.positionKey, column?.positionColumn),
    /** The target's attribute for the other side, if the target can have only one such link. */
    inverse: column && relation === "oneToOne" ? quoted(inverse) : "",
    link: storage?.kind === "link" ? storage.tableConst : "",
    mappedBy: isMorphInverse(attribute) ? "" : by,
    morphBy: isMorphInverse(attribute) ? by : "",
  };
};

export const relationView = (attribute: RelationAttribute, index: ModelIndex) => {
  const { relation, target, many, required } = attribute;
  const names = target === undefined ? undefined : index.contentType(target).names;
  const common = commonView(attribute, { absent: many ? "optional" : "nullish", promises: false });
  return {
    kind: "relation" as const,
    ...common,
    inGraphql: common.inGraphql && !isMorphInverse(attribute),
    relation: stringLiteral(relation),
    target: quoted(target),
    many,
    ...storageView(attribute),
    options: options({ min: many && required ? 1 : undefined }),
    /** The target's interface, and its GraphQL name. */
    document: names?.interface ?? "MorphDocument",
    graphql: quoted(names?.graphql),
  };
};
