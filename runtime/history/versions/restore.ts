/** Restores versions through the same operations as any other write, with its checks, hooks and events. */
import { getTableName, sql } from "drizzle-orm";
import { isListed } from "../../access/field-lists.ts";
import { ForbiddenError, NotFoundError } from "../../base/errors.ts";
import { identifier } from "../../base/identifier.ts";
import { run, type Session } from "../../database/database.ts";
import { faultOf } from "../../database/fault.ts";
import { attributeOf, attributesOf, isScalar } from "../../documents/attributes.ts";
import type { Done, OperationContext, OperationRequest } from "../../documents/operations/context.ts";
import { create, findSingleId, update } from "../../documents/operations/index.ts";
import { withoutGone } from "../../documents/operations/stored-body.ts";
import { fromColumn } from "../../documents/plan/values.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Data } from "../../schema/validation/check.ts";
import type { KeptRow } from "./rows.ts";
import { presentValues } from "./stored.ts";
import { documentVersions as versions } from "./tables.ts";

/** Whether the caller may write an attribute. A restore leaves other attributes unchanged. */
const mayWrite = ({ caller }: OperationContext, type: ContentType, name: string): boolean => {
  const attribute = attributeOf(type, name);
  if (!attribute || !isListed(caller.fields, type.uid, name, "write")) return false;
  if (caller.kind === "system") return true;
  if (attribute.writable === false) return false;
  if (attribute.type !== "relation") return true;
  return "target" in attribute && attribute.target
    ? caller.can(`${attribute.target}.find`)
    : attribute.relation !== "morphToOne";
};

/** The values of a version in the form of a body, without references to what is gone. */
const dataOf = async (context: OperationContext, type: ContentType, { content }: KeptRow): Promise<Data> => {
  const values = presentValues(type, content);
  const given = attributesOf(type).flatMap(([name, attribute]): [string, unknown][] => {
    const value = values.get(name);
    if (value === undefined || !mayWrite(context, type, name)) return [];
    const form = isScalar(attribute) && typeof value !== "object" && attribute.type !== "json";
    return [[name, form ? fromColumn(attribute, value as string) : value]];
  });
  return withoutGone(context, type, Object.fromEntries(given));
};

/** Records which version was restored. */
const noteIn =
  ({ uid }: ContentType, kept: KeptRow) =>
  async (session: Session, documentId: string): Promise<void> => {
    const own = sql`document_id = ${documentId} and locale = ${kept.locale ?? ""} and type = ${uid}`;
    await run(
      session,
      sql`update ${versions} set restored = ${kept.info.id} where id = (select max(id) from ${versions} where ${own})`,
    );
  };

/** Whether another request has created the document meanwhile: its id is taken, or its first version. */
const isThere = ({ table }: ContentType, error: unknown): boolean => {
  const fault = faultOf(error);
  const own = identifier(getTableName(table), "version", "key");
  return fault?.code === "23505" && (fault.table === "documents" || fault.constraint === own);
};

const demand = ({ caller }: OperationContext, { uid }: ContentType, action: "create" | "update"): void => {
  if (!caller.can(`${uid}.${action}`)) throw new ForbiddenError();
};

/** Maximum attempts while other requests delete or restore the document. */
const ATTEMPTS = 5;

/**
 * Restores a version as the draft in its locale or, in a type without drafts, as the only version. A deleted document
 * is created again with the same id.
 */
export const restore = async (
  context: OperationContext,
  type: ContentType,
  kept: KeptRow,
  { data, query }: OperationRequest,
): Promise<Done> => {
  const { locale } = kept;
  const { status: _status, locale: _locale, ...rest } = query;
  const where = {
    ...rest,
    ...(locale === null ? {} : { locale }),
    ...(type.draftAndPublish ? { status: "draft" } : {}),
  };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const given = { ...(await dataOf(context, type, kept)), ...data };
    const request = { data: given, query: where, anyLocale: true, also: noteIn(type, kept) };
    const single = type.kind === "singleType" ? await findSingleId(context.services.database, type) : undefined;
    const documentId = single ?? kept.documentId;
    demand(context, type, "update");
    const changed = await update(context, type, documentId, request);
    if (changed) return changed;
    demand(context, type, "create");
    try {
      return await create(context, type, { ...request, newId: documentId });
    } catch (error) {
      if (!isThere(type, error)) throw error;
    }
  }
  throw new NotFoundError();
};
