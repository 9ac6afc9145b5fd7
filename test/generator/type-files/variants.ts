/** An application with one option of one descriptor changed, for each option. */
import { getTableColumns, is } from "drizzle-orm";
import { PgColumn, type PgTable } from "drizzle-orm/pg-core";
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

/** Another value; undefined: the option is left out. Where something is stored is answered by another place of `table`. */
const otherThan = (name: string, value: unknown, table: PgTable | undefined): unknown => {
  if (name === "type") return value === "timestamp" ? "json" : "timestamp";
  if (name === "link") return table;
  if (is(value, PgColumn)) return Object.values(table ? getTableColumns(table) : {}).find((each) => each !== value);
  if (name === "relation" && typeof value === "string") return RELATIONS[value];
  if (name === "inverse") return undefined;
  if (name === "kind") return value === "singleType" ? "collectionType" : "singleType";
  if (name === "draftAndPublish" || name === "localized") return typeof value === "boolean" ? !value : value;
  if (typeof value === "string") return `${value}x`;
  if (Array.isArray(value)) return value.length > 0 ? value.slice(1) : ["no.such"];
  return undefined;
};

/** Paths have the one name in single types and the other in collection types. */
const isIdleName = (options: Options, name: string): boolean =>
  "kind" in options && name === (options["kind"] === "singleType" ? "pluralName" : "singularName");

/** The built-in types are not recorded: nothing leads there. */
const isBuiltIn = (target: unknown): boolean => typeof target === "string" && target.startsWith("plugin::");

/** What is private is in no answer: nothing shows whether there are several of it. */
const isAsked = (options: Options, name: string): boolean =>
  !isIdleName(options, name) && !isBuiltIn(options["target"]) && (options["private"] !== true || name === "private");

/** Flags are there or not; facts about a whole type are true or false. */
const changedOptions = (
  options: Options,
  isAttribute: boolean,
  table?: PgTable,
): readonly (readonly [string, Options])[] =>
  Object.entries(options)
    .filter(([name]) => isAsked(options, name))
    .map(([name, value]) => {
      const other = isAttribute && typeof value === "boolean" ? undefined : otherThan(name, value, table);
      const { [name]: _, ...rest } = options;
      return [name, other === undefined ? rest : { ...rest, [name]: other }];
    });

const attributesChanged = (
  attributes: Readonly<Record<string, object>>,
  table?: PgTable,
): readonly (readonly [string, Options])[] =>
  Object.entries(attributes).flatMap(([attribute, options]) =>
    changedOptions({ ...options }, true, table).map(
      ([option, changed]) => [`${attribute}.${option}`, { ...attributes, [attribute]: changed }] as const,
    ),
  );

/** What is made here is no descriptor any more as far as the compiler goes. */
const applied = (application: Application, part: "contentTypes" | "components", uid: string, change: Options) =>
  ({
    ...application,
    [part]: { ...application[part], [uid]: { ...(application[part][uid as never] as object), ...change } },
  }) as Application;

/** Another table with the same columns: what was worked out for a table before is not taken for it. */
const copyOf = (table: PgTable): PgTable =>
  Object.create(Object.getPrototypeOf(table), Object.getOwnPropertyDescriptors(table));

/** All variants of the descriptors of the project's own types and components. */
export const variants = (application: Application): readonly Variant[] => {
  const found: Variant[] = [];
  for (const [uid, { type }] of Object.entries(application.contentTypes).filter(([each]) => !isBuiltIn(each))) {
    const { table, attributes, ...facts } = type;
    const add = (option: string, changed: Options): void => {
      found.push({ option: `${uid} ${option}`, changed: applied(application, "contentTypes", uid, { type: changed }) });
    };
    for (const [option, changed] of changedOptions(facts, false)) add(option, { table, attributes, ...changed });
    for (const [option, changed] of attributesChanged(attributes, table))
      add(option, { ...type, table: copyOf(table), attributes: changed });
  }
  for (const [uid, { component }] of Object.entries(application.components)) {
    for (const [option, attributes] of attributesChanged(component.attributes)) {
      const changed = applied(application, "components", uid, { component: { ...component, attributes } });
      found.push({ option: `${uid} ${option}`, changed });
    }
  }
  return found;
};
