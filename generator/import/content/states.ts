/** Determines which versions the staged rows become, and which rows cannot be imported, and why. */
import type { Session } from "../../../runtime/database/database.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";

const OF_TYPE = "entity.type = $1";

/** Marks rows; a row that is already marked keeps its first reason. */
const leaveOut = (session: Session, { uid }: ContentType, reason: string, condition: string, ...values: string[]) =>
  session.rows(
    `update cms_import.entities as entity set reason = $2 where ${OF_TYPE} and reason is null and ${condition}`,
    [uid, reason, ...values],
  );

const REF = "(type, ref)";

/** Keeps one row per version: the newest of several, which bugs of older Strapi versions have left behind. */
const leaveOutRepeated = (session: Session, type: ContentType): Promise<unknown> =>
  leaveOut(
    session,
    type,
    "another row is the same version of the same document",
    `${REF} in (
      select type, ref from (
        select type, ref, row_number() over (partition by document_id, locale, is_draft order by ref desc) as number
        from cms_import.entities where type = $1 and reason is null
      ) as counted where number > 1
    )`,
  );

export interface Locales {
  readonly default: string;
  readonly codes: readonly string[];
}

const fitLocales = async (session: Session, type: ContentType, locales: Locales): Promise<void> => {
  if (type.localized) {
    await session.rows(`update cms_import.entities as entity set locale = $2 where ${OF_TYPE} and locale is null`, [
      type.uid,
      locales.default,
    ]);
    const codes = `{${locales.codes.map((code) => `"${code}"`).join(",")}}`;
    await leaveOut(session, type, "its locale is none of those in cms.config.ts", "locale <> all($3::text[])", codes);
    return;
  }
  await leaveOut(
    session,
    type,
    "the type is not localized here, and another locale of the document is taken",
    `${REF} in (
      select type, ref from (
        select type, ref, row_number() over (
          partition by document_id, is_draft order by (locale = $3) desc nulls first, locale, ref
        ) as number
        from cms_import.entities where type = $1 and locale is not null
      ) as counted where number > 1
    )`,
    locales.default,
  );
  await session.rows(`update cms_import.entities as entity set locale = null where ${OF_TYPE} and reason is null`, [
    type.uid,
  ]);
};

/** Whether the other version of the same document and locale exists too. */
const twin = (isDraft: boolean): string => `exists (
  select 1 from cms_import.entities as twin
  where twin.type = entity.type and twin.document_id = entity.document_id and twin.reason is null
    and twin.locale is not distinct from entity.locale and twin.is_draft = ${isDraft}
)`;

/** If a type has no drafts, drafts are dropped, whether a published version exists or not. */
const leaveOutDrafts = async (session: Session, type: ContentType): Promise<void> => {
  const noDrafts = "it is a draft, and the type has none here";
  await leaveOut(session, type, `${noDrafts}: the published version is taken`, `is_draft and ${twin(false)}`);
  await leaveOut(session, type, noDrafts, "is_draft");
};

/** In version 5 a published version has a draft beside it. If the source has none, the row becomes both. */
const statesOf = ({ draftAndPublish }: ContentType): string =>
  draftAndPublish
    ? `case when is_draft then 'draft' when ${twin(true)} then 'published' else 'both' end`
    : "'published'";

/**
 * Creates the documents, without versions: from now on relations may point to any of them. A single type has one
 * document, and a documentId belongs to one type.
 */
const makeDocuments = async (session: Session, type: ContentType): Promise<void> => {
  const single = type.kind === "singleType";
  await session.rows(
    `insert into documents (document_id, type, single)
     select document_id, $1, $2::boolean from cms_import.entities
     where type = $1 and reason is null
     group by document_id order by min(ref)
     on conflict do nothing`,
    [type.uid, single],
  );
  const reason = single
    ? "the type has one document, and there is another already"
    : "its documentId belongs to a document of another type";
  const isTaken = `not exists (
    select 1 from documents where documents.document_id = entity.document_id and documents.type = entity.type
  )`;
  await leaveOut(session, type, reason, isTaken);
  await session.rows(
    `update cms_import.entities as entity set is_document = true, states = ${statesOf(type)}
     where ${OF_TYPE} and reason is null`,
    [type.uid],
  );
};

/** Determines all of it for the rows of one type, whose documentIds are known. */
export const assignVersions = async (session: Session, type: ContentType, locales: Locales): Promise<void> => {
  await fitLocales(session, type, locales);
  await leaveOutRepeated(session, type);
  if (!type.draftAndPublish) await leaveOutDrafts(session, type);
  await makeDocuments(session, type);
};

/** Rows of types that do not exist here. Internal rows of plugins are not content: they are reported separately. */
export const leaveOutOthers = (session: Session, known: readonly string[]): Promise<unknown> =>
  session.rows(
    `update cms_import.entities set reason = 'there is no such content type here' where reason is null and type <> all($1::text[])`,
    [known],
  );
