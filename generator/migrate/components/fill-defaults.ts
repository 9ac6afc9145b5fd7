/** Gives existing content the defaults of new required attributes, if they have one. */
import { type Change, type Findings, pairedTypes } from "../change.ts";
import type { Pairing } from "../names/pairings.ts";
import { own } from "../own.ts";
import type { AttributeOutline, ContentTypeOutline, Snapshot } from "../snapshot.ts";
import { literal, quote } from "../sql.ts";
import type { Fields } from "./json-change.ts";

/** Attributes of a type or component without a predecessor. */
export const added = (
  { correspondence }: Change,
  pairing: Pairing,
  attributes: Readonly<Record<string, AttributeOutline>>,
): readonly (readonly [name: string, attribute: AttributeOutline])[] =>
  Object.entries(attributes).filter(
    ([name]) =>
      !pairing.attributes.some((pair) => pair.new === name) &&
      !correspondence.moves.some(({ to }) => to.owner === pairing.new && to.name === name),
  );

const isInstant = ({ kind, ...rest }: AttributeOutline): boolean =>
  kind === "scalar" && "type" in rest && rest.type === "timestamp";

/** A timestamp's default may be a number of milliseconds. */
const normal = (attribute: AttributeOutline, value: unknown): unknown =>
  isInstant(attribute) && typeof value === "number" ? new Date(value).toISOString() : value;

const columnLiteral = (value: unknown): string =>
  literal(typeof value === "object" ? JSON.stringify(value) : String(value));

/** Whether it is stored as a list of entries, which the server writes even if there are none. */
const isList = (attribute: AttributeOutline): boolean =>
  attribute.kind === "dynamiczone" || (attribute.kind === "component" && attribute.repeatable === true);

/** The values that columns hold by default, as SQL, by `table.column`. */
export type Defaults = ReadonlyMap<string, string>;

export const columnDefaults = ({ contentTypes, defaults }: Snapshot): Defaults =>
  new Map(
    Object.entries(contentTypes).flatMap(([uid, { table, attributes }]) =>
      Object.entries(attributes).flatMap(([name, attribute]) => {
        const value = isList(attribute) ? [] : own(defaults, `${uid}.${name}`);
        if (attribute.column === undefined || value === undefined) return [];
        return [[`${table}.${attribute.column}`, columnLiteral(normal(attribute, value))] as const];
      }),
    ),
  );

/** Whether a column holds a value other than its default. */
export const isBeyondDefault = (table: string, name: string, type: string, defaults: Defaults): string => {
  const isThere = `${quote(name)} is not null`;
  const value = defaults.get(`${table}.${name}`);
  const comparable = type === "json" ? "jsonb" : type;
  return value === undefined ? isThere : `${isThere} and ${quote(name)}::${comparable} <> ${value}::${comparable}`;
};

/** Whether a row of a type, or a link of it, holds anything but defaults. */
export const holdsContent = ({ table, attributes }: ContentTypeOutline, old: Snapshot): string => {
  const defaults = columnDefaults(old);
  const parts = Object.values(attributes).flatMap((attribute) => {
    if (attribute.column !== undefined) {
      const type = own(own(old.tables, table)?.columns, attribute.column)?.type ?? "text";
      return [`(${isBeyondDefault(table, attribute.column, type, defaults)})`];
    }
    if (!("link" in attribute) || attribute.link === undefined) return [];
    return [`exists (select from ${quote(attribute.link)} as link where link."version_id" = ${quote(table)}."id")`];
  });
  return parts.length === 0 ? "false" : parts.join(" or ");
};

/** Columns: rows get the default as the column is added, which is instant however many rows there are. */
export const fillColumns = ({ initial }: Findings, change: Change): void => {
  for (const { pairing, after } of pairedTypes(change)) {
    for (const [name, attribute] of added(change, pairing, after.attributes)) {
      const hint = change.hints.get(`${pairing.new}.${name}`);
      if (!hint?.required || hint.default === undefined) continue;
      if (attribute.column === undefined) continue;
      initial.set(`${after.table}.${attribute.column}`, columnLiteral(normal(attribute, hint.default)));
    }
  }
};

/** The fields that component entries get. */
export const newFields = (change: Change, pairing: Pairing): Fields =>
  added(change, pairing, change.next.components[pairing.new]?.attributes ?? {}).flatMap(([name, attribute]) => {
    const hint = change.hints.get(`${pairing.new}.${name}`);
    if (!hint?.required || hint.default === undefined) return [];
    return [[name, `${literal(JSON.stringify(normal(attribute, hint.default)))}::json`] as const];
  });
