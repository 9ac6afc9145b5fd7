/** Creating and changing documents. */
import { createId } from "@paralleldrive/cuid2";
import type { ContentType } from "../content-type.ts";
import type { Session } from "../database/database.ts";
import { validationError } from "../validation/check.ts";
import type { Mode } from "../validators.ts";
import { attributeOf } from "./attributes.ts";
import { checkBody } from "./body/check.ts";
import { takeComponentIds } from "./component-ids.ts";
import type { State, WriteServices } from "./context.ts";
import { buildValues } from "./draft.ts";
import { validatorOf } from "./entity.ts";
import { countEntries } from "./entries.ts";
import { countCopies, countInherited, inheritedNames, inheritedValues, planCopies } from "./locales-sync.ts";
import { planPublication } from "./publication.ts";
import type { Source } from "./references.ts";
import { type LinkContext, planLinks, planTakeOvers } from "./relations.ts";
import { insertDocument } from "./sql/document.ts";
import type { Bound } from "./sql/statement.ts";
import { insertVersion, type LoadedVersion, updateVersion, type Version } from "./sql/version.ts";
import { now, openDocument, store } from "./store.ts";
import { findRepeated } from "./unique.ts";

export interface WriteRequest {
  readonly type: ContentType;
  /** The document to change; undefined creates one. */
  readonly documentId: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly locale: string | null;
  /** `published` also publishes what is written, where the type has drafts. */
  readonly state: State;
}

/** Which version was written. */
export interface Written {
  readonly documentId: string;
  readonly state: State;
  readonly locale: string | null;
}

/** What is there of the document before it is written. */
interface Present {
  readonly documentId: string;
  readonly isNew: boolean;
  readonly versions: readonly LoadedVersion[];
}

/** Writes a document; undefined when there is no such document. What a client may get wrong is an HttpError. */
export const writeDocument = async (
  services: WriteServices,
  session: Session,
  request: WriteRequest,
): Promise<Written | undefined> => {
  const { type, documentId } = request;
  if (documentId === undefined) {
    return writeVersion(services, session, request, { documentId: createId(), isNew: true, versions: [] });
  }
  const versions = await openDocument(session, type, documentId);
  return versions && writeVersion(services, session, request, { documentId, isNew: false, versions });
};

const modeOf = (type: ContentType, stored: Version | undefined): Mode => {
  if (type.draftAndPublish) return "draft";
  return stored ? "update" : "create";
};

/** The version that a new locale takes over from: that of the default locale, else the oldest. */
const siblingOf = ({ config }: WriteServices, versions: readonly LoadedVersion[]): LoadedVersion | undefined =>
  versions.find(({ locale }) => locale === config.locales.default) ?? versions[0];

const writeVersion = async (
  services: WriteServices,
  session: Session,
  request: WriteRequest,
  present: Present,
): Promise<Written> => {
  const { type, locale, data } = request;
  const { documentId } = present;
  const state: State = type.draftAndPublish ? "draft" : "published";
  const alike = present.versions.filter((version) => version.state === state);
  const stored = alike.find((version) => version.locale === locale);
  const sibling = stored ? undefined : siblingOf(services, alike);
  const source: Source = { services, type, locale };
  const time = now();
  const { item, targets } = await checkBody(session, {
    source,
    data,
    mode: modeOf(type, stored),
    isNew: !stored,
    inherited: sibling ? inheritedNames(type, data) : new Set(),
    publishedAt: type.draftAndPublish ? null : `${time}Z`,
  });

  const entries = countEntries([...item.components.values()].flat()) + (sibling ? countInherited(type, sibling) : 0);
  const nextId = await takeComponentIds(services.database, session, entries);
  const validator = validatorOf(services, type.uid);
  const version: Version = {
    locale,
    state,
    createdAt: stored?.createdAt ?? time,
    updatedAt: time,
    publishedAt: type.draftAndPublish ? null : time,
    values: {
      ...buildValues({ services, targets, nextId }, { source, validator, item, stored }),
      ...(sibling ? inheritedValues(services, type, sibling, data, nextId) : {}),
    },
  };
  const links: LinkContext = { source, targets, documentId, state };
  const plan = await planLinks(session, links, item);
  const batch: Bound[] = [
    ...(present.isNew ? [insertDocument(documentId, type)] : []),
    stored ? updateVersion(type, documentId, version) : insertVersion(type, documentId, version),
    ...plan.statements,
    ...planTakeOvers(links, version, stored),
  ];

  if (type.draftAndPublish && request.state === "published") {
    const published = present.versions.filter((each) => each.state === "published");
    const before = published.find((each) => each.locale === locale);
    const others = published.filter((each) => each !== before);
    const publication = { links, draft: version, before, others, written: plan.keys, time: now() };
    const { statements } = await planPublication(session, publication);
    batch.push(...statements);
  } else {
    if (!type.draftAndPublish) await checkUnique(session, type, documentId, version, stored);
    const others = alike.filter((each) => each !== stored);
    const siblings = { services, owner: { type, documentId, locale }, version, others };
    const copyId = await takeComponentIds(services.database, session, countCopies(siblings));
    const files = [...item.links.keys()].some((name) => attributeOf(type, name)?.type === "media");
    batch.push(...planCopies(siblings, state, copyId, files));
  }
  await store(session, type, version, batch);
  return { documentId, locale, state: type.draftAndPublish ? request.state : "published" };
};

const checkUnique = async (
  session: Session,
  type: ContentType,
  documentId: string,
  version: Version,
  stored: Version | undefined,
): Promise<void> => {
  const repeated = await findRepeated(session, type, documentId, version, stored);
  if (repeated.length > 0) throw validationError(repeated);
};
