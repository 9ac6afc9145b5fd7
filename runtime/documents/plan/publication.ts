/** Publishes a draft. An existing published version is updated, so that its row keeps its id. */
import { remembering } from "../../base/remembering.ts";
import type { Session } from "../../database/database.ts";
import type { ContentType, Json } from "../../schema/content-type.ts";
import { membersOf, type Schema } from "../../schema/validation/members.ts";
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
import { insertVersion, updateVersion } from "../sql/put.ts";
import type { LoadedVersion, Version } from "../sql/version.ts";
import { entityOf } from "./entity.ts";
import { copyEntries, countStored } from "./entries.ts";
import { planLocales } from "./locales.ts";
import type { Plan } from "./plan.ts";
import { checkUniqueness } from "./uniqueness.ts";

export interface Publication {
  readonly links: LockedLinks;
  /** The draft as it will be stored. */
  readonly draft: Version;
  /** All versions of the document. */
  readonly versions: readonly LoadedVersion[];
  /** Whether the draft's files are copied to the drafts of other locales. */
  readonly files: boolean;
  /** The links of the draft; at least those of the attributes in {@link requiredNames}. */
  readonly draftLinks: LinkKeys;
  /** The only attributes in which the draft may have links; all of them by default. */
  readonly linked?: ReadonlySet<string> | undefined;
  readonly time: string;
}

const parse = (stored: unknown): Json => (typeof stored === "string" ? JSON.parse(stored) : null);

/** The values of a version as those of another; component entries get new ids. */
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
    // The position in the inverse list is known only after the draft has been stored.
    if (status === "draft" && isToOne(attribute) && attribute.inversePosition) copied[`${name}:position`] = null;
  }
  return copied;
};

/** The attributes that a validator has to see for publishing: all, if application code has extended it. */
export const requiredNames = ({ registry }: WriteServices, type: ContentType): readonly string[] =>
  (registry.isExtended(type.uid) ? namesIn : requiredIn)(registry.validator(type.uid));

const namesIn = (schema: Schema): readonly string[] => [...membersOf(schema).keys()];

const requiredIn = remembering((schema: Schema): readonly string[] =>
  [...membersOf(schema)].flatMap(([name, { required }]) => (required ? [name] : [])),
);

/** Plans what follows after storing the draft. Throws the contract's ValidationError if it must not be published. */
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
  const steps = [
    ...(await planLocales(session, source, { documentId, version: draft, versions, files })),
    (before ? updateVersion : insertVersion)(type, documentId, version, copied),
    ...planTakeOvers(published, version, before),
    ...planInversePublication(published, linked !== undefined),
    ...(await planLocales(session, source, { documentId, version, versions, files: true })),
  ];
  return { type, documentId, version, before: inLocale, uniqueness, steps };
};
