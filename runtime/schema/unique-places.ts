/**
 * The places of unique attributes within components. A place is the path of attributes to it, including the component
 * in a zone. No two entries at the same place may have the same value.
 */
import type { Attributes } from "./attributes.ts";
import type { ComponentUid, ContentType, Field } from "./content-type.ts";
import type { Declarations } from "./declarations.ts";
import type { Condition } from "./validation/conditional.ts";
import { membersOf } from "./validation/members.ts";

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
export const uniquePlacesOf = (
  { components }: Pick<Declarations, "components">,
  { attributes }: ContentType,
): readonly UniquePlace[] => stepsOf(attributes).flatMap((step) => placesBelow(components, [step]));
