/** SQL that rewrites components inside JSON columns. An expression is undefined where nothing changes. */
import { type Change, pairedAttributes } from "./change.ts";
import type { Pairing } from "./correspondence.ts";
import { type Connection, connect, isEmptied, leavingFields } from "./field-moves.ts";
import { newFields } from "./fill-defaults.ts";
import { rewriteScalar } from "./json-scalar.ts";
import { entryWith, type Fields, guard, indent, withFields } from "./json-sql.ts";
import { pointsElsewhere } from "./move-links.ts";
import type { AttributeOutline } from "./snapshot.ts";
import { literal } from "./sql.ts";
import { type Draft, dare } from "./step.ts";

type Json = Extract<AttributeOutline, { kind: "component" | "dynamiczone" }>;

type Taken = ReadonlySet<string>;
const nothing: Taken = new Set();

const isMany = (attribute: AttributeOutline): boolean =>
  attribute.kind === "dynamiczone" ||
  (attribute.kind === "component" && attribute.repeatable === true) ||
  (attribute.kind === "media" && attribute.multiple === true) ||
  (attribute.kind === "relation" && attribute.many === true);

/** Rewrites values of components for one way of a migration. */
export interface JsonRewrite {
  /**
   * What becomes of the value `value` of an attribute that holds components; `place` names it to people, and `taken` are
   * fields of a single component whose values are elsewhere already.
   */
  attribute(before: Json, after: Json, value: string, place: string, taken?: Taken): string | undefined;
}

/** The object with values at their new places in it and in its single components, before anything else changes. */
const rearrange = (object: string, connections: readonly Connection[], pairing: Pairing): string => {
  const source = ({ from: { child, field } }: Connection): string =>
    `${object} -> ${child === undefined ? "" : `${literal(child)} -> `}${literal(field)}`;
  const incoming = (child: string | undefined): Fields =>
    connections.filter(({ to }) => to.child === child).map((each) => [each.to.field, source(each)]);
  const children = new Set(connections.flatMap(({ to }) => to.child ?? []));
  const entries = [...children].map((child): readonly [string, string] => {
    const known = pairing.attributes.find((pair) => pair.new === child)?.old;
    const entry = known === undefined ? undefined : `${object} -> ${literal(known)}`;
    return [known ?? child, entryWith(entry, incoming(child))];
  });
  return withFields(object, [...incoming(undefined), ...entries]);
};

export const jsonRewrite = (change: Change, draft: Draft): JsonRewrite => {
  let aliases = 0;
  const alias = (prefix: string): string => `${prefix}${++aliases}`;
  const { components, contentTypes } = change.correspondence;
  const componentUid = new Map(components.map(({ old, new: is }) => [old, is]));
  const typeUid = new Map(contentTypes.map(({ old, new: is }) => [old, is]));
  const renamedTypes = contentTypes.filter(({ old, new: is }) => old !== is);

  /** A single value becomes a list, or a list its first value. */
  const reshape = (before: AttributeOutline, after: AttributeOutline, value: string, place: string) => {
    if (isMany(before) === isMany(after)) return undefined;
    if (isMany(after)) return `json_build_array(${value})`;
    dare(
      draft,
      `narrow:${place}`,
      `${place} becomes a single value: only the first of several would be kept`,
      `all but the first of ${place}`,
    );
    return `${value} -> 0`;
  };

  /** Polymorphic relations name the type of each document. */
  const retype = (attribute: AttributeOutline, value: string): string | undefined => {
    if (attribute.kind !== "relation" || attribute.target !== undefined || renamedTypes.length === 0) return undefined;
    const one = (item: string) => {
      const cases = renamedTypes.map(
        ({ old, new: is }) =>
          `when ${literal(old)} then json_build_object('documentId', ${item} -> 'documentId', '__type', ${literal(is)}::text)`,
      );
      return `case ${item} ->> '__type' ${cases.join(" ")} else ${item} end`;
    };
    return isMany(attribute) ? items(value, [], one) : one(value);
  };

  const field = (
    before: AttributeOutline,
    after: AttributeOutline,
    value: string,
    place: string,
    taken: Taken,
  ): string | undefined => {
    if (isJson(before) && isJson(after)) return attribute(before, after, value, place, taken);
    if (before.kind === "scalar" && after.kind === "scalar")
      return rewriteScalar(change.hints.get(place), draft, before, after, value, place);
    if (pointsElsewhere(before, after, typeUid)) {
      const reason = `${place} points to other documents than before: its links would be dropped`;
      dare(draft, `drop:${place}`, reason, `every link of ${place}`);
      return "null";
    }
    if (before.kind === after.kind) return reshape(before, after, value, place) ?? retype(after, value);
    const reason = `${place} changes from ${before.kind} to ${after.kind}: its values would be emptied`;
    dare(draft, `drop:${place}`, reason, `every value of ${place}`);
    return "null";
  };

  /** One component object, without the fields that are `taken`. */
  const object = (old: string, given: string, taken = nothing): string | undefined => {
    const uid = componentUid.get(old);
    const [before, after] = [change.old.components[old], change.next.components[uid ?? ""]];
    const pairing = components.find((each) => each.old === old);
    if (uid === undefined || !before || !after || !pairing) return undefined;
    const connections = connect(change, draft, pairing, {
      before: before.attributes,
      after: after.attributes,
      isRow: false,
    });
    const value = connections.length > 0 ? rearrange(given, connections, pairing) : given;
    const fields = alias("fields");
    const paired = pairedAttributes(pairing.attributes, before, after);
    const keys = paired
      .filter(({ pair }) => pair.old !== pair.new)
      .map(({ pair }) => `when ${literal(pair.old)} then ${literal(pair.new)}`);
    const values = paired.flatMap(({ pair, before: was, after: is }) => {
      const leaving = leavingFields(connections, pair.old);
      const changed = field(was, is, `${fields}.value`, `${uid}.${pair.new}`, leaving);
      return changed === undefined ? [] : [`when ${literal(pair.old)} then ${guard(`${fields}.value`, changed)}`];
    });
    const kept = new Set(paired.map(({ pair }) => pair.old));
    const gone = Object.entries(before.attributes).filter(([name]) => !kept.has(name));
    for (const [name, attribute] of gone) {
      const isMoved =
        taken.has(name) ||
        connections.some(({ from }) => from.child === undefined && from.field === name) ||
        isEmptied(connections, name, attribute, change.old.components);
      if (isMoved) continue;
      const reason = `field ${name} of component ${uid} would be dropped with all its values`;
      dare(draft, `drop:${uid}.${name}`, reason, `every value of ${uid}.${name}`);
    }
    const come = newFields(change, pairing);
    const complete = (text: string): string => (come.length === 0 ? text : withFields(text, come));
    if (keys.length === 0 && values.length === 0 && gone.length === 0) {
      return value === given && come.length === 0 ? undefined : complete(value);
    }
    const key = keys.length > 0 ? `case ${fields}.key ${keys.join(" ")} else ${fields}.key end` : `${fields}.key`;
    const content =
      values.length > 0
        ? `case ${fields}.key ${indent(values.join("\n"))}\n  else ${fields}.value end`
        : `${fields}.value`;
    const names = gone.map(([name]) => literal(name));
    const where = names.length > 0 ? `\n  where ${fields}.key not in (${names.join(", ")})` : "";
    return complete(
      `(select json_object_agg(${key}, ${content} order by ${fields}.position)\n` +
        `  from json_each(${indent(value)}) with ordinality as ${fields} (key, value, position)${where})`,
    );
  };

  const withName = (uid: string, value: string): string => {
    const fields = alias("fields");
    return (
      `(select json_object_agg(${fields}.key, ${fields}.value order by ${fields}.position)\n` +
      `  from (\n    select '__component' as key, to_json(${literal(uid)}::text) as value, 0 as position\n    union all\n` +
      `    select * from json_each(${indent(indent(value))}) with ordinality as each_field (key, value, position)\n` +
      `    where key <> '__component'\n  ) as ${fields})`
    );
  };

  const withoutName = (value: string): string => {
    const fields = alias("fields");
    return (
      `(select json_object_agg(${fields}.key, ${fields}.value order by ${fields}.position)\n` +
      `  from json_each(${indent(value)}) with ordinality as ${fields} (key, value, position)\n  where ${fields}.key <> '__component')`
    );
  };

  /** The components of a zone that have no place any more, where they may go. */
  const leaving = (before: readonly string[], stays: (uid: string) => boolean, place: string): string[] =>
    before.filter((old) => {
      const uid = componentUid.get(old);
      if (uid !== undefined && stays(uid)) return false;
      const reason = `entries of ${old} in ${place} would be dropped`;
      return dare(draft, `drop:${place}.${old}`, reason, `entries of ${old} in ${place}`);
    });

  /** Items of a list, each by `rewrite`, without those that name one of the components that are `gone`. */
  const items = (value: string, gone: readonly string[], rewrite: (item: string) => string | undefined) => {
    const name = alias("items");
    const item = `${name}.value`;
    const rewritten = rewrite(item);
    if (rewritten === undefined && gone.length === 0) return undefined;
    const where = gone.length > 0 ? `\n  where ${item} ->> '__component' not in (${gone.map(literal).join(", ")})` : "";
    return (
      `(select coalesce(json_agg(${indent(rewritten ?? item)} order by ${name}.position), '[]')\n` +
      `  from json_array_elements(${indent(value)}) with ordinality as ${name} (value, position)${where})`
    );
  };

  /** Items of a zone, by the component that each names. */
  const zone = (before: readonly string[], after: readonly string[], value: string, place: string) => {
    const gone = leaving(before, (uid) => after.includes(uid), place);
    return items(value, gone, (item) => {
      const cases = before.flatMap((old) => {
        const uid = componentUid.get(old);
        if (uid === undefined || !after.includes(uid)) return [];
        const changed = object(old, item);
        const named = old === uid ? changed : withName(uid, changed ?? item);
        return named === undefined ? [] : [`when ${literal(old)} then ${named}`];
      });
      if (cases.length === 0) return undefined;
      return `case ${item} ->> '__component' ${indent(cases.join("\n"))}\n  else ${item} end`;
    });
  };

  /** A zone becomes a component: entries of that component go on, without its name in them. */
  const unzone = (
    { components: before }: Extract<Json, { kind: "dynamiczone" }>,
    after: Extract<Json, { kind: "component" }>,
    value: string,
    place: string,
  ): string => {
    const gone = leaving(before, (uid) => uid === after.component, place);
    const kept = before.find((old) => componentUid.get(old) === after.component);
    if (kept === undefined) return "null";
    return items(value, gone, (item) => withoutName(object(kept, item) ?? item)) ?? value;
  };

  const attribute = (before: Json, after: Json, value: string, place: string, taken = nothing): string | undefined => {
    if (before.kind === "dynamiczone") {
      if (after.kind === "dynamiczone") return zone(before.components, after.components, value, place);
      const list = unzone(before, after, value, place);
      return list === "null" ? list : (reshape(before, after, list, place) ?? list);
    }
    const isSame = after.kind === "component" && componentUid.get(before.component) === after.component;
    const joins = after.kind === "dynamiczone" && after.components.includes(componentUid.get(before.component) ?? "");
    if (!isSame && !joins) {
      const target = after.kind === "component" ? after.component : "a dynamic zone without it";
      dare(
        draft,
        `drop:${place}`,
        `${place} changes from ${before.component} to ${target}: its values would be emptied`,
        `every value of ${place}`,
      );
      return "null";
    }
    const uid = componentUid.get(before.component) ?? before.component;
    const one = (item: string): string | undefined => {
      const changed = object(before.component, item, isMany(before) ? nothing : taken);
      return joins ? withName(uid, changed ?? item) : changed;
    };
    if (isMany(before)) {
      const list = items(value, [], one);
      return isMany(after) ? list : (reshape(before, after, list ?? value, place) ?? list);
    }
    const single = one(value);
    return isMany(after) ? `json_build_array(${single ?? value})` : single;
  };

  return { attribute };
};

export const isJson = (attribute: AttributeOutline): attribute is Json =>
  attribute.kind === "component" || attribute.kind === "dynamiczone";
