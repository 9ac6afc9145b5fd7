/** Plans the versions that a write stores. */
import type { Session } from "../../database/database.ts";
import type { ContentType } from "../../schema/content-type.ts";
import type { Status } from "../../schema/document.ts";
import type { Data } from "../../schema/validation/check.ts";
import { attributeOf } from "../attributes.ts";
import { checkBody, type ReadBody } from "../body/check.ts";
import type { ParsedItem } from "../body/parse.ts";
import type { SeesDrafts, Source, WriteServices } from "../context.ts";
import {
  type LinkContext,
  type LinkKeys,
  type LinkPlan,
  type LockedLinks,
  planLinks,
  planTakeOvers,
} from "../links/relations.ts";
import type { VersionChange } from "../recorders.ts";
import type { Step } from "../sql/put.ts";
import { deleteVersions, type LoadedVersion, type Version } from "../sql/version.ts";
import { inheritedNames, inheritedValues, planInheritedFiles } from "./locales.ts";
import { now, type Opened, type Plan } from "./plan.ts";
import { planCopies, planPublication, stepsOf, type Written } from "./publication.ts";
import { checkUniqueness, NOTHING_NEW } from "./uniqueness.ts";
import { buildValues, entityOf } from "./version-values.ts";

export interface WriteRequest {
  readonly type: ContentType;
  /** The document to change; undefined to create one. */
  readonly documentId: string | undefined;
  /** The id of a new document that existed before. */
  readonly newId?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale: string | null;
  /** `published` also publishes the written version, if the type has drafts. */
  readonly status: Status;
  /** Whether writing a draft also deletes the published version in this locale. */
  readonly unpublishes?: boolean | undefined;
  readonly seesDrafts: SeesDrafts;
  readonly anyLocale?: Source["anyLocale"];
  readonly readable?: Source["readable"];
}

/** The document before the write. */
export interface Present extends Opened {
  readonly isNew: boolean;
  /** The links of the draft that the write starts from. */
  readonly draftLinks: LinkKeys;
}

/** Whether the write stores a draft and then publishes it. */
export const isPublishing = ({ type, status }: Pick<WriteRequest, "type" | "status">): boolean =>
  type.draftAndPublish && status === "published";

/** The status of the version written first. */
export const writtenStatus = ({ draftAndPublish }: ContentType): Status => (draftAndPublish ? "draft" : "published");

/** The version that a new locale copies from: that of the default locale, or else the oldest. */
const siblingOf = ({ config }: WriteServices, versions: readonly LoadedVersion[]): LoadedVersion | undefined =>
  versions.find(({ locale }) => locale === config.locales.default) ?? versions[0];

/** The values that a new locale copies from another locale's version. */
const inheritedFrom = (type: ContentType, sibling: LoadedVersion, data: Data): Data => {
  const names = inheritedNames(type, data);
  return Object.fromEntries(Object.entries(entityOf(type, sibling, new Map())).filter(([name]) => names.has(name)));
};

interface Contents {
  readonly item: ParsedItem;
  readonly data: WriteRequest["data"];
  readonly stored: LoadedVersion | undefined;
  readonly sibling: LoadedVersion | undefined;
  readonly time: string;
}

/** Builds the new version from the body. */
const buildVersion = async (
  session: Session,
  links: LinkContext,
  { item, data, stored, sibling, time }: Contents,
): Promise<Version> => {
  const { services, type, documentId, locale, status, targets } = links;
  const schema = services.registry.validator(type.uid);
  return {
    documentId,
    locale,
    status,
    createdAt: stored?.createdAt ?? time,
    updatedAt: time,
    publishedAt: type.draftAndPublish ? null : time,
    values: await services.componentIds.assign(session, (nextId) => ({
      ...buildValues({ services, targets, nextId }, { source: links, schema, item, stored }),
      ...(sibling ? inheritedValues(services, type, sibling, data, nextId) : {}),
    })),
  };
};

export interface Writing {
  readonly links: LockedLinks;
  readonly body: ReadBody;
  readonly present: Present;
}

/** A planned version, without what follows from it. */
interface Planned extends Written {
  readonly version: Version;
  /** The version that it replaces. */
  readonly stored: LoadedVersion | undefined;
  readonly linkPlan: LinkPlan;
  /** Whether the body changes files. */
  readonly files: boolean;
}

/** Plans the version written first: the draft, if the type has drafts. */
const planFirst = async (
  session: Session,
  request: WriteRequest,
  { links, body, present }: Writing,
): Promise<Planned> => {
  const { type, locale, data } = request;
  const { services, status } = links;
  const alike = present.versions.filter((version) => version.status === status);
  const stored = alike.find((version) => version.locale === locale);
  const sibling = stored ? undefined : siblingOf(services, alike);
  const time = now();
  const item = await checkBody(body, {
    source: links,
    targets: links.targets,
    isNew: !stored,
    unchanged: stored ? entityOf(type, stored, present.draftLinks) : {},
    inherited: sibling ? inheritedFrom(type, sibling, data) : {},
    publishes: isPublishing(request),
    publishedAt: type.draftAndPublish ? null : `${time}Z`,
  });
  const version = await buildVersion(session, links, { item, data, stored, sibling, time });
  const linkPlan = planLinks(links, item, present.draftLinks);
  const files = [...item.links.keys()].some((name) => attributeOf(type, name)?.type === "media");
  return {
    purpose: stored ? "update" : present.isNew ? "insert with document" : "insert",
    version,
    stored,
    linkPlan,
    links: linkPlan.own,
    further: [...(sibling ? planInheritedFiles(type, sibling, data) : []), ...linkPlan.statements],
    takeOvers: planTakeOvers(type, version, stored),
    files,
  };
};

/** Plans the write of one version, and what follows from it: its publication, or the same values in other locales. */
export const planVersion = async (session: Session, request: WriteRequest, writing: Writing): Promise<Plan> => {
  const { links, body, present } = writing;
  const planned = await planFirst(session, request, writing);
  const { version, stored, linkPlan, files } = planned;
  const { versions } = present;
  const change: VersionChange = { action: stored ? "update" : "create", type: request.type, version, before: stored };
  if (isPublishing(request)) {
    const draftLinks = new Map([...present.draftLinks, ...linkPlan.keys]);
    const publication = { links, draft: version, versions, files, draftLinks, written: planned };
    const plan = await planPublication(session, { ...publication, sent: body.item.data, time: now() });
    return { ...plan, changes: [change, ...plan.changes] };
  }
  const { type, locale, unpublishes } = request;
  const before = versions.filter((each) => each.locale === locale);
  const copies = await planCopies(session, links, { version, versions, files, links: linkPlan.keys });
  const gone = unpublishes && type.draftAndPublish ? before.filter((each) => each.status === "published") : [];
  const locales = locale === null ? undefined : [locale];
  const taken = gone.length > 0 ? deleteVersions(type, [version.documentId], { locales, status: "published" }) : [];
  const unpublished = gone.map((each): VersionChange => ({ action: "unpublish", type, version: each }));
  const changes = [change, ...copies.changes, ...unpublished];
  const uniqueness = type.draftAndPublish
    ? NOTHING_NEW
    : await checkUniqueness(session, links.services, [], { type, version, before: stored, versions });
  const steps: Step[] = [...stepsOf(type, version, planned), ...copies.steps, ...taken];
  return { type, version, before, uniqueness, steps, changes };
};
