/** Links to drafts for people without an account: who makes and ends them, and the preview that they open. */
import type { Context } from "hono";
import { z } from "zod";
import type { Caller } from "../access/caller.ts";
import { membersOf, onlyThese, readBody, text } from "../accounts/body-check.ts";
import { ForbiddenError, HttpError, invalidKey, NotFoundError, ValidationError } from "../base/errors.ts";
import type { Config } from "../config/config.ts";
import { writtenLocale } from "../documents/operations/parameters.ts";
import type { AppEnv, Feature, Services } from "../http/context.ts";
import { checked } from "../http/rest/checked.ts";
import { formatOf, parsedQueryOf } from "../http/rest/exchange.ts";
import { can, everyone, type Router, router } from "../http/rest/router.ts";
import { AnswerSize, jsonOf } from "../query/index.ts";
import { createLink, endLink, findLink, listLinks, openLink } from "./links.ts";
import { type Beside, readShared, type Shared } from "./reader.ts";
import { shareLinks } from "./tables.ts";

export type Sharing = NonNullable<Config["sharing"]>;

const CREATE = "plugin::sharing.link.create";
const DAY = 86_400_000;

/** Milliseconds by which the clock of a client may be ahead of the server's. */
const AHEAD = 300_000;

const place = { uid: text, documentId: text, locale: z.string().optional() };
export const placeQuery = z.strictObject(place);
export const newLink = onlyThese({ ...place, expiresAt: z.iso.datetime({ offset: true }) });

const sharedIn = ({ config, registry }: Services, { uid, documentId, locale }: z.infer<typeof placeQuery>): Shared => {
  if (!uid.startsWith("api::") || !registry.has(uid)) throw new ValidationError(`There is no content type "${uid}"`);
  const type = registry.contentType(uid);
  return { type, documentId, locale: writtenLocale(config, type, locale) };
};

/** A time in the future, within the days that the configuration allows. */
const expiryIn = ({ maxDays }: Sharing, given: string): Date => {
  const expiresAt = new Date(given);
  const left = expiresAt.getTime() - Date.now();
  if (left <= 0 || left > maxDays * DAY + AHEAD)
    throw new ValidationError(`expiresAt: expected a time within the next ${maxDays} days`, { key: "expiresAt" });
  return expiresAt;
};

const besideIn = ({ auth }: Services, { related }: Sharing): Beside => ({ visitor: auth.known(undefined), related });

/** @throws NotFoundError if the caller may not read the document, or there is none */
const demandReadable = async (services: Services, caller: Caller, shared: Shared, sharing: Sharing): Promise<void> => {
  const query = { fields: ["documentId"] };
  if (!(await readShared(services, caller, shared, { query, beside: besideIn(services, sharing) })))
    throw new NotFoundError();
};

/** The maker of a link with current rights; undefined for one who may no longer log in or make links. */
const makerOf = async ({ auth }: Services, earlier: Parameters<Services["auth"]["again"]>[0]) => {
  try {
    const maker = await auth.again(earlier);
    return maker.can(CREATE) ? maker : undefined;
  } catch (error) {
    if (error instanceof HttpError && error.status < 500) return undefined;
    throw error;
  }
};

/** Neither caches nor search engines keep what a link shows, and the page that shows it sends its address to nobody. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex",
  "Content-Type": "application/json; charset=utf-8",
};

/** What the client asks for beside the token, which is a parameter or a header. */
const askedIn = (c: Context<AppEnv>) => {
  const { token = c.req.header("x-preview-token"), fields, populate, ...others } = parsedQueryOf(c);
  const [other] = Object.keys(others);
  if (other !== undefined) throw invalidKey(other, { source: "query", path: other });
  return { token: typeof token === "string" ? token : "", query: { fields, populate } };
};

const preview = (sharing: Sharing) => async (c: Context<AppEnv>) => {
  const services = c.get("services");
  const { token, query } = askedIn(c);
  const link = await openLink(services, token);
  const maker = link && (await makerOf(services, link.maker));
  const asked = { query, beside: besideIn(services, sharing) };
  const document = maker && (await readShared(services, maker, link.shared, asked).catch(withoutRights));
  if (!link || !document) throw new NotFoundError("This link has ended");
  const { type, documentId, locale } = link.shared;
  const meta = { uid: type.uid, documentId, locale, expiresAt: link.expiresAt };
  const data = jsonOf(document, { format: formatOf(c), size: new AnswerSize(services.config.limits.answerSize) });
  return c.body(`{"data":${data},"meta":${JSON.stringify(meta)}}`, 200, HEADERS);
};

/** A maker who has lost the right to read is as good as gone. */
const withoutRights = (error: unknown): null => {
  if (error instanceof ForbiddenError) return null;
  throw error;
};

export const linkRoutes = (sharing: Sharing): Router =>
  router()
    .get("/preview", everyone(), preview(sharing))
    .get("/share-links", can(CREATE), async (c) => {
      const services = c.get("services");
      const shared = sharedIn(services, checked(placeQuery, c.req.query()));
      await demandReadable(services, c.get("caller"), shared, sharing);
      return c.json({ data: await listLinks(services, shared) });
    })
    .post("/share-links", can(CREATE), async (c) => {
      const services = c.get("services");
      const { expiresAt, ...wanted } = readBody(newLink, membersOf(c.get("body"))["data"]);
      const shared = sharedIn(services, wanted);
      const expiry = expiryIn(sharing, expiresAt);
      await demandReadable(services, c.get("caller"), shared, sharing);
      return c.json({ data: await createLink(services, c.get("caller"), shared, expiry) }, 201);
    })
    .delete("/share-links/:id", can(CREATE), async (c) => {
      const services = c.get("services");
      const id = c.req.param("id");
      const link = await findLink(services, id);
      if (!link) throw new NotFoundError();
      await demandReadable(services, c.get("caller"), link.shared, sharing);
      await endLink(services, id);
      return c.body(null, 204);
    });

export const sharingFeature = (sharing: Sharing): Feature => ({ tables: [shareLinks], routes: linkRoutes(sharing) });
