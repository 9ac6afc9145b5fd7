/** Declarations of content types and components, looked up by uid, and the places of unique attributes in them. */
import { isRecord } from "../base/is-record.ts";
import { remembering } from "../base/remembering.ts";
import { SetupError } from "../base/thrown.ts";
import type { Attributes } from "./attributes.ts";
import type { Component, ComponentUid, ContentType, Field, Uid } from "./content-type.ts";
import { isUid } from "./uid.ts";
import type { Condition } from "./validation/conditional.ts";
import { membersOf, type Schema } from "./validation/members.ts";

/** A content type with its validator. */
export interface DeclaredType {
  readonly type: ContentType;
  /** What a published document must satisfy. */
  readonly validator: Schema;
  /** What a draft must satisfy; for types with drafts. */
  readonly draftValidator?: Schema;
}

/** A component with its validator. */
export interface DeclaredComponent {
  readonly component: Component;
  readonly validator: Schema;
}

/** Everything that a project declares, by uid. */
export interface Declarations {
  readonly contentTypes: Readonly<Record<Uid, DeclaredType>>;
  readonly components: Readonly<Record<ComponentUid, DeclaredComponent>>;
}

/** A step from an entry, or the version itself, to the entries of one component in an attribute. */
export interface Step {
  readonly name: string;
  readonly component: ComponentUid;
  readonly kind: "single" | "list" | "zone";
}

/** The place of a unique attribute. */
export interface UniquePlace {
  readonly steps: readonly [Step, ...Step[]];
  readonly name: string;
  /** If it is false for an entry, the attribute is not checked. */
  readonly condition: Condition | undefined;
}

const stepsOf = (members: Attributes): readonly Step[] =>
  Object.entries(members).flatMap(([name, member]): Step[] => {
    if (member.type === "component") {
      return [{ name, component: member.component, kind: member.repeatable ? "list" : "single" }];
    }
    if (member.type !== "dynamiczone") return [];
    return member.components.map((component) => ({ name, component, kind: "zone" }));
  });

const isUnique = (member: Field): boolean => ("unique" in member && member.unique === true) || member.type === "uid";

/** The places below a step. Recursive components are followed only once. */
const placesBelow = (
  components: Declarations["components"],
  steps: readonly [Step, ...Step[]],
  visited: ReadonlySet<ComponentUid> = new Set(),
): readonly UniquePlace[] => {
  const uid = steps.at(-1)?.component;
  const module = uid === undefined || visited.has(uid) ? undefined : components[uid];
  if (uid === undefined || !module) return [];
  const members: Readonly<Record<string, Field>> = module.component.attributes;
  const conditions = membersOf(module.validator);
  const own = Object.entries(members).flatMap(([name, member]): UniquePlace[] =>
    isUnique(member) ? [{ steps, name, condition: conditions.get(name)?.condition }] : [],
  );
  const seen = new Set([...visited, uid]);
  return [...own, ...stepsOf(members).flatMap((step) => placesBelow(components, [...steps, step], seen))];
};

/** The places of unique attributes in the components of a content type. */
const uniquePlacesOf = (
  { components }: Pick<Declarations, "components">,
  { attributes }: ContentType,
): readonly UniquePlace[] => stepsOf(attributes).flatMap((step) => placesBelow(components, [step]));

/** Looks up declarations. Throws for unknown uids, which would be a bug of the caller. */
export type Registry = ReturnType<typeof createRegistry>;

/** Changes that application code makes to the validators of a content type. */
export interface ValidatorChanges<Publish = Schema, Draft = Schema> {
  /** Returns what published documents must satisfy, given what the schema file says. */
  publish?(schema: Publish): Schema;
  /** The same for drafts. */
  draft?(schema: Draft): Schema;
}

/** Declarations as extended by application code. */
export interface ExtendedDeclarations extends Declarations {
  readonly extensions?: Readonly<Record<string, { readonly validators?: ValidatorChanges } | undefined>>;
}

/** Rejects what a forgotten `return` or a transform yields, although the types exclude it: its rules would not hold. */
const returned = (schema: Schema, name: string, uid: string): Schema => {
  if (isRecord(schema) && isRecord(schema.shape)) return schema;
  throw new SetupError(`"validators.${name}" of ${uid} has to return an object schema, as \`schema.refine(…)\` does`);
};

const validatorsOf = (
  { type, validator, draftValidator = validator }: DeclaredType,
  changes: ValidatorChanges = {},
) => {
  const name = Object.keys(changes).find((each) => each !== "publish" && each !== "draft");
  if (name !== undefined)
    throw new SetupError(`"validators" of ${type.uid} has "${name}", but there are "publish" and "draft" alone`);
  return {
    publish: changes.publish ? returned(changes.publish(validator), "publish", type.uid) : validator,
    draft: changes.draft ? returned(changes.draft(draftValidator), "draft", type.uid) : draftValidator,
  };
};

/** Looks up content types and components by uid. */
export const createRegistry = ({ contentTypes, components, extensions = {} }: ExtendedDeclarations) => {
  const declared = (uid: Uid) => {
    const found = contentTypes[uid];
    if (!found) throw new Error(`No content type has the uid "${uid}".`);
    return found;
  };
  const declaredComponent = (uid: ComponentUid) => {
    const found = components[uid];
    if (!found) throw new Error(`No component has the uid "${uid}".`);
    return found;
  };
  const validators = remembering((type: DeclaredType) => validatorsOf(type, extensions[type.type.uid]?.validators));
  const placesIn = remembering((type: ContentType) => uniquePlacesOf({ components }, type));
  // Faults in the application's extensions keep the server from starting.
  for (const type of Object.values(contentTypes)) if (extensions[type.type.uid]?.validators) validators(type);
  return {
    contentTypes,
    components,
    contentType: (uid: Uid): ContentType => declared(uid).type,
    component: (uid: ComponentUid): Component => declaredComponent(uid).component,
    /** What published documents of a content type must satisfy. */
    validator: (uid: Uid): Schema => validators(declared(uid)).publish,
    /** What drafts must satisfy. */
    draftValidator: (uid: Uid): Schema => validators(declared(uid)).draft,
    /** Whether application code has extended the validators of a content type. */
    isExtended: (uid: Uid): boolean => extensions[uid]?.validators !== undefined,
    /** The validator for entries of a component. */
    componentValidator: (uid: ComponentUid): Schema => declaredComponent(uid).validator,
    /** The places of unique attributes within the components of a content type. */
    uniquePlaces: (uid: Uid): readonly UniquePlace[] => placesIn(declared(uid).type),
    /** Whether there is a content type of this uid. */
    has: (uid: string): uid is Uid => isUid(uid) && Object.hasOwn(contentTypes, uid),
  };
};
