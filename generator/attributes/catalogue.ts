/** The one place that says what an attribute becomes, whatever its type, in each generated file. */
import type { Attribute } from "../model/model.ts";
import { component, dynamicZone } from "./component.ts";
import type { AttributeEntry, ColumnIndex, DocumentMember, TableRef, Scope } from "./entry.ts";
import type { Expression, Property } from "./expression.ts";
import { media } from "./media.ts";
import { relation } from "./relation.ts";
import { scalar } from "./scalar.ts";
import { isStructured, structured } from "./structured.ts";

/** An {@link AttributeEntry} with its attribute filled in. */
export interface DescribedAttribute {
  columns(scope: Scope): readonly Property[];
  indexes(): readonly ColumnIndex[];
  descriptor(owner: TableRef | undefined, scope: Scope): Expression;
  validator(scope: Scope): Expression;
  document(scope: Scope): DocumentMember;
  graphql(scope: Scope): Expression | undefined;
}

const bind = <Kind extends Attribute>(entry: AttributeEntry<Kind>, attribute: Kind): DescribedAttribute => ({
  columns: (scope) => entry.columns(attribute, scope),
  indexes: () => entry.indexes(attribute),
  descriptor: (owner, scope) => entry.descriptor(attribute, owner, scope),
  validator: (scope) => entry.validator(attribute, scope),
  document: (scope) => entry.document(attribute, scope),
  graphql: (scope) => entry.graphql(attribute, scope),
});

/** The catalogue's entry of an attribute. */
export const describe = (attribute: Attribute): DescribedAttribute => {
  switch (attribute.kind) {
    case "scalar":
      return bind(isStructured(attribute.type) ? structured : scalar, attribute);
    case "media":
      return bind(media, attribute);
    case "relation":
      return bind(relation, attribute);
    case "component":
      return bind(component, attribute);
    case "dynamiczone":
      return bind(dynamicZone, attribute);
  }
};
