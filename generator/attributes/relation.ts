/** Relations: a column with the target's documentId, a link table, or nothing if the other side stores it. */
import type { RelationAttribute } from "../model/model.ts";
import { commonView, type ModelIndex, options } from "./common.ts";
import { memberAccess, propertyKey, stringLiteral } from "./literal.ts";
import type { ColumnView, RelationView } from "./view.ts";

const quoted = (text: string | undefined): string => (text === undefined ? "" : stringLiteral(text));

const columnView = (key: string | undefined, column: string | undefined): ColumnView | false =>
  key !== undefined &&
  column !== undefined && { key: propertyKey(key), member: memberAccess(key), column: stringLiteral(column) };

const isMorphInverse = ({ relation }: RelationAttribute): boolean =>
  relation === "morphOne" || relation === "morphMany";

const storageView = (attribute: RelationAttribute) => {
  const { storage, relation, inverse } = attribute;
  const column = storage?.kind === "column" ? storage : undefined;
  const by = storage?.kind === "inverse" ? stringLiteral(storage.by) : "";
  return {
    column: quoted(column?.column),
    type: columnView(column?.typeKey, column?.typeColumn),
    position: columnView(column?.positionKey, column?.positionColumn),
    inverse: column && relation === "oneToOne" ? quoted(inverse) : "",
    link: storage?.kind === "link" ? storage.tableConst : "",
    mappedBy: isMorphInverse(attribute) ? "" : by,
    morphBy: isMorphInverse(attribute) ? by : "",
  };
};

export const relationView = (attribute: RelationAttribute, index: ModelIndex): RelationView => {
  const { relation, target, many, required } = attribute;
  const names = target === undefined ? undefined : index.contentType(target).names;
  const common = commonView(attribute, { absent: many ? "optional" : "nullish", promises: false });
  return {
    kind: "relation",
    ...common,
    inGraphql: common.inGraphql && !isMorphInverse(attribute),
    relation: stringLiteral(relation),
    target: quoted(target),
    many,
    ...storageView(attribute),
    options: options({ min: many && required ? 1 : undefined }),
    document: names?.interface ?? "MorphDocument",
    graphql: quoted(names?.graphql),
  };
};
