/** `ref`, `refId` and `field` of an upload: puts the new files into a media attribute of an entry. */
import { eq, sql } from "drizzle-orm";
import type { Caller } from "../auth/caller.ts";
import type { Attribute, ContentType, MediaAttribute } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { build, run } from "../database/statements.ts";
import { ForbiddenError, ValidationError } from "../errors.ts";
import type { Services } from "../services.ts";
import { checkAllowedTypes } from "./allowed-types.ts";

/** A media attribute of one version of a document. */
export interface Target {
  readonly type: ContentType;
  readonly name: string;
  readonly attribute: MediaAttribute;
  readonly versionId: number;
}

const isUid = (text: string): text is ContentType["uid"] => /^[^:]+::[^.]+\..+$/.test(text);

/** A row id in the range of the column. */
export const parseId = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= 2_147_483_647 ? Number(text) : undefined;

/**
 * Finds what an upload is to be attached to; undefined when it names nothing.
 *
 * @throws ValidationError when the type, field or id makes no sense; ForbiddenError when the caller may not change the entry
 */
export const readTarget = (
  { registry }: Pick<Services, "registry">,
  caller: Caller,
  { ref, refId, field }: { readonly ref?: string; readonly refId?: string; readonly field?: string },
): Target | undefined => {
  if (ref === undefined && refId === undefined && field === undefined) return undefined;
  if (!ref || !refId || !field) throw new ValidationError("ref, refId and field are needed together");
  if (!isUid(ref) || !registry.has(ref)) throw new ValidationError(`ref: no content type has the uid "${ref}"`);
  const type = registry.contentType(ref);
  const attribute = mediaAttribute(type, field);
  if (!attribute) throw new ValidationError(`field: "${field}" is no media attribute of ${ref}`);
  const versionId = parseId(refId);
  if (versionId === undefined) throw new ValidationError("refId must be the numeric id of an entry");
  if (!caller.can(`${ref}.update`)) throw new ForbiddenError();
  return { type, name: field, attribute, versionId };
};

const mediaAttribute = (type: ContentType, name: string): MediaAttribute | undefined => {
  const attributes: Readonly<Record<string, Attribute>> = type.attributes;
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.type === "media" && attribute.writable !== false ? attribute : undefined;
};

/** The entry stays as it is while files are put into it. */
const lock = async (session: Session, { type, versionId }: Target): Promise<void> => {
  const version = build
    .select({ id: type.table.id })
    .from(type.table)
    .where(eq(type.table.id, versionId))
    .for("update");
  const rows = await run(session, version);
  if (rows.length === 0) throw new ValidationError(`refId: ${type.uid} has no entry with the id ${versionId}`);
};

/**
 * Puts a file into the attribute: in place of the one that is there, or at the end of a list.
 *
 * @throws ValidationError when the entry does not exist or the attribute does not take files of this type
 */
export const attachFile = async (
  services: Pick<Services, "config">,
  session: Session,
  target: Target,
  fileId: number,
): Promise<void> => {
  const { attribute, name, type, versionId } = target;
  const use = { path: [name], fileIds: [fileId], allowedTypes: attribute.allowedTypes };
  await checkAllowedTypes(services, session, [use]);
  await lock(session, target);
  if ("link" in attribute) {
    const { link } = attribute;
    const position = sql<number>`(select coalesce(max(${link.position}), -1) + 1 from ${link} where ${eq(link.versionId, versionId)})`;
    await run(session, build.insert(link).values({ versionId, fileId, position }));
  } else {
    await run(
      session,
      build
        .update(type.table)
        .set({ [name]: fileId })
        .where(eq(type.table.id, versionId)),
    );
  }
};
