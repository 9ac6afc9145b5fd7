/** `populate=related` of the upload routes: the entries that use a file. */
import { and, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Caller } from "../access/caller.ts";
import { ValidationError } from "../base/errors.ts";
import { compile, numberOf } from "../database/database.ts";
import { type ReaderContext, shown } from "../documents/read-hooks.ts";
import { type AnswerSize, type Budget, objectsOf, readMany, type ReadServices, unlimited } from "../query/index.ts";
import type { Attribute, ContentType } from "../schema/content-type.ts";
import type { Registry } from "../schema/registry.ts";

const RELATED = "related";

/** A populate parameter without `related`, and whether it contained that. */
export interface Asked {
  readonly related: boolean;
  readonly populate: unknown;
}

/** Files have nothing else to populate, so `*` means `related` too. */
const without = (names: readonly unknown[]): Asked => {
  const populate = names.filter((name) => name !== RELATED && name !== "*");
  return { related: populate.length < names.length, populate };
};

/**
 * Removes `related` from a populate parameter, since the read engine handles only the rest. @throws ValidationError for
 * options of `related`
 */
export const takeRelated = (populate: unknown): Asked => {
  if (typeof populate === "string") return without(populate.split(",").map((name) => name.trim()));
  if (Array.isArray(populate)) return without(populate);
  if (typeof populate !== "object" || populate === null || !Object.hasOwn(populate, RELATED)) {
    return { related: false, populate };
  }
  const { [RELATED]: asked, ...rest }: Readonly<Record<string, unknown>> = { ...populate };
  if (typeof asked === "object" && asked !== null && !Object.hasOwn(asked, "populate")) {
    throw new ValidationError("populate.related takes no parameters");
  }
  return { related: asked !== "false" && asked !== false, populate: rest };
};

interface Reference {
  readonly type: ContentType;
  readonly versionId: number;
  readonly fileId: number;
}

/** The statement's only parameter is the list of file ids. */
const among = (column: AnyPgColumn): SQL => sql`${column} = any(${sql.raw("$1")}::int[])`;

/**
 * Selects published versions that use a file in one attribute: the number of their type, their id, and the file's id.
 */
const showingVersions = (type: ContentType, number: number, attribute: Attribute): SQL | undefined => {
  if (attribute.type !== "media") return undefined;
  const { table } = type;
  const published = isNotNull(table.publishedAt);
  const index = sql.raw(String(number));
  if (!("link" in attribute)) {
    const { column } = attribute;
    return sql`select ${index}, ${table.id}, ${column} from ${table} where ${and(among(column), published)}`;
  }
  const { link } = attribute;
  const version = sql`join ${table} on ${table.id} = ${link.versionId}`;
  return sql`select ${index}, ${table.id}, ${link.fileId} from ${link} ${version} where ${and(among(link.fileId), published)}`;
};

/** An attribute to search: of a type that the caller may read, and visible to the caller. */
interface Looked {
  readonly types: readonly ContentType[];
  shows(type: ContentType, name: string): boolean;
}

const referencesTo = async (
  { database }: Pick<ReadServices, "database">,
  { types, shows }: Looked,
  ids: readonly number[],
): Promise<readonly Reference[]> => {
  const uses = types.flatMap((type, number) =>
    Object.entries<Attribute>(type.attributes).flatMap(([name, attribute]) =>
      shows(type, name) ? (showingVersions(type, number, attribute) ?? []) : [],
    ),
  );
  if (uses.length === 0) return [];
  const { text } = compile(sql`${sql.join(uses, sql` union `)} order by 1, 2`);
  const rows = await database.rows(text, [ids]);
  return rows.flatMap(([number, versionId, fileId]) => {
    const type = types[numberOf(number)];
    return type ? [{ type, versionId: numberOf(versionId), fileId: numberOf(fileId) }] : [];
  });
};

type RelatedServices = ReadServices & ReaderContext["services"];

/** Limits for reading related entries. */
export interface RelatedLimits {
  readonly budget: Budget;
  readonly size: AnswerSize;
}

interface Entry {
  readonly document: object;
  /** Its length in the response, which may repeat it for many files. */
  readonly length: number;
}

/** The documents for version ids of one type, by id. */
const documentsOf = async (
  services: RelatedServices,
  caller: Caller,
  type: ContentType,
  ids: readonly number[],
  budget: Budget,
): Promise<ReadonlyMap<number, Entry>> => {
  const query = {
    filters: { id: { $in: ids } },
    pagination: { limit: ids.length, withCount: false },
    ...(type.localized ? { locale: "*" } : {}),
  };
  const context = { services, caller, code: true, limits: unlimited };
  const { documents } = await readMany(context, type, query);
  budget.rows(documents.rows.length);
  return new Map(
    objectsOf(await shown(context, documents)).map((found) => {
      const document = { __type: type.uid, ...found };
      return [Number(found["id"]), { document, length: JSON.stringify(document).length }];
    }),
  );
};

/**
 * The published entries that use each of the files, of types and in attributes that the caller may see. Components are
 * not searched.
 *
 * @returns entries by file id, each with its uid as `__type`
 * @throws ValidationError when there are more than the limits allow
 */
export const relatedTo = async (
  services: RelatedServices & { readonly registry: Registry },
  caller: Caller,
  fileIds: readonly number[],
  { budget, size }: RelatedLimits,
): Promise<ReadonlyMap<number, readonly object[]>> => {
  const types = Object.values(services.registry.contentTypes)
    .map(({ type }) => type)
    .filter(({ uid }) => caller.can(`${uid}.find`));
  const looked: Looked = { types, shows: (type, name) => services.queries.shows(caller, type, name) };
  const references = fileIds.length === 0 ? [] : await referencesTo(services, looked, fileIds);
  const related = new Map<number, object[]>(fileIds.map((id) => [id, []]));
  for (const type of new Set(references.map((reference) => reference.type))) {
    const own = references.filter((reference) => reference.type === type);
    const ids = [...new Set(own.map(({ versionId }) => versionId))];
    const documents = await documentsOf(services, caller, type, ids, budget);
    for (const { versionId, fileId } of own) {
      const entry = documents.get(versionId);
      if (!entry) continue;
      size.add(entry.length, "related");
      related.get(fileId)?.push(entry.document);
    }
  }
  return related;
};
