import type { ModelIndex } from "../attributes/common.ts";
import type { Model } from "../model/model.ts";

/** The GraphQL names that several attributes give to their enumerations. */
const sharedEnums = ({ contentTypes, components }: Model): ReadonlySet<string> => {
  const names = [...contentTypes, ...components].flatMap(({ attributes }) =>
    attributes.flatMap((attribute) => (attribute.kind === "scalar" ? (attribute.graphqlEnum?.name ?? []) : [])),
  );
  return new Set(names.filter((name, position) => names.indexOf(name) !== position));
};

const byUid = <Item extends { readonly uid: string }>(items: readonly Item[]): ((uid: string) => Item) => {
  const known = new Map(items.map((item) => [item.uid, item]));
  return (uid) => {
    const found = known.get(uid);
    if (found === undefined) throw new Error(`the model has nothing with the uid "${uid}"`);
    return found;
  };
};

export const indexModel = (model: Model): ModelIndex => {
  const shared = sharedEnums(model);
  return {
    contentType: byUid(model.contentTypes),
    component: byUid(model.components),
    isSharedEnum: (name) => shared.has(name),
  };
};
