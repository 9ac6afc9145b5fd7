/** What a snapshot keeps of the model: enough to tell a change of meaning from an addition plus a removal. */
import type { Attribute, Model } from "../../model/model.ts";
import { isForAll } from "../hints.ts";
import { swapsIn } from "../names/swaps.ts";
import type { AttributeOutline, Snapshot } from "../snapshot.ts";

const outline = (attribute: Attribute): AttributeOutline => {
  switch (attribute.kind) {
    case "scalar":
      return {
        kind: "scalar",
        type: attribute.type,
        column: attribute.column,
        ...(attribute.enum ? { enum: [...attribute.enum] } : {}),
      };
    case "component":
      return {
        kind: "component",
        component: attribute.component,
        ...(attribute.repeatable ? { repeatable: true } : {}),
        column: attribute.column,
      };
    case "dynamiczone":
      return { kind: "dynamiczone", components: [...attribute.components], column: attribute.column };
    case "media":
      return { kind: "media", ...(attribute.multiple ? { multiple: true } : {}), ...stored(attribute.storage) };
    case "relation":
      return {
        kind: "relation",
        relation: attribute.relation,
        ...(attribute.many ? { many: true } : {}),
        ...(attribute.target === undefined ? {} : { target: attribute.target }),
        ...stored(attribute.storage),
        ...(attribute.storage?.kind === "column" ? columnsOf(attribute.storage) : {}),
        ...(attribute.storage?.kind === "inverse" ? { storedBy: attribute.storage.by } : {}),
      };
  }
};

type Storage = Extract<Attribute, { kind: "relation" }>["storage"];

const stored = (storage: Storage) => {
  if (storage?.kind === "column") return { column: storage.column };
  return storage?.kind === "link" ? { link: storage.table } : {};
};

const columnsOf = ({ positionColumn, typeColumn }: Extract<Storage, { kind: "column" }>) => ({
  ...(positionColumn === undefined ? {} : { positionColumn }),
  ...(typeColumn === undefined ? {} : { typeColumn }),
});

const attributesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name, outline(attribute)]));

const placesOf = (
  owners: readonly Pick<Model["components"][number], "uid" | "attributes">[],
  isMeant: (attribute: Attribute) => boolean,
): string[] =>
  owners.flatMap(({ uid, attributes }) => attributes.filter(isMeant).map(({ name }) => `${uid}.${name}`)).sort();

/** Unconditionally required attributes: one with a condition may be missing. */
const requiredOf = ({ contentTypes, components }: Model): string[] =>
  placesOf([...contentTypes, ...components], ({ required, condition }) => required && condition === undefined);

/** Relations are stored for each locale, whatever the schema says. */
const sharedOf = ({ contentTypes }: Model): string[] | undefined => {
  const localized = contentTypes.filter((type) => type.localized);
  return localized.length === 0
    ? undefined
    : placesOf(localized, (attribute) => attribute.kind !== "relation" && !attribute.localized);
};

const defaultsOf = ({ contentTypes, components }: Model): Snapshot["defaults"] => {
  const found = [...contentTypes, ...components].flatMap(({ uid, attributes }) =>
    attributes.flatMap((attribute) =>
      attribute.kind === "scalar" && isForAll(attribute) ? [[`${uid}.${attribute.name}`, attribute.default]] : [],
    ),
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
};

type Outline = Pick<
  Snapshot,
  "contentTypes" | "components" | "required" | "shared" | "defaults" | "single" | "history" | "swapped"
>;

const uidsOf = ({ contentTypes }: Model, isMeant: (type: Model["contentTypes"][number]) => boolean): string[] =>
  contentTypes
    .filter(isMeant)
    .map(({ uid }) => uid)
    .sort();

/**
 * The content types and components of a snapshot; which attributes are required, shared by locales or single; which types
 * keep versions; and what swaps names.
 */
export const outlineModel = (model: Model): Outline => {
  const [shared, defaults, swapped] = [sharedOf(model), defaultsOf(model), swapsIn(model)];
  const history = uidsOf(model, (type) => type.history !== undefined);
  return {
    contentTypes: Object.fromEntries(
      model.contentTypes.map(({ uid, names, draftAndPublish, localized, attributes }) => [
        uid,
        { table: names.table, draftAndPublish, localized, attributes: attributesOf(attributes) },
      ]),
    ),
    components: Object.fromEntries(
      model.components.map(({ uid, attributes }) => [uid, { attributes: attributesOf(attributes) }]),
    ),
    required: requiredOf(model),
    ...(shared === undefined ? {} : { shared }),
    ...(defaults === undefined ? {} : { defaults }),
    single: uidsOf(model, ({ kind }) => kind === "singleType"),
    ...(history.length === 0 ? {} : { history }),
    ...(swapped === undefined ? {} : { swapped }),
  };
};
