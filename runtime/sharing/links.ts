/** The links, and the tokens that name them. */
import { createHmac, createSecretKey } from "node:crypto";
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Caller } from "../access/caller.ts";
import { callerOf, callerText } from "../access/stored-caller.ts";
import { createSigner } from "../accounts/jwt.ts";
import { createId } from "../base/create-id.ts";
import type { Secrets } from "../config/secrets.ts";
import { builder, run } from "../database/database.ts";
import { instantText, NOW } from "../database/instants.ts";
import type { Services } from "../http/context.ts";
import { documents } from "../schema/columns.ts";
import type { Shared } from "./reader.ts";
import { shareLinks as links } from "./tables.ts";

/** A key of its own: no other token of the server is a link, and no link is another token. */
const signerOf = ({ jwt }: Secrets) =>
  createSigner(createSecretKey(createHmac("sha256", jwt).update("share links").digest()));

/** Makes a link, deletes expired ones, and returns the token. */
export const createLink = async (
  { database, secrets }: Services,
  caller: Caller,
  { documentId, locale }: Shared,
  expiresAt: Date,
) => {
  const id = createId();
  await database.transaction(async (session) => {
    await run(session, builder.delete(links).where(lt(links.expiresAt, NOW)));
    await run(
      session,
      sql`insert into ${links} (id, document_id, locale, caller, created_at, expires_at)
        values (${id}, ${documentId}, ${locale ?? ""}, ${callerText(caller)}::json, ${NOW}, ${expiresAt.toISOString().slice(0, -1)}::timestamp)`,
    );
  });
  const seconds = Math.ceil((expiresAt.getTime() - Date.now()) / 1000);
  return { id, expiresAt: expiresAt.toISOString(), token: await signerOf(secrets).sign({ jti: id }, seconds) };
};

/** The links to a document in a locale that have not expired, the newest first. */
export const listLinks = async ({ database }: Services, { documentId, locale }: Shared) => {
  const { id, createdAt, expiresAt, caller } = links;
  const wanted = and(eq(links.documentId, documentId), eq(links.locale, locale ?? ""), gt(expiresAt, NOW));
  const query = builder.select({ id, createdAt, expiresAt, caller }).from(links).where(wanted);
  return (await run(database, query.orderBy(desc(createdAt), id))).map((row) => ({
    id: String(row[0]),
    createdAt: instantText(row[1]),
    expiresAt: instantText(row[2]),
    userId: callerOf(row[3]).userId ?? null,
  }));
};

/** The link with an id, if it has not expired, with the document that it leads to. */
export const findLink = async ({ database, registry }: Services, id: string) => {
  const [row] = await run(
    database,
    builder
      .select({
        documentId: links.documentId,
        locale: links.locale,
        caller: links.caller,
        type: documents.type,
        expiresAt: links.expiresAt,
      })
      .from(links)
      .innerJoin(documents, eq(documents.documentId, links.documentId))
      .where(and(eq(links.id, id), gt(links.expiresAt, NOW))),
  );
  const [documentId, locale, caller, named, expiresAt] = row ?? [];
  const uid = String(named);
  if (!registry.has(uid)) return undefined;
  const type = registry.contentType(uid);
  const shared: Shared = { type, documentId: String(documentId), locale: type.localized ? String(locale) : null };
  return { shared, maker: callerOf(caller), expiresAt: instantText(expiresAt) };
};

/** The link that a token names; undefined if the token is not ours, or the link has expired or was ended. */
export const openLink = async (services: Services, token: string) => {
  const id = (await signerOf(services.secrets).verify(token))?.jti;
  return id === undefined ? undefined : findLink(services, id);
};

/** Ends a link. */
export const endLink = ({ database }: Services, id: string): Promise<unknown> =>
  run(database, builder.delete(links).where(eq(links.id, id)));
