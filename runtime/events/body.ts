/** The bodies of webhooks, in the shape that receivers written for Strapi expect. */
import { system } from "../access/caller.ts";
import { requiredText } from "../database/database.ts";
import type { Attributed } from "../documents/attributes.ts";
import type { CommittedEvent } from "../documents/committed-event.ts";
import type { OperationServices } from "../documents/operations/context.ts";
import { objectOf, type RawQuery, readOne } from "../query/index.ts";
import type { ContentType } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";
import type { Claimed } from "./queue.ts";

/** How deep nested components are shown. */
const DEPTH = 5;

/** Populates the relations and files of a version, including those in its components. */
const populateOf = (registry: Registry, { attributes }: Attributed, depth = DEPTH): RawQuery => {
  const inside = (uid: Parameters<Registry["component"]>[0]) => {
    const populate = depth > 0 ? populateOf(registry, registry.component(uid), depth - 1) : {};
    return Object.keys(populate).length > 0 ? { populate } : true;
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]): [string, unknown][] => {
      if (attribute.type === "relation" || attribute.type === "media") return [[name, true]];
      if (attribute.type === "component") return [[name, inside(attribute.component)]];
      if (attribute.type !== "dynamiczone") return [];
      return [[name, { on: Object.fromEntries(attribute.components.map((uid) => [uid, inside(uid)])) }]];
    }),
  );
};

/** Events after which the version no longer exists or was replaced: they show the values that it had. */
export const GONE: ReadonlySet<string> = new Set(["entry.delete", "entry.unpublish"]);

/** The current version with its relations; nothing if it no longer exists. */
const readPopulated = async (
  services: OperationServices,
  type: ContentType,
  { documentId, locale, entry }: CommittedEvent,
): Promise<Readonly<Record<string, unknown>>> => {
  const status = type.draftAndPublish && entry["publishedAt"] === null ? "draft" : "published";
  const query = { populate: populateOf(services.registry, type), status, ...(locale === null ? {} : { locale }) };
  const found = await readOne({ services, caller: system, code: true }, type, documentId, query);
  return found ? objectOf(found) : {};
};

const contentOf = async (services: OperationServices, event: CommittedEvent): Promise<object> => {
  const { uid, entry } = event;
  if (uid === null) return { media: entry };
  if (!services.registry.has(uid)) return { uid, entry };
  const type = services.registry.contentType(uid);
  const populated = GONE.has(event.event) ? {} : await readPopulated(services, type, event);
  return { model: type.singularName, uid, entry: { ...populated, ...entry } };
};

/** The body for an event. Built once, so that every attempt sends the same bytes. */
export const bodyOf = async (services: OperationServices, { position, event, body }: Claimed): Promise<string> => {
  if (body !== null) return body;
  const made = { event: event.event, createdAt: event.createdAt, ...(await contentOf(services, event)) };
  const [row] = await services.database.rows(
    "update event_log set body = coalesce(body, $2) where position = $1 returning body",
    [position, JSON.stringify(made)],
  );
  return requiredText(row?.[0]);
};
