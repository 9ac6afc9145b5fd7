/** Reads a batch of staged rows and creates the versions that do not exist yet. */
import { getTableName } from "drizzle-orm";
import { isRecord } from "../../../runtime/base/is-record.ts";
import { numberOf, requiredText, send, type Session } from "../../../runtime/database/database.ts";
import { nextComponentIds } from "../../../runtime/documents/plan/entries.ts";
import type { ContentType } from "../../../runtime/schema/content-type.ts";
import type { Registry } from "../../../runtime/schema/registry.ts";
import { collectEntries, type FoundEntry, type Owner } from "../../archive/component-entries.ts";
import { type BatchLinks, readBatchLinks } from "./batch-links.ts";
import { type BuiltVersion, buildVersion, type StagedRow } from "./build-version.ts";
import type { Report } from "./report.ts";

/** A batch ends at this many rows, or at this length of their contents: memory depends on both. */
const BATCH = { rows: 1000, bytes: 4_000_000 };

/** Reserves ids on first use, once. */
export type Reserve = (session: Session) => Promise<number>;

export interface TypeImport {
  readonly registry: Registry;
  readonly report: Report;
  readonly type: ContentType;
  /** The offset added to the source's ids; requested when there is something to write. */
  readonly offset: Reserve;
  /** The offset for a row that becomes a draft beside its published version. */
  readonly draftOffset: number;
  readonly componentOffset: Reserve;
  /** Whether required relations and files must exist. */
  readonly strictRelations: boolean;
  /** A dry run rolls everything back, but cannot return numbers taken from sequences. */
  readonly isDry: boolean;
  readonly onBatch: (rows: number) => void;
  /** Whether a batch may be read while the previous one is written: not on a single connection. */
  readonly readsAhead: boolean;
}

type States = "draft" | "published" | "both";
interface BatchRow extends StagedRow {
  readonly states: States;
}

const statesOf = (value: string): States => (value === "draft" || value === "both" ? value : "published");

/**
 * Selects the batch's rows first and their contents afterwards: joining first would scan all remaining rows each time.
 * Returns at least one row, however long its contents.
 */
const ROWS = `
  select ref, document_id, locale, states, data
  from (
    select ref, document_id, locale, states, data,
      sum(octet_length(data)) over (order by ref) - octet_length(data) as before
    from (
      select type, ref, document_id, locale, states from cms_import.entities
      where type = $1 and ref > $2 and states is not null order by ref limit ${BATCH.rows}
    ) as entity
    join cms_import.contents using (type, ref)
  ) as batch
  where before < ${BATCH.bytes}
  order by ref`;

const readRows = async (session: Session, { uid }: ContentType, after: number): Promise<readonly BatchRow[]> => {
  const rows = await session.rows(ROWS, [uid, after]);
  return rows.map(([ref, documentId, locale, states, data]) => {
    const parsed: unknown = JSON.parse(requiredText(data));
    return {
      ref: numberOf(ref),
      documentId: requiredText(documentId),
      locale: typeof locale === "string" ? locale : null,
      states: statesOf(requiredText(states)),
      data: isRecord(parsed) ? parsed : {},
    };
  });
};

const versionKey = (documentId: string, locale: string | null, isPublished: boolean): string =>
  `${documentId} ${locale ?? ""} ${isPublished}`;

/** The existing versions of the batch's documents. */
const readPresent = async (session: Session, { table }: ContentType, batch: readonly BatchRow[]) => {
  const locale = table.locale ? `"${table.locale.name}"` : "null::text";
  const rows = await session.rows(
    `select document_id, ${locale}, published_at is not null from "${getTableName(table)}" where document_id = any($1::text[])`,
    [batch.map(({ documentId }) => documentId)],
  );
  return new Set(
    rows.map(([documentId, where, isPublished]) =>
      versionKey(requiredText(documentId), typeof where === "string" ? where : null, isPublished === true),
    ),
  );
};

/** Ids for entries that need new ones: those of a second version, and those without any. */
const takeIds = async (session: Session, count: number, isDry: boolean): Promise<() => number> => {
  if (isDry) return () => 0;
  const rows = count === 0 ? [] : await send(session, nextComponentIds(count));
  const ids = rows.map(([id]) => numberOf(id));
  return () => {
    const id = ids.pop();
    if (id === undefined) throw new Error("More component entries than ids were taken for");
    return id;
  };
};

const isLinked = (entry: FoundEntry): entry is Owner => entry.ref !== undefined;

interface Wanted {
  readonly row: BatchRow;
  readonly isPublished: boolean;
  /** A second version of a row: its entries need their own ids. */
  readonly isCopy: boolean;
}

const wantedVersions = (batch: readonly BatchRow[]): readonly Wanted[] =>
  batch.flatMap((row): Wanted[] =>
    row.states === "both"
      ? [
          { row, isPublished: false, isCopy: true },
          { row, isPublished: true, isCopy: false },
        ]
      : [{ row, isPublished: row.states === "published", isCopy: false }],
  );

const remarkMissing = ({ report, type }: TypeImport, links: BatchLinks): void => {
  for (const { owner, attribute, reason } of links.missing) {
    const isRow = owner.type === type.uid;
    report.add({
      weight: "lost",
      type: owner.type,
      id: owner.ref,
      attribute,
      reason: isRow ? reason : `${reason} (in ${type.uid})`,
    });
  }
};

const build = async (
  session: Session,
  context: TypeImport,
  wanted: readonly Wanted[],
): Promise<readonly BuiltVersion[]> => {
  if (wanted.length === 0) return [];
  const { registry, type, report, draftOffset, strictRelations } = context;
  const [offset, componentOffset] = [await context.offset(session), await context.componentOffset(session)];
  const entries = new Map(wanted.map(({ row }) => [row, collectEntries(registry, type, row.data)]));
  const owners = [...entries].flatMap(([row, found]) => [{ type: type.uid, ref: row.ref }, ...found.filter(isLinked)]);
  const links = await readBatchLinks(session, owners);
  remarkMissing(context, links);
  const count = wanted.reduce((sum, { row, isCopy }) => {
    const found = entries.get(row) ?? [];
    return sum + (isCopy ? found.length : found.filter((entry) => !isLinked(entry)).length);
  }, 0);
  const nextId = await takeIds(session, count, context.isDry);
  return wanted.map(({ row, isPublished, isCopy }) => {
    const building = {
      registry,
      links,
      strictRelations,
      isPublished,
      entryId: (source: number | undefined) => (isCopy || source === undefined ? nextId() : source + componentOffset),
      remark: (attribute: string, weight: "lost" | "kept", reason: string, value?: unknown) => {
        if (isCopy) return;
        const { documentId, locale, ref } = row;
        report.add({ weight, type: type.uid, id: ref, documentId, locale, attribute, reason, value });
      },
    };
    return buildVersion(building, type, row, row.ref + offset + (isCopy ? draftOffset : 0));
  });
};

/**
 * The batch of the rows after `after`: the last of them, after which the next batch starts, their number, the versions
 * to write, and how many versions already exist. Undefined if there are none.
 */
export const readBatch = async (session: Session, context: TypeImport, after: number) => {
  const { type } = context;
  const rows = await readRows(session, type, after);
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  const present = await readPresent(session, type, rows);
  const all = wantedVersions(rows);
  const wanted = all.filter(
    ({ row, isPublished }) => !present.has(versionKey(row.documentId, row.locale, isPublished)),
  );
  const versions = await build(session, context, wanted);
  return { last: last.ref, rows: rows.length, versions, present: all.length - wanted.length };
};
