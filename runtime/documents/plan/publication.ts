/** Publishing a draft: the published version is changed in place, so its id stays. */
import type { Session } from "../../database/database.ts";
import type { ContentType, Json } from "../../schema/content-type.ts";
import { membersOf } from "../../schema/validation/members.ts";
import { attributesOf, isComponent, isToOne } from "../attributes.ts";
import { checkVersion } from "../body/check.ts";
import type { WriteServices } from "../context.ts";
import {
  type LinkContext,
  type LinkKeys,
  linksFrom,
  type LockedLinks,
  planInversePublication,
  planTakeOvers,
} from "../links/relations.ts";
import { insertVersion, updateVersion } from "../sql/put-version.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { entityOf } from "./entity.ts";
import { copyEntries, countStored } from "./entries.ts";
import { planLocales } from "./locales.ts";
import type { Plan } from "./plan.ts";
import { checkUniqueness } from "./uniqueness.ts";

export interface Publication {
  readonly links: LockedLinks;
  /** The draft as it is going to be stored. */
  readonly draft: Version;
  /** All versions that there are. */
  readonly versions: readonly LoadedVersion[];
  /** Whether the drafts in other locales get its files. */
  readonly files: boolean;
  /** The links of the draft, of the attributes that {@link requiredNames} names at least. */
  readonly draftLinks: LinkKeys;
  /** The attributes with links that the draft has at most; all of them when left out. */
  readonly linked?: ReadonlySet<string> | undefined;
  readonly time: string;
}

const parse = (stored: unknown): Json => (typeof stored === "string" ? JSON.parse(stored) : null);

/** The values of one version for another: components get ids of their own. */
export const copyValues = async (
  session: Session,
  { source }: LinkContext,
  { values, status }: Version,
): Promise<Version["values"]> => {
  const { services, type } = source;
  const components = attributesOf(type).flatMap(([name, attribute]) =>
    isComponent(attribute) ? [{ name, attribute, stored: parse(values[name]) }] : [],
  );
  const count = components.reduce((sum, { stored }) => sum + countStored(stored), 0);
  const nextId = await services.componentIds.take(session, count);
  const copied: Record<string, Version["values"][string]> = { ...values };
  for (const { name, attribute, stored } of components) {
    const copy = copyEntries(services, attribute, stored, nextId);
    copied[name] = copy === null ? null : JSON.stringify(copy);
  }
  for (const [name, attribute] of attributesOf(type)) {
    // Its place in the other side's list is known once the draft is stored.
    if (status === "draft" && isToOne(attribute) && attribute.inversePosition) copied[`${name}:position`] = null;
  }
  return copied;
};

/** Attributes that have to be there once it is published. */
export const requiredNames = (services: WriteServices, type: ContentType): readonly string[] =>
  [...membersOf(services.registry.validator(type.uid))].flatMap(([name, { required }]) => (required ? [name] : []));

/** Plans what follows the storing of the draft. Throws the contract's ValidationError when it may not be published. */
export const planPublication = async (session: Session, publication: Publication): Promise<Plan> => {
  const { links, draft, versions, files, draftLinks, linked, time } = publication;
  const { source, documentId } = links;
  const { services, type, locale } = source;
  const inLocale = versions.filter((each) => each.locale === locale);
  const before = inLocale.find((each) => each.status === "published");
  const values = await copyValues(session, links, draft);
  const version: Version = { ...draft, status: "published", publishedAt: time, values };
  const errors = checkVersion(links.source, entityOf(type, version, draftLinks));
  const uniqueness = await checkUniqueness(session, services, errors, { type, documentId, version, before, versions });
  const published: LockedLinks = { ...links, status: "published" };
  const copied = linksFrom(type, "draft").filter(({ name }) => linked?.has(name) !== false);
  const statements = [
    ...(await planLocales(session, source, { documentId, version: draft, versions, files })),
    (before ? updateVersion : insertVersion)(type, documentId, version, copied),
    ...planTakeOvers(published, version, before),
    ...planInversePublication(published),
    ...(await planLocales(session, source, { documentId, version, versions, files: true })),
  ];
  return { type, documentId, version, before: inLocale, uniqueness, statements };
};
