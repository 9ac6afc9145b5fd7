/** Turns what is stored of a document into a body that would write it again. */
import { sql } from "drizzle-orm";
import { isRecord } from "../../base/is-record.ts";
import { requiredText, send, statementOf } from "../../database/database.ts";
import type { Attribute, ContentType, Field } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import type { Data } from "../../schema/validation/check.ts";
import { isInt4 } from "../../schema/validation/numbers.ts";
import { type Attributed, attributesOf } from "../attributes.ts";
import { componentUid } from "../body/parse.ts";
import { hasStoredLinks, loadLinks } from "../links/relations.ts";
import { entityOf } from "../plan/version-values.ts";
import type { Version } from "../sql/version.ts";
import type { OperationContext } from "./context.ts";

/** Omits password hashes, and links that the other side stores. */
const isCopied = (attribute: Attribute | Field): boolean =>
  attribute.type !== "password" && !("mappedBy" in attribute || "morphBy" in attribute);

/** Whether the document or file with the id of a reference exists. */
type IsThere = (id: string) => boolean;

const idOf = (reference: unknown): string =>
  String(isRecord(reference) ? (reference["documentId"] ?? reference["id"]) : reference);

/** The types of attributes whose list holds items, and is not a value. */
const LISTS: ReadonlySet<string> = new Set(["relation", "media", "component", "dynamiczone"]);

/** Stored values as a body, with the declared attributes only. */
const bodyOf = (registry: Registry, { attributes }: Attributed, data: Data, isThere: IsThere): Data => {
  const valueOf = (attribute: Attribute | Field, value: unknown): unknown => {
    switch (attribute.type) {
      case "relation":
      case "media":
        return isThere(idOf(value)) ? value : null;
      case "json":
        // In a body, a text is JSON that has to be parsed.
        return typeof value === "string" ? JSON.stringify(value) : value;
      case "component":
      case "dynamiczone": {
        const uid = attribute.type === "component" ? attribute.component : componentUid({ registry }, value);
        if (!isRecord(value) || uid === undefined) return value;
        const named = attribute.type === "component" ? {} : { __component: uid };
        return { ...named, ...bodyOf(registry, registry.component(uid), value, isThere) };
      }
      default:
        return value;
    }
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = data[name];
      if (value === undefined || !isCopied(attribute)) return [];
      const isList = Array.isArray(value) && LISTS.has(attribute.type);
      if (!isList) return [[name, value === null ? null : valueOf(attribute, value)]];
      return [[name, value.map((each) => valueOf(attribute, each)).filter((each) => each !== null)]];
    }),
  );
};

/** Those documents of a type that the caller may not read, if rules limit which it may. */
const hiddenAmong = async (
  { services: { database, queries, registry }, caller }: OperationContext,
  uid: string,
  documentIds: readonly string[],
): Promise<readonly string[]> => {
  const type = registry.has(uid) ? registry.contentType(uid) : undefined;
  const limit = type && queries.limitFor(caller, type, "find");
  if (!limit) return [];
  const statement = statementOf(
    type.table,
    `hidden ${limit.key}`,
    () => sql`select given.id from unnest(${sql.placeholder("documentIds")}::text[]) as given(id)
      where not exists (select 1 from (${limit.rows}) as allowed where allowed.document_id = given.id)`,
  );
  const rows = await send(database, { statement, values: { ...limit.values, documentIds } });
  return rows.map(([id]) => requiredText(id));
};

/** Values and links in the form of a body, without references to what is gone, or the caller may not read. */
export const withoutGone = async (context: OperationContext, type: ContentType, stored: Data): Promise<Data> => {
  const { database, registry } = context.services;
  const ids: string[] = [];
  bodyOf(registry, type, stored, (id) => ids.push(id) > 0);
  const there = await database.rows(
    "select document_id, type from documents where document_id = any($1::text[]) union all select id::text, '' from files where id = any($2::int[])",
    [ids, ids.map(Number).filter(isInt4)],
  );
  const found = new Set(there.map(([id]) => requiredText(id)));
  for (const uid of context.caller.rows ? new Set(there.map(([, of]) => requiredText(of))) : []) {
    const ofType = there.filter(([, of]) => of === uid).map(([id]) => requiredText(id));
    for (const id of await hiddenAmong(context, uid, ofType)) found.delete(id);
  }
  return bodyOf(registry, type, stored, (id) => found.has(id));
};

/**
 * The values and links of a version. References within components remain when their target is deleted; they are omitted
 * here.
 */
export const storedBody = async (context: OperationContext, type: ContentType, version: Version): Promise<Data> => {
  const { services } = context;
  const linked = attributesOf(type).flatMap(([name, attribute]) => (hasStoredLinks(attribute) ? [name] : []));
  const links = await loadLinks(services.database, { services, type, ...version }, linked);
  return withoutGone(context, type, entityOf(type, version, links));
};
