/** Copies a document. */
import { isRecord } from "../../base/is-record.ts";
import { send } from "../../database/statement.ts";
import type { Attribute, ContentType, Field } from "../../schema/content-type.ts";
import type { Registry } from "../../schema/registry.ts";
import type { Data } from "../../schema/validation/check.ts";
import { type Attributed, attributesOf } from "../attributes.ts";
import { componentUid } from "../body/parse.ts";
import { takesOver } from "../links/reach.ts";
import { hasStoredLinks, loadLinks } from "../links/relations.ts";
import { entityOf } from "../plan/version-values.ts";
import { loadVersions, readVersion } from "../sql/version.ts";
import type { Done, OperationContext, OperationRequest } from "./context.ts";
import { deletedLocales } from "./parameters.ts";
import { create, update } from "./write.ts";

/** Left out are hashes of passwords, links that the other side stores, and those that only one document can have. */
const isCopied = (attribute: Attribute | Field): boolean =>
  attribute.type !== "password" &&
  !("mappedBy" in attribute || "morphBy" in attribute || ("column" in attribute && takesOver(attribute)));

/** Stored values as a body, with the declared attributes only. */
const bodyOf = (registry: Registry, { attributes }: Attributed, data: Data): Data => {
  const entryOf = (attribute: Attribute | Field, entry: unknown): unknown => {
    const uid = attribute.type === "component" ? attribute.component : componentUid({ registry }, entry);
    if (!isRecord(entry) || uid === undefined) return entry;
    const named = attribute.type === "component" ? {} : { __component: uid };
    return { ...named, ...bodyOf(registry, registry.component(uid), entry) };
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, attribute]) => {
      const value = data[name];
      if (value === undefined || !isCopied(attribute)) return [];
      if (attribute.type !== "component" && attribute.type !== "dynamiczone") return [[name, value]];
      return [[name, Array.isArray(value) ? value.map((each) => entryOf(attribute, each)) : entryOf(attribute, value)]];
    }),
  );
};

/**
 * Creates a document with the values of another: of its draft, or of its only version. `data` replaces values, `locale`
 * names the locales to copy as for a deletion. The result is empty if there is no such document.
 */
export const clone = (
  context: OperationContext,
  type: ContentType,
  documentId: string,
  { data, query }: OperationRequest,
): Promise<readonly Done[]> =>
  context.services.inUnit(async (services) => {
    const { config, database, registry } = services;
    const status = type.draftAndPublish ? "draft" : "published";
    const locales = deletedLocales(config, type, query["locale"]);
    const versions = (await send(database, loadVersions(type, [documentId.replaceAll("\0", "")])))
      .map((row) => readVersion(type, row))
      .filter((each) => each.status === status && (each.locale === null || locales?.includes(each.locale) !== false));
    const linked = attributesOf(type).flatMap(([name, attribute]) => (hasStoredLinks(attribute) ? [name] : []));
    const done: Done[] = [];
    for (const version of versions) {
      const { locale } = version;
      const links = await loadLinks(database, { services, type, ...version }, linked);
      const stored = entityOf(type, version, links);
      const request = { data: { ...bodyOf(registry, type, stored), ...data }, query: { status, locale } };
      const [first] = done;
      const inside = { ...context, services };
      const written = await (first ? update(inside, type, first.documentId, request) : create(inside, type, request));
      if (written) done.push(written);
    }
    return done;
  });
