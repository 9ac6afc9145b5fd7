/** An application with one option of one descriptor changed, for each option. */
import type { Application } from "../../../runtime/app/application.ts";

export interface Variant {
  readonly option: string;
  readonly changed: Application;
}

type Options = Readonly<Record<string, unknown>>;

const RELATIONS: Readonly<Record<string, string>> = {
  oneToOne: "oneToMany",
  oneToMany: "oneToOne",
  manyToOne: "manyToMany",
  manyToMany: "manyToOne",
  morphToOne: "morphToMany",
  morphToMany: "morphToOne",
  morphOne: "morphMany",
  morphMany: "morphOne",
};

/** Another value; undefined: the option is left out. */
const otherThan = (name: string, value: unknown): unknown => {
  if (name === "relation" && typeof value === "string") return RELATIONS[value];
  if (name === "inverse") return undefined;
  if (name === "kind") return value === "singleType" ? "collectionType" : "singleType";
  if (name === "draftAndPublish" || name === "localized") return typeof value === "boolean" ? !value : value;
  if (typeof value === "string") return `${value}x`;
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ["no.such"];
  return undefined;
};

/**
 * What is shown elsewhere: the compiler ties attributes to what they are and where they are stored, see
 * `test/types/descriptors.ts`, and `locales.test.ts` follows what locales share through sequences of writes.
 */
const ELSEWHERE: ReadonlySet<string> = new Set(["type", "column", "link", "typeColumn"]);
const isElsewhere = (name: string, isAttribute: boolean): boolean =>
  ELSEWHERE.has(name) || (isAttribute && name === "localized");

/** Paths have the one name in single types and the other in collection types. */
const isIdleName = (options: Options, name: string): boolean =>
  "kind" in options && name === (options["kind"] === "singleType" ? "pluralName" : "singularName");

/** What is private is in no answer: nothing shows whether there are several of it. */
const isAsked = (options: Options, name: string, isAttribute: boolean): boolean =>
  !isElsewhere(name, isAttribute) && !isIdleName(options, name) && (options["private"] !== true || name === "private");

/** Flags are there or not; facts about a whole type are true or false. */
const changedOptions = (options: Options, isAttribute: boolean): readonly (readonly [string, Options])[] =>
  Object.entries(options)
    .filter(([name]) => isAsked(options, name, isAttribute))
    .map(([name, value]) => {
      const other = isAttribute && typeof value === "boolean" ? undefined : otherThan(name, value);
      const { [name]: _, ...rest } = options;
      return [name, other === undefined ? rest : { ...rest, [name]: other }];
    });

const attributesChanged = (attributes: Readonly<Record<string, object>>): readonly (readonly [string, Options])[] =>
  Object.entries(attributes).flatMap(([attribute, options]) =>
    changedOptions({ ...options }, true).map(
      ([option, changed]) => [`${attribute}.${option}`, { ...attributes, [attribute]: changed }] as const,
    ),
  );

const isOurs = (uid: string): boolean => !uid.startsWith("plugin::");

/** What is made here is no descriptor any more as far as the compiler goes. */
const applied = (application: Application, part: "contentTypes" | "components", uid: string, change: Options) =>
  ({
    ...application,
    [part]: { ...application[part], [uid]: { ...(application[part][uid as never] as object), ...change } },
  }) as Application;

/** All variants of the descriptors of the project's own types and components. */
export const variants = (application: Application): readonly Variant[] => {
  const found: Variant[] = [];
  for (const [uid, { type }] of Object.entries(application.contentTypes).filter(([each]) => isOurs(each))) {
    const { table, attributes, ...facts } = type;
    const add = (option: string, changed: Options): void => {
      found.push({ option: `${uid} ${option}`, changed: applied(application, "contentTypes", uid, { type: changed }) });
    };
    for (const [option, changed] of changedOptions(facts, false)) add(option, { table, attributes, ...changed });
    for (const [option, changed] of attributesChanged(attributes)) add(option, { ...type, attributes: changed });
  }
  for (const [uid, { component }] of Object.entries(application.components)) {
    for (const [option, attributes] of attributesChanged(component.attributes)) {
      const changed = applied(application, "components", uid, { component: { ...component, attributes } });
      found.push({ option: `${uid} ${option}`, changed });
    }
  }
  return found;
};
